/**
 * Cost of looking into a queue with a long history, in which a burst of effects waits: a few pages of an index each, whatever else is in the table, and
 * whatever the planner believes.
 */
import { describe, expect, it } from 'vitest';
import { buffersOf, nodesOf, type PlanNode, planOf } from '../../test/support/plans.ts';
import { useQueue } from '../../test/support/queue.ts';
import { type Context, noReactions, silentLogger, systemActor } from '../context.ts';
import type { Db } from '../db/types.ts';
import { countJobs, listEffectPlaces } from './index.ts';
import { lockNextJob, updateFutures } from './store.ts';
import { findDueWork, insertCalledJobs } from './store-calls.ts';
import { findDueEffect, listDueTenants, updateLeased } from './store-effects.ts';

const queue = useQueue();
const effectKinds = ['mail', 'webhook'];
const kinds = ['look', 'count'];

/** Fills the queue: 100,000 that ended, 20,000 effects that are due in 51 tenants, 2,000 calls that sleep, 40 that are due, and one job. */
async function fill(): Promise<void> {
  const { test } = queue;
  // On a busy machine PostgreSQL itself would come by and analyze what is half there.
  await test.admin('ALTER TABLE jobs SET (autovacuum_enabled = false)');
  await test.admin('DELETE FROM jobs');
  const rows = (values: string, count: number): Promise<unknown> =>
    test.admin(`INSERT INTO jobs (id, tenant_id, lane, kind, subject_id, state, run_at, due_since, created_at, updated_at)
      SELECT ${values}, now(), now() FROM generate_series(1, ${count}) n`);
  const past = "now() - interval '1 hour'";
  await rows(
    `'done' || n, 'tenant ' || n % 50, 'INSIDE', 'look', 's' || n % 5000, CASE n % 200 WHEN 0 THEN 'FAILED' ELSE 'DONE' END, ${past}, NULL`,
    100_000,
  );
  await rows(
    `'effect' || lpad(n::text, 5, '0'), CASE WHEN n % 2 = 0 THEN 'one' ELSE 'tenant ' || n % 100 END, 'OUTSIDE',
     CASE WHEN n % 3 = 0 THEN 'mail' ELSE 'webhook' END, 'effect' || n, 'WAITING', ${past}, ${past}`,
    20_000,
  );
  await rows(`'sleeps' || n, 'tenant ' || n % 50, 'INSIDE', 'look', 's' || n, 'CALLED', now() + interval '1 day', NULL`, 2000);
  await rows(`'called' || n, 'tenant ' || n, 'INSIDE', 'look', 'called', 'CALLED', ${past}, NULL`, 40);
  await rows(`'job' || n, 'tenant 1', 'INSIDE', 'count', 'job', 'WAITING', ${past}, NULL`, 1);
}

const now = new Date();
const context = (): Context => ({ db: queue.db, tenantId: 'one', actor: systemActor('test'), now, log: silentLogger, react: noReactions });

/** The queue's connection, which notes the plan of each statement and answers it as ever. */
function watch(): { db: Db; plans: PlanNode[] } {
  const plans: PlanNode[] = [];
  const noted =
    <R>(ask: (sql: string, values?: readonly unknown[]) => Promise<R>) =>
    async (sql: string, values?: readonly unknown[]): Promise<R> => {
      plans.push(await planOf(context(), sql, values));
      return ask(sql, values);
    };
  const { rows, one, maybe, run } = queue.db;
  return { db: { ...queue.db, rows: noted(rows), one: noted(one), maybe: noted(maybe), run: noted(run) } as Db, plans };
}

describe.each(['before it was analyzed', 'once it was analyzed'])('the queue, %s,', (when) => {
  it('is looked into by indexes alone', async () => {
    await fill();
    await queue.test.admin(when.startsWith('once') ? 'VACUUM ANALYZE jobs' : 'VACUUM jobs');
    const { db, plans } = watch();
    expect(await findDueWork(db, kinds, now)).toEqual({ hasJob: true, hasCall: true });
    expect(await findDueWork(db, ['none'], now)).toEqual({ hasJob: false, hasCall: false });
    expect(await lockNextJob(db, kinds, now)).toMatchObject({ id: 'job1' });
    expect(await findDueEffect(db, effectKinds, now)).toBe(true);
    const tenantIds = await listDueTenants(db, effectKinds, now, 'one', 8);
    expect(tenantIds.length).toBe(8);
    const room = { slots: 8, kinds: effectKinds.map((kind) => ({ kind, slots: 8 })), busy: new Map(), slotsPerTenant: 6 };
    const leases = await updateLeased(db, room, { tenantIds, token: 'token', now, until: new Date(now.getTime() + 60_000) });
    // EXPLAIN has taken one of each tenant before; these are the second.
    expect(leases.map(({ tenantId }) => tenantId).sort()).toEqual(tenantIds.toSorted());
    expect((await listEffectPlaces(db, 'one', ['effect00002', 'effect00004'], now)).size).toBe(2);
    expect(await updateFutures(db, now, 3_600_000)).toBe(0);
    expect(Math.max(...plans.map((plan) => buffersOf([plan])))).toBeLessThan(1000);
    // Calls and failures are looked at, never jobs that are done.
    expect(await countJobs(db, 'INSIDE', now, now)).toMatchObject({ waiting: 1, failed: 500, late: 41 });
    // EXPLAIN makes jobs of them.
    await insertCalledJobs(db, kinds, 'prefix', now);
    expect(await countJobs(db, 'INSIDE', now, now)).toMatchObject({ waiting: 41 });
    const scans = plans.flatMap(nodesOf).filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'jobs');
    expect(scans).toEqual([]);
  });
});
