/** Sealing with a frozen clock: positions, the tree, the chains of reviews; late commits, parts, restores; and what nobody may do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { type Context, inTransaction } from '../../context.ts';
import { hashLeaf, computeRoot } from '../../lib/log/merkle.ts';
import { makeLeaf } from './leaf.ts';
import { type EventQuery, listEvents } from './list-events.ts';
import { recordEvent, recordOccurrence } from '../../../test/support/any-event.ts';
import { type SealOutcome, sealLate, sealLog } from './seal.ts';
import { listSealableRows } from './store-log.ts';

let two: TwoTenants;
let ours: Context;
const everything: EventQuery = { since: undefined, until: undefined, sinceEventUid: '', untilEventUid: '', descending: false };
const seal = (context = ours, mostPerSeal = 50_000): Promise<SealOutcome> =>
  sealLog(context, { forMs: 10_000, waitsForLock: true, mostPerSeal });

interface Leaf {
  readonly position: number;
  readonly id: string;
  readonly hash: Buffer;
}

async function leavesOf({ tenantId }: Context): Promise<Leaf[]> {
  const rows = await two.admin(
    'SELECT position::int, event_id AS id, leaf_hash AS hash FROM log_leaves WHERE tenant_id = $1 ORDER BY position',
    [tenantId],
  );
  return rows as unknown as Leaf[];
}

/** Holds the log to what is always true of it: no gap, every event once, and the tree over the leaves is the one that is kept. */
async function checkLog(context: Context): Promise<Leaf[]> {
  const leaves = await leavesOf(context);
  expect(leaves.map(({ position }) => position)).toEqual(leaves.map((_, index) => index));
  const events = await two.admin('SELECT id FROM events WHERE tenant_id = $1', [context.tenantId]);
  expect(new Set(leaves.map(({ id }) => id))).toEqual(new Set(events.map(({ id }) => id)));
  const [log = {}] = await two.admin('SELECT size::int, root, base::int FROM logs WHERE tenant_id = $1', [context.tenantId]);
  expect(log).toMatchObject({ size: leaves.length, base: 0 });
  expect((log.root as Buffer).toString('hex')).toBe(computeRoot(leaves.map(({ hash }) => hash)).toString('hex'));
  return leaves;
}

const record = (kind: string, more: object = {}, context = ours): Promise<string> => recordOccurrence(context, { kind, ...more });
const many = (count: number): Promise<unknown> =>
  inTransaction(ours, async (inside) => {
    for (let n = 0; n < count; n++) {
      await recordEvent(inside, { kind: 'tick', data: { n } });
    }
  });

beforeAll(async () => {
  two = await openTwoTenants();
  ours = two.ours.system;
});
afterAll(() => two.close());

describe('sealing', () => {
  it('gives each tenant its own positions, in the order of writing, and its own tree', async () => {
    const theirs = two.theirs.system;
    const kinds = ['one', 'two', 'three'];
    for (const kind of kinds) {
      await record(kind);
      await record(kind, {}, theirs);
    }
    expect(await seal()).toBe('sealed');
    expect(await leavesOf(theirs)).toEqual([]);
    expect(await seal(theirs)).toBe('sealed');
    for (const context of [ours, theirs]) {
      const leaves = await checkLog(context);
      const { events, origin } = await listEvents(context, everything, undefined, 100);
      expect(events.map(({ position }) => position)).toEqual(leaves.map(({ position }) => position));
      expect(events.map(({ kind }) => kind).slice(-3)).toEqual(kinds);
      expect(origin).toBe(`${context === ours ? 'ours' : 'theirs'}.example/log/${context.tenantId}/1`);
    }
  });

  it('does nothing where nothing is new', async () => {
    const before = await two.admin('SELECT * FROM logs WHERE tenant_id = $1', [ours.tenantId]);
    const seals = await two.admin('SELECT * FROM log_seals WHERE tenant_id = $1', [ours.tenantId]);
    expect(await seal()).toBe('sealed');
    expect(await two.admin('SELECT * FROM logs WHERE tenant_id = $1', [ours.tenantId])).toEqual(before);
    expect(await two.admin('SELECT * FROM log_seals WHERE tenant_id = $1', [ours.tenantId])).toEqual(seals);
  });

  it('keeps the roots of full subtrees of 256 leaves', async () => {
    await many(600);
    await seal();
    const leaves = await checkLog(ours);
    const nodes = await two.admin('SELECT level, index::int, hash FROM log_nodes WHERE tenant_id = $1 ORDER BY level, index', [
      ours.tenantId,
    ]);
    expect(nodes).toHaveLength(Math.floor(leaves.length / 256));
    for (const { level, index, hash } of nodes as { level: number; index: number; hash: Buffer }[]) {
      const below = leaves.slice(index * 256, (index + 1) * 256).map((leaf) => leaf.hash);
      expect([level, hash.toString('hex')]).toEqual([1, computeRoot(below).toString('hex')]);
    }
  });

  it('chains the events of each review, across seals', async () => {
    const places = { a: [] as number[], b: [] as number[] };
    const [a, b] = ['a'.repeat(27), 'b'.repeat(27)];
    for (const part of [['a', 'b', 'a'], ['b'], ['a', 'a']] as const) {
      for (const review of part) {
        const target = review === 'a' ? { targetType: 'access_review', targetId: a } : { targetType: 'task', targetId: 't', reviewId: b };
        const id = await record('review.thing', target);
        await seal();
        places[review].push((await leavesOf(ours)).find((leaf) => leaf.id === id)?.position ?? -1);
      }
    }
    for (const [reviewId, positions] of [[a, places.a] as const, [b, places.b] as const]) {
      for (const [index, position] of positions.entries()) {
        const leaf = (await leavesOf(ours))[position] as Leaf;
        const [row] = await listSealableRows(ours, [leaf.id]);
        const place = { id: reviewId, number: index + 1, previous: positions[index - 1] ?? -1 };
        expect(row && hashLeaf(Buffer.from(makeLeaf(ours.tenantId, row, place)))).toEqual(leaf.hash);
      }
    }
  });

  it('is refused inside a transaction, where it would count its own events as seen', async () => {
    await expect(inTransaction(ours, (inside) => seal(inside))).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(inTransaction(ours, (inside) => sealLate(inside))).rejects.toMatchObject({ code: 'INTERNAL' });
    const own = await inTransaction(ours, async ({ db }) =>
      db.one<{ seen: boolean }>('SELECT pg_visible_in_snapshot(pg_current_xact_id(), pg_current_snapshot()) AS seen'),
    );
    expect(own.seen).toBe(false);
    // With another transaction begun since, the snapshot reaches past one's own id and takes it for seen.
    const later = await inTransaction(ours, async ({ db }) => {
      await db.run('SELECT pg_current_xact_id()', []);
      await record('tick');
      return db.one<{ seen: boolean }>('SELECT pg_visible_in_snapshot(pg_current_xact_id(), pg_current_snapshot()) AS seen');
    });
    expect(later.seen).toBe(true);
  });

  it('writes no event', async () => {
    await record('tick');
    await seal();
    const count = () => two.admin('SELECT count(*)::int AS count FROM events');
    const before = await count();
    await record('tick');
    await seal();
    expect((await count())[0]?.count).toBe((before[0]?.count as number) + 1);
    // Whatever transaction wrote a leaf wrote no event.
    expect(await two.admin('SELECT 1 FROM log_leaves l JOIN events e ON l.xmin = e.xact::xid LIMIT 1')).toEqual([]);
  });

  it('shows an event that commits late to a reader who goes on, even with an earlier id', async () => {
    const late = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const slow = inTransaction(ours, async (inside) => {
      await recordEvent(inside, { kind: 'early.id' });
      written.resolve();
      await late.promise;
    });
    await written.promise;
    const last = await record('late.id');
    const seen = (await listEvents(ours, everything, undefined, 10_000)).events;
    expect(seen.at(-1)?.id).toBe(last);
    late.resolve();
    await slow;
    const next = (await listEvents(ours, { ...everything, sinceEventUid: last }, undefined, 100)).events;
    expect(next.map(({ kind }) => kind)).toEqual(['early.id']);
    expect((next[0]?.id ?? '') < last).toBe(true);
    await checkLog(ours);
  });

  it('takes a large log in parts, each a transaction, and the rest is there at the end', async () => {
    await many(25);
    const seals = () => two.admin('SELECT size FROM log_seals WHERE tenant_id = $1 ORDER BY first_position', [ours.tenantId]);
    const before = (await seals()).length;
    expect(await seal(ours, 10)).toBe('sealed');
    expect((await seals()).slice(before).map(({ size }) => size)).toEqual([10, 10, 5]);
    await checkLog(ours);
    await many(25);
    expect(await sealLog(ours, { forMs: 0, waitsForLock: true, mostPerSeal: 10 })).toBe('more');
    expect(await seal(ours, 10)).toBe('sealed');
    await checkLog(ours);
  });

  it('waits for another seal as long as it is told to', async () => {
    await record('tick');
    const done = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const other = inTransaction(ours, async ({ db }) => {
      await db.rows("SELECT 1 FROM logs WHERE tenant_id = $1 AND state = 'OPEN' FOR UPDATE", [ours.tenantId]);
      locked.resolve();
      await done.promise;
    });
    await locked.promise;
    expect(await sealLog(ours, { forMs: 10_000, waitsForLock: false })).toBe('locked');
    expect(await sealLog(ours, { forMs: 60, waitsForLock: true })).toBe('locked');
    const waiting = seal();
    done.resolve();
    await other;
    expect(await waiting).toBe('sealed');
    await checkLog(ours);
  });
});

describe('where transaction ids cannot be trusted', () => {
  it('seals the events of releases before the log, in the order of their ids', async () => {
    const tenant = two.theirs.system;
    await two.admin('ALTER TABLE events DISABLE TRIGGER events_erased_only');
    await record('old', {}, tenant);
    await record('old', {}, tenant);
    await two.admin('UPDATE events SET seq = 0, xact = 3::text::xid8 WHERE tenant_id = $1', [tenant.tenantId]);
    await two.admin('ALTER TABLE events ENABLE TRIGGER events_erased_only');
    await two.admin('SET session_replication_role = replica');
    await two.admin('DELETE FROM log_leaves WHERE tenant_id = $1', [tenant.tenantId]);
    await two.admin('DELETE FROM log_seals WHERE tenant_id = $1', [tenant.tenantId]);
    await two.admin('DELETE FROM logs WHERE tenant_id = $1', [tenant.tenantId]);
    await two.admin('SET session_replication_role = origin');
    expect(await seal(tenant, 2)).toBe('sealed');
    const leaves = await checkLog(tenant);
    expect(leaves.map(({ id }) => id)).toEqual(leaves.map(({ id }) => id).sort());
  });

  it('finds everything after a restore into a cluster whose ids are behind', async () => {
    const before = await leavesOf(ours);
    // As in a dump: two events without a leaf, one of them of a transaction that was under way; the ids of another cluster.
    await record('restored');
    await record('restored');
    await two.admin('ALTER TABLE events DISABLE TRIGGER events_erased_only');
    await two.admin(`UPDATE events SET xact = '50001300' WHERE tenant_id = $1 AND kind = 'restored'`, [ours.tenantId]);
    await two.admin('ALTER TABLE events ENABLE TRIGGER events_erased_only');
    await two.admin(`UPDATE logs SET snapshot = '50001200:50001301:50001300' WHERE tenant_id = $1`, [ours.tenantId]);
    await record('after.restore');
    expect(await seal()).toBe('sealed');
    const after = await checkLog(ours);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after).toHaveLength(before.length + 3);
    // From here on by the ids of this cluster.
    await record('tick');
    await seal();
    await checkLog(ours);
  });

  it('and into one whose ids are ahead', async () => {
    await record('restored');
    await two.admin(`UPDATE logs SET snapshot = '3:4:3' WHERE tenant_id = $1`, [ours.tenantId]);
    await record('after.restore');
    expect(await seal()).toBe('sealed');
    await checkLog(ours);
  });

  it('seals late what came in past the service, and says so in an event', async () => {
    await seal();
    const id = await record('from.elsewhere');
    await two.admin('ALTER TABLE events DISABLE TRIGGER events_erased_only');
    await two.admin(`UPDATE events SET xact = '3' WHERE tenant_id = $1 AND id = $2`, [ours.tenantId, id]);
    await two.admin('ALTER TABLE events ENABLE TRIGGER events_erased_only');
    await seal();
    expect((await leavesOf(ours)).map((leaf) => leaf.id)).not.toContain(id);
    // A transaction that is still under way is not late.
    await inTransaction(ours, async (inside) => {
      await recordEvent(inside, { kind: 'under.way' });
      expect(await sealLate(ours)).toBe(1);
    });
    expect(await sealLate(ours)).toBe(0);
    const { events } = await listEvents(ours, everything, undefined, 10_000);
    const [late, told] = [events.find((event) => event.id === id), events.findLast((event) => event.kind === 'log.late')];
    expect(told?.data).toEqual({ count: 1, eventUids: [id], firstPosition: late?.position });
    await checkLog(ours);
  });
});

describe('what is in the log', () => {
  it.each([
    "UPDATE log_leaves SET event_id = ''",
    'DELETE FROM log_leaves',
    'TRUNCATE log_nodes',
    'DELETE FROM log_nodes',
    "UPDATE log_seals SET sealed_at = '2026-01-01'",
    'DELETE FROM log_seals',
  ])('is never changed: %s', async (statement) => {
    await expect(ours.db.run(statement, [])).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('only loses its content by an erasure that keeps the commitment', async () => {
    const id = await record('to.erase', { data: { name: 'Ada' } });
    const erase = (set: string) => ours.db.run(`UPDATE events SET ${set} WHERE tenant_id = $1 AND id = $2`, [ours.tenantId, id]);
    const rest = "data = '{}', source_ip = '', salt = NULL, erased_at = now()";
    await expect(erase(rest)).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(erase(`${rest}, content_hash = sha256(''), kind = 'other'`)).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(erase("data = '{}'")).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await erase(`${rest}, content_hash = sha256('')`)).toBe(1);
    await expect(erase(`${rest}, content_hash = sha256('')`)).rejects.toMatchObject({ code: 'INTERNAL' });
    await seal();
    await checkLog(ours);
  });
});
