/**
 * A storm over one log: writers whose transactions take their ids early, sleep, roll back, in whole or to a savepoint; sealers, some of which
 * are killed; a transaction that takes long; and a reader who follows by position. At the end it holds the log to its promises.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Context, noReactions, silentLogger, systemActor } from '../../src/context.ts';
import { openDatabase } from '../../src/db/open.ts';
import { listEvents } from '../../src/foundation/audit/list-events.ts';
import { recordEvent } from './any-event.ts';
import { sealLog } from '../../src/foundation/audit/seal.ts';
import type { TestDatabase } from './database.ts';

/** Size of a storm. */
export interface Storm {
  readonly seconds: number;
  readonly writers: number;
  readonly sealers: number;
  /** Chains of cause and effect: rows that writers lock and count up. */
  readonly chains: number;
  /** Time the one long transaction stays open, at most as long as the storm. */
  readonly longSeconds: number;
}

/** Result of a storm. */
export interface StormResult {
  readonly committed: number;
  readonly killed: number;
  readonly seals: number;
  /** Events sealed while the long transaction was open, so that they come before its event though they were written after. */
  readonly overtook: number;
}

interface Seen {
  readonly position: number;
  readonly id: string;
  readonly kind: string;
  readonly data: Record<string, unknown>;
}

const everything = { since: undefined, until: undefined, sinceEventUid: '', untilEventUid: '', descending: false };
const random = (below: number) => Math.floor(Math.random() * below);

class Undone extends Error {}

/** Runs a storm against a tenant's log and checks what is left. */
export async function runStorm(test: TestDatabase, tenantId: string, storm: Storm): Promise<StormResult> {
  const database = await openDatabase({ databaseUrl: test.url, poolSize: storm.writers + storm.sealers + 3, log: silentLogger });
  const contextNow = (): Context => ({
    db: database.tenant(tenantId),
    tenantId,
    actor: systemActor('storm'),
    now: new Date(),
    log: silentLogger,
    react: noReactions,
  });
  const endsAt = performance.now() + storm.seconds * 1000;
  // A busy machine may storm longer until it has been one.
  const isOver = () => performance.now() >= endsAt && (hasStormed() || performance.now() >= endsAt + 120_000);
  const committed = new Set<string>();
  const seen: Seen[] = [];
  let killed = 0;
  let isWritten = false;
  const hasStormed = () => committed.size > 100 && killed > 0 && seen.length > 100;
  await Promise.all(
    Array.from({ length: storm.chains }, (_, chain) =>
      contextNow().db.run('INSERT INTO tenant_counters (tenant_id, name, value) VALUES ($1, $2, 0)', [tenantId, `chain-${chain}`]),
    ),
  );

  async function write(): Promise<void> {
    while (!isOver()) {
      const ids: string[] = [];
      const outside = contextNow();
      await outside.db
        .transaction(async (db) => {
          const context = { ...outside, db };
          if (random(2) === 0) {
            await db.run('SELECT pg_current_xact_id()', []);
            await delay(random(120));
          }
          const chain = random(storm.chains);
          const sql = 'UPDATE tenant_counters SET value = value + 1 WHERE tenant_id = $1 AND name = $2 RETURNING value AS number';
          const { number } = await db.one<{ number: number }>(sql, [tenantId, `chain-${chain}`]);
          ids.push(await recordEvent(context, { kind: 'storm.step', reviewId: `chain-${chain}`, data: { chain, number } }));
          if (random(3) === 0) {
            await db.run('SAVEPOINT one', []);
            const id = await recordEvent(context, { kind: 'storm.inner' });
            if (random(2) === 0) {
              await db.run('ROLLBACK TO SAVEPOINT one', []);
            } else {
              await db.run('RELEASE SAVEPOINT one', []);
              ids.push(id);
            }
          }
          await delay(random(random(10) === 0 ? 150 : 20));
          if (random(8) === 0) {
            throw new Undone();
          }
        })
        .then(
          () => {
            for (const id of ids) {
              committed.add(id);
            }
          },
          (error: unknown) => {
            if (!(error instanceof Undone)) {
              throw error;
            }
          },
        );
    }
  }

  /** One transaction that wrote at the beginning and stays open: its event comes when it commits, and nobody waits for it. */
  async function dawdle(): Promise<void> {
    const outside = contextNow();
    const id = await outside.db.transaction(async (db) => {
      const written = await recordEvent({ ...outside, db }, { kind: 'storm.long' });
      await delay(Math.min(storm.longSeconds, storm.seconds) * 1000);
      while (!hasStormed() && performance.now() < endsAt + 120_000) {
        await delay(50);
      }
      return written;
    });
    committed.add(id);
  }

  async function sealOn(): Promise<void> {
    while (!isOver()) {
      // Killed at any moment; whatever was half sealed is not sealed.
      await sealLog(contextNow(), { forMs: 1_000, waitsForLock: false, mostPerSeal: [3, 20, 50_000][random(3)] ?? 3 }).catch(
        () => undefined,
      );
      await delay(random(60));
    }
  }

  async function kill(): Promise<void> {
    while (!isOver()) {
      await delay(100 + random(200));
      const found = await test.admin(
        `SELECT pg_terminate_backend(a.pid) AS killed FROM pg_stat_activity a WHERE a.datname = current_database()
         AND a.state IN ('active', 'idle in transaction') AND a.query ~ '^\\s*(INSERT INTO log_|UPDATE logs|WITH found|SELECT epoch)' LIMIT 1`,
      );
      killed += found.length;
    }
  }

  async function read(): Promise<void> {
    // Goes on until everybody has written and all of that has been read: a writer may commit well after the end of the storm.
    for (let quiet = 0; quiet < 3; ) {
      const over = isWritten && committed.size === seen.length;
      const last = seen.at(-1);
      const page = await listEvents(contextNow(), everything, last && String(last.position), 500).catch(() => undefined);
      seen.push(...(page?.events ?? []));
      quiet = over && page?.events.length === 0 ? quiet + 1 : 0;
      expect(performance.now(), 'the reader never saw everything').toBeLessThan(endsAt + 200_000);
      await delay(random(30));
    }
  }

  const before = await test.admin('SELECT id FROM events WHERE tenant_id = $1', [tenantId]);
  for (const { id } of before) {
    committed.add(String(id));
  }
  try {
    const writing = Promise.all([...Array.from({ length: storm.writers }, write), dawdle()]).then(() => {
      isWritten = true;
    });
    await Promise.all([writing, ...Array.from({ length: storm.sealers }, sealOn), kill(), read()]);
  } finally {
    await database.close();
  }
  checkSeen(seen, committed.size);
  const rows = await test.admin('SELECT id FROM events WHERE tenant_id = $1', [tenantId]);
  expect(new Set(rows.map(({ id }) => id))).toEqual(committed);
  const [seals = {}] = await test.admin('SELECT count(*)::int AS count FROM log_seals WHERE tenant_id = $1', [tenantId]);
  return { committed: committed.size, killed, seals: seals.count as number, overtook: seen.findIndex(({ kind }) => kind === 'storm.long') };
}

/** Every event exactly once, without a gap, and each cause before its effect. */
function checkSeen(seen: readonly Seen[], committed: number): void {
  expect(seen.map(({ position }) => position)).toEqual(seen.map((_, index) => index));
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
  expect(seen.length).toBe(committed);
  const last = new Map<unknown, number>();
  for (const { data } of seen) {
    if (typeof data.number === 'number') {
      expect([data.chain, data.number]).toEqual([data.chain, (last.get(data.chain) ?? 0) + 1]);
      last.set(data.chain, data.number);
    }
  }
}
