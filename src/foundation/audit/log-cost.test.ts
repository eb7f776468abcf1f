/** Cost of reading and sealing a long log: pages of an index, however long it is. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buffersOf, nodesOf, type PlanNode, planOf, watchPlans } from '../../../test/support/plans.ts';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import type { Context } from '../../context.ts';
import type { Sql } from '../../lib/sql.ts';
import { findUnsealed } from './find-unsealed.ts';
import { listEvents } from './list-events.ts';
import { recordOccurrence } from '../../../test/support/any-event.ts';
import { sealLog } from './seal.ts';
import { findLog, type LogRow } from './store-log.ts';

const count = 20_000;
let two: TwoTenants;
let ours: Context;

beforeAll(async () => {
  two = await useTwoTenants();
  ours = two.ours.system;
  await two.admin(
    `INSERT INTO events (tenant_id, id, occurred_at, kind, actor_kind, data)
     SELECT $1, lpad(n::text, 27, '0'), $2::timestamptz, 'tick', 'system', jsonb_build_object('n', n) FROM generate_series(1, ${count}) AS n`,
    [ours.tenantId, ours.now],
  );
  expect(await sealLog(ours, { forMs: 60_000, waitsForLock: true })).toBe('sealed');
  await two.admin('ANALYZE events, log_leaves, log_seals');
}, 240_000);
afterAll(() => two.close());

/** Checks that no step reads a whole table, and the pages it all took. */
function checkPlans(plans: readonly PlanNode[], mostBuffers: number): void {
  expect(plans.length).toBeGreaterThan(0);
  const scanned = plans
    .flatMap(nodesOf)
    .filter((node) => node['Node Type'] === 'Seq Scan' && /^(events|log_leaves)$/.test(node['Relation Name'] ?? ''));
  expect(scanned).toEqual([]);
  expect(buffersOf(plans)).toBeLessThan(mostBuffers);
}

it.each([
  ['a page from the middle', { descending: false }, String(count / 2)],
  ['the newest page', { descending: true }, undefined],
  ['a page behind an event', { descending: false, sinceEventUid: String(count / 2).padStart(27, '0') }, undefined],
])('%s reads as many rows as it has', async (_what, query, after) => {
  const { context, plans } = watchPlans(ours);
  const bounds = { since: undefined, until: undefined, sinceEventUid: '', untilEventUid: '', ...query };
  expect((await listEvents(context, bounds, after, 101)).events).toHaveLength(101);
  checkPlans(plans, 101 * 6);
});

it('what is new is found by two lookups', async () => {
  const id = await recordOccurrence(ours, { kind: 'new' });
  const plans: PlanNode[] = [];
  const one = async <T>(sql: Sql | string, values?: readonly unknown[]): Promise<T> => {
    plans.push(await planOf(ours, sql, values));
    return ours.db.one<T>(sql, values);
  };
  const log = (await findLog(ours)) as LogRow;
  const [, xmax = ''] = (log.snapshot ?? '').split(':');
  const snapshot = `${Number(xmax) - 1}:${xmax}:${Number(xmax) - 1}`;
  const found = await findUnsealed({ ...ours, db: { ...ours.db, one } }, { ...log, snapshot }, 50_000);
  expect(found).toMatchObject({ ids: [id], readsAll: false });
  checkPlans(plans, 60);
});
