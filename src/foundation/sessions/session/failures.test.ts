/** Refused sign-ins in the log: each by itself up to the limits, then one a minute that counts the others. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { createRates, rates } from '../../rates/index.ts';
import { createSignInFailures } from './failures.ts';

let two: TwoTenants;
beforeAll(async () => {
  two = await openTwoTenants();
});
afterAll(() => two.close());

it('tells of each, then of all there were meanwhile', async () => {
  let now = Date.parse('2026-06-01T08:00:00Z');
  const tenantId = two.ours.tenant.id;
  const counters = createRates(two.database, () => now);
  const failures = createSignInFailures(counters);
  const fail = (userId = ''): Promise<number> =>
    failures.fail({ ...two.ours.admin, now: new Date(now) }, { how: 'link', why: 'spent', userId });
  const told = async (): Promise<unknown[]> =>
    (
      await two.admin(
        `SELECT target_type AS on, data ->> 'count' AS count FROM events WHERE tenant_id = $1 AND kind = 'session.refused' ORDER BY id`,
        [tenantId],
      )
    ).map(({ on, count }) => [on, count]);
  await counters.count(tenantId, rates.failureEventsOfDay, '', rates.failureEventsOfDay.most - 1);
  await fail(two.ours.basicId);
  const first = [['user', null]];
  expect(await told()).toEqual(first);
  for (let count = 0; count < 50; count++) {
    expect(await fail()).toBe(0);
  }
  const second = [...first, ['tenant', null]];
  expect(await told()).toEqual(second);
  now += 61_000;
  await Promise.all([fail(), fail()]);
  const counts = (await told()).slice(2);
  expect(counts).toHaveLength(1);
  now += 61_000;
  await fail();
  const all = (await told()).slice(1).map((one) => Number((one as unknown[])[1] ?? 1));
  expect(all.reduce((sum, one) => sum + one, 0)).toBe(53);
});
