/** Cost of listing a page of many deliveries: a few pages of an index, however many there are. */
import { expect, it } from 'vitest';
import { useDeliveries } from '../../../test/support/deliveries.ts';
import { buffersOf, nodesOf, type PlanNode, watchPlans } from '../../../test/support/plans.ts';
import { listDeliveries } from './store.ts';

const deliveries = useDeliveries();

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
  await test.admin('VACUUM ANALYZE deliveries');
  const own = watchPlans(deliveries.context('one'));
  for (const filter of [{}, { state: 'DEAD' as const }, { kind: 'mail' }, { kind: 'mail', state: 'DEAD' as const }]) {
    expect((await listDeliveries(own.context, filter, 'id15000', 26)).length).toBe(26);
  }
  expect(scanned(own.plans)).toEqual([]);
  expect(Math.max(...own.plans.map((plan) => buffersOf([plan])))).toBeLessThan(300);
});
