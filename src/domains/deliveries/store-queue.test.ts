/** What taking a delivery and listing a page read of a long queue: a few pages of an index each, however much waits. */
import { expect, it } from 'vitest';
import { useDeliveries } from '../../../test/support/deliveries.ts';
import { buffersOf, nodesOf, type PlanNode, watchPlans } from '../../../test/support/plans.ts';
import { listDeliveries } from './store.ts';
import { findDueDelivery, listDueTenants, updateLeased } from './store-queue.ts';

const deliveries = useDeliveries();
const kinds = ['mail', 'webhook'];

/** The tables that were read from end to end. */
const scanned = (plans: readonly PlanNode[]): (string | undefined)[] =>
  plans
    .flatMap(nodesOf)
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name']);

it('reads by indexes alone', async () => {
  const { test } = deliveries;
  await test.admin(
    `INSERT INTO deliveries (tenant_id, id, kind, subject_id, idempotency_key, state, created_at, updated_at)
     SELECT CASE WHEN n % 2 = 0 THEN 'one' ELSE 'tenant ' || n % 100 END, 'id' || lpad(n::text, 5, '0'), CASE WHEN n % 3 = 0 THEN 'mail' ELSE 'webhook' END,
       '', 'key ' || n, CASE WHEN n % 5 = 0 THEN 'DEAD' ELSE 'WAITING' END, now(), now()
     FROM generate_series(1, 20000) n`,
  );
  await test.admin(
    `INSERT INTO delivery_queue (tenant_id, delivery_id, kind, run_at, due_since)
     SELECT tenant_id, id, kind, CASE WHEN state = 'WAITING' THEN now() - interval '1 hour' END, now() FROM deliveries`,
  );
  await test.admin('VACUUM ANALYZE deliveries');
  await test.admin('VACUUM ANALYZE delivery_queue');
  const now = new Date();
  const { context, plans } = watchPlans({ ...deliveries.context(), db: test.database.system() });
  expect(await findDueDelivery(context.db, kinds, now)).toBe(true);
  const tenantIds = await listDueTenants(context.db, kinds, now, 'one', 8);
  expect(tenantIds.length).toBe(8);
  const room = { slots: 8, kinds: kinds.map((kind) => ({ kind, slots: 8 })), busy: new Map(), slotsPerTenant: 6 };
  const leases = await updateLeased(context.db, room, { tenantIds, token: 'token', now, until: new Date(now.getTime() + 60_000) });
  // EXPLAIN has taken one of each tenant before; these are the second.
  expect(leases.map(({ tenantId }) => tenantId).sort()).toEqual(tenantIds.toSorted());
  const own = watchPlans(deliveries.context('one'));
  for (const filter of [{}, { state: 'DEAD' as const }, { kind: 'mail' }, { kind: 'mail', state: 'DEAD' as const }]) {
    expect((await listDeliveries(own.context, filter, 'id15000', 26)).length).toBe(26);
  }
  expect(scanned([...plans, ...own.plans])).toEqual([]);
  expect(Math.max(...plans.map((plan) => buffersOf([plan])))).toBeLessThan(1000);
  expect(Math.max(...own.plans.map((plan) => buffersOf([plan])))).toBeLessThan(300);
});
