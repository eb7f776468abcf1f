/** Resources that nobody owns among 100,000, most of which somebody does: what a page reads, and that the count of owners is kept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { nodesOf, watchPlans } from '../../../test/support/plans.ts';
import { createApp } from './apps/create-app.ts';
import { insertOwners, removeOwners } from './record/store-owners.ts';
import { listResources } from './record/store-resources.ts';

const resources = 100_000;
const owned = 60_000;

describe('unowned resources', () => {
  let two: TwoTenants;
  let appId = '';
  const idOf = (number: number): string => `r${String(number).padStart(6, '0')}`;

  beforeAll(async () => {
    two = await openTwoTenants();
    for (const { admin, adminId, tenant } of [two.theirs, two.ours]) {
      appId = (await createApp(admin, { displayName: 'Large' }, [])).id;
      const share = tenant === two.ours.tenant ? 1 : 0.1;
      const values = [tenant.id, appId, admin.now, resources * share];
      await admin.db.run(
        `INSERT INTO resources (tenant_id, app_id, id, resource_type_id, external_id, display_name, created_at, updated_at)
         SELECT $1, $2, 'r' || lpad(n::text, 6, '0'), 't', n, 'Resource ' || n, $3, $3 FROM generate_series(1, $4) n`,
        values,
      );
      await admin.db.run(
        `INSERT INTO resource_owners (tenant_id, app_id, resource_id, user_id, created_at)
         SELECT $1, $2, 'r' || lpad(n::text, 6, '0'), $5, $3 FROM generate_series(1, $4) n`,
        [tenant.id, appId, admin.now, owned * share, adminId],
      );
    }
    await two.admin('ANALYZE resources');
  }, 240_000);
  afterAll(() => two.close());

  it.each<[string, { inApp?: boolean; resourceTypeIds?: string[] }]>([
    ['of the tenant', {}],
    ['of an app', { inApp: true }],
    ['of a type', { resourceTypeIds: ['t'] }],
  ])('are the first page, %s, without a look at those that are owned', async (_which, { inApp, ...more }) => {
    const { admin } = two.ours;
    const filter = { isUnowned: true as const, ...(inApp === true ? { appId } : {}), ...more };
    const expected = Array.from({ length: 100 }, (_, index) => idOf(owned + 1 + index));
    // From the sixth time on, a plan is kept.
    for (let time = 0; time < 12; time++) {
      const rows = await listResources(admin, filter, '', 100);
      expect(rows.map(({ id }) => id)).toEqual(expected);
    }
    const { context, plans } = watchPlans(admin);
    expect((await listResources(context, filter, '', 100)).map(({ id }) => id)).toEqual(expected);
    // Stepping over the owned ones, it would take up 60,000.
    const taken = plans
      .flatMap(nodesOf)
      .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);
    expect(Math.max(...taken)).toBeLessThan(1_000);
    const downwards = await listResources(admin, filter, idOf(owned + 3), 100, true);
    expect(downwards.map(({ id }) => id)).toEqual([idOf(owned + 2), idOf(owned + 1)]);
  });

  it('begin and cease to be so with their owners', async () => {
    const { admin, adminId, basicId } = two.ours;
    const id = idOf(owned + 1);
    const first = async (): Promise<string | undefined> => (await listResources(admin, { appId, isUnowned: true }, '', 1))[0]?.id;
    await insertOwners(admin, { kind: 'resource', appId, id }, [adminId, basicId, adminId]);
    await insertOwners(admin, { kind: 'resource', appId, id }, [adminId]);
    expect(await first()).toBe(idOf(owned + 2));
    await removeOwners(admin, { kind: 'resource', appId, id }, [adminId]);
    expect(await first()).toBe(idOf(owned + 2));
    await removeOwners(admin, { kind: 'resource', appId, id }, [adminId, basicId]);
    expect(await first()).toBe(id);
    // Two at the same time.
    await Promise.all([
      insertOwners(admin, { kind: 'resource', appId, id }, [adminId]),
      insertOwners(admin, { kind: 'resource', appId, id }, [basicId]),
    ]);
    await removeOwners(admin, { kind: 'resource', appId, id }, [adminId]);
    expect(await first()).toBe(idOf(owned + 2));
    await removeOwners(admin, { kind: 'resource', appId, id }, [basicId]);
    expect(await first()).toBe(id);
  });
});
