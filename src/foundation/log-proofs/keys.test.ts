/** Keys of a log: from the database or from the operator's file, one after the other; and the check of every night. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { makeTestTenant, type TestTenant } from '../../../test/support/tenants.ts';
import { recordOccurrence } from '../../../test/support/any-event.ts';
import { type Context, inTransaction, noReactions, silentLogger } from '../../context.ts';
import { openDatabase } from '../../db/open.ts';
import type { Database } from '../../db/types.ts';
import type { Job } from '../../jobs/index.ts';
import type { JobCursor } from '../../jobs/types.ts';
import { openCheckpoint } from '../../lib/log/checkpoint.ts';
import { trustLogs } from '../../lib/log/log-policy.ts';
import { readVkey } from '../../lib/log/signed-note.ts';
import { sealLog } from '../audit/index.ts';
import { checkLog } from './check/index.ts';
import { checkKind, createJobKinds, isCheckDue } from './jobs.ts';
import { settleLogKeys } from './secret-file.ts';
import { getLogSettings } from './settings.ts';
import { countLogFindings } from './store.ts';
import { findEpoch, restartLog, signHead } from './tree/index.ts';

const [first, second, other] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
let test: TestDatabase;
let ours: TestTenant;
const opened: Database[] = [];
const day = (days: number): Date => new Date(Date.UTC(2026, 2, 1 + days, 12));

/** The log as a process with these secrets sees it. */
async function withSecrets(secrets: readonly Buffer[], now = day(0)): Promise<{ context: Context; settle: () => Promise<void> }> {
  const database = await openDatabase({ databaseUrl: test.url, poolSize: 2, logSecrets: secrets, log: silentLogger });
  opened.push(database);
  const settle = () => settleLogKeys(database, { log: silentLogger, react: noReactions, clock: () => now });
  return { context: { ...ours.system, db: database.tenant(ours.tenant.id), now }, settle };
}

async function sign(context: Context) {
  await recordOccurrence(context, { kind: 'tick' });
  await sealLog(context, { forMs: 10_000, waitsForLock: true });
  const { keys } = await getLogSettings(context, {});
  const { note } = await signHead(context, await findEpoch(context, 0));
  const { signers } = openCheckpoint(trustLogs(keys.map(readVkey)), Buffer.from(note));
  // The newest first.
  return signers.map(({ vkey }) => keys.length - keys.indexOf(vkey));
}

beforeAll(async () => {
  test = await openTestDatabase();
  ours = await makeTestTenant(test, 'ours.example');
});
afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()));
  await test.close();
});

describe('the key of a log', () => {
  it('is in the database until an operator gives a file; then both sign for 30 days', async () => {
    const none = await withSecrets([]);
    expect(await sign(none.context)).toEqual([1]);
    const one = await withSecrets([first], day(1));
    await one.settle();
    expect(await sign(one.context)).toEqual([2, 1]);
    expect(await getLogSettings(one.context, {})).toMatchObject({ hasSecretFile: true });
    const [told] = await test.admin(`SELECT data FROM events WHERE kind = 'log.key_rotated'`);
    expect(told?.['data']).toMatchObject({ generation: 2, source: 'FILE', key: expect.stringMatching(/^ours\.example\/log\//) });
    const later = await withSecrets([first], day(32));
    expect(await sign(later.context)).toEqual([2]);
  });

  it('goes on with the former for a day where a process has not heard of it, and no longer', async () => {
    const old = await withSecrets([], day(1));
    await recordOccurrence(old.context, { kind: 'tick' });
    const late = await withSecrets([], day(3));
    await expect(recordOccurrence(late.context, { kind: 'tick' })).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('--log-secret-file'),
    });
    await expect(late.settle()).rejects.toMatchObject({ message: expect.stringContaining('ours.example') });
  });

  it('is the next one when a new secret is written above the one in use', async () => {
    const both = await withSecrets([second, first], day(33));
    await both.settle();
    await both.settle();
    expect(await sign(both.context)).toEqual([3, 2]);
    const back = await withSecrets([first], day(34));
    await expect(back.settle()).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    const foreign = await withSecrets([other], day(34));
    await expect(foreign.settle()).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    expect((await checkLog(both.context, { outside: [] })).sentences).toEqual([]);
  });

  it('that was lost is replaced by a restart, and what it wrote cannot be judged any more', async () => {
    const fresh = await withSecrets([other], day(40));
    expect(await restartLog(fresh.context, 'The file is lost')).toMatchObject({ epoch: 2 });
    await fresh.settle();
    expect(await sign(fresh.context)).toEqual([4]);
    const state = await checkLog(fresh.context, { outside: [] });
    expect(state).toMatchObject({ findings: 0 });
    expect(state.unjudged).toBeGreaterThan(0);
  });
});

describe('a log that has not begun', () => {
  it('begins with the key of the database and goes on with that of the file: a tenant that was made before the first start', async () => {
    const young = await makeTestTenant(test, 'young.example');
    const one = await withSecrets([other], day(41));
    await one.settle();
    const context = { ...young.system, db: opened.at(-1)?.tenant(young.tenant.id) ?? young.system.db, now: day(41) };
    expect(await sign(context)).toEqual([2, 1]);
    expect((await checkLog(context, { outside: [] })).sentences).toEqual([]);
  });
});

describe('events of before codes', () => {
  it('are counted, never called forged; without one in a log that has them, they are', async () => {
    const theirs = await makeTestTenant(test, 'theirs.example');
    const context = theirs.system;
    await test.admin('SET session_replication_role = replica');
    await test.admin('UPDATE events SET mac = NULL, mac_generation = NULL WHERE tenant_id = $1', [context.tenantId]);
    await test.admin('SET session_replication_role = origin');
    await sealLog(context, { forMs: 10_000, waitsForLock: true });
    const { events: before } = await checkLog(context, { outside: [] });
    expect(await checkLog(context, { outside: [] })).toMatchObject({ findings: 0, uncoded: before });
    await recordOccurrence(context, { kind: 'tick' });
    await test.admin(`INSERT INTO events (tenant_id, id, occurred_at, kind, actor_kind) VALUES ($1, 'forged', now(), 'tick', 'system')`, [
      context.tenantId,
    ]);
    await sealLog(context, { forMs: 10_000, waitsForLock: true });
    const { sentences, uncoded } = await checkLog(context, { outside: [] });
    expect([sentences, uncoded]).toEqual([['Event forged was not written by this service.'], before]);
  });
});

describe('the check of every night', () => {
  const run = async (context: Context): Promise<void> => {
    let cursor: JobCursor = {};
    for (;;) {
      const done = await inTransaction(context, async (inside) =>
        createJobKinds({ checkpointDir: undefined })
          .get(checkKind)!
          .handler(inside, { cursor } as unknown as Job),
      );
      if (done === 'finished') {
        return;
      }
      cursor = JSON.parse(JSON.stringify(done.cursor)) as JobCursor;
    }
  };

  it('is due at night, once, and at any hour where two nights passed', async () => {
    const night = await makeTestTenant(test, 'night.example');
    const at = (time: string): Context => ({ ...night.system, now: new Date(time) });
    expect(await isCheckDue(at('2026-03-02T12:00:00Z'))).toBe(false);
    expect(await isCheckDue(at('2026-03-02T01:00:00Z'))).toBe(true);
    await sealLog(night.system, { forMs: 10_000, waitsForLock: true });
    await run(at('2026-03-02T01:00:00Z'));
    expect(await isCheckDue(at('2026-03-02T05:00:00Z'))).toBe(false);
    expect(await isCheckDue(at('2026-03-03T01:00:00Z'))).toBe(true);
    expect(await isCheckDue(at('2026-03-03T12:00:00Z'))).toBe(false);
    expect(await isCheckDue(at('2026-03-04T12:00:00Z'))).toBe(true);
    expect(await getLogSettings(night.system, {})).toMatchObject({ findings: 0, checkedAt: new Date('2026-03-02T01:00:00Z') });
  });

  it('writes an event and counts for the metrics where something does not hold', async () => {
    const bad = await makeTestTenant(test, 'bad.example');
    await sealLog(bad.system, { forMs: 10_000, waitsForLock: true });
    await test.admin('SET session_replication_role = replica');
    await test.admin(`UPDATE events SET actor_id = 'nobody' WHERE tenant_id = $1 AND kind = 'user.created'`, [bad.system.tenantId]);
    await test.admin('SET session_replication_role = origin');
    await run(bad.system);
    const [told] = await test.admin(`SELECT data FROM events WHERE tenant_id = $1 AND kind = 'log.check_failed'`, [bad.system.tenantId]);
    expect(told?.['data']).toMatchObject({ findings: 2, sentences: [expect.stringContaining('who, what or when'), expect.anything()] });
    expect(await countLogFindings(test.database.system(), bad.system.now)).toMatchObject({ findings: 2, behind: 0 });
  });
});
