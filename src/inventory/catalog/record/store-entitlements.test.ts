/** The search for entitlements as the production role sees it, two tenants loaded: what each filter reads, and that it never reads all grants. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../../test/support/database.ts';
import { makeTenant, openFixture, type TestTenant } from '../../../../test/support/inventory.ts';
import { nodesOf, type PlanNode, watchPlans } from '../../../../test/support/plans.ts';
import { type EntitlementFilter, listEntitlements } from './store-entitlements.ts';

const entitlements = 2000;
const accounts = 2000;
const grantsEach = 40;

const id = (kind: string, number: number | string): string => `${kind}${String(number).padStart(26, '0')}`;
const app = id('p', 1);

describe('listEntitlements', () => {
  let test: TestDatabase;
  let ours: TestTenant;

  /** Every tenth grant of account 7 ends some day, and nobody else's. */
  async function fill(tenantId: string): Promise<void> {
    await test.admin(
      `INSERT INTO apps (tenant_id, id, display_name, name_key, created_at, updated_at) VALUES ($1, $2, 'A', 'a', now(), now())`,
      [tenantId, app],
    );
    await test.admin(
      `INSERT INTO entitlements (tenant_id, app_id, id, resource_type_id, resource_id, external_id, display_name, alias, risk_level_value_id,
         compliance_framework_value_ids, created_at, updated_at)
       SELECT $1, $2, 'e' || lpad(n::text, 26, '0'), 't' || n % 5, 'r' || n % 100, 'e' || n, 'Entitlement ' || n,
         CASE WHEN n % 100 = 0 THEN 'alias-' || n ELSE '' END, CASE WHEN n % 50 = 0 THEN 'high' ELSE '' END,
         CASE WHEN n % 40 = 0 THEN '{sox,pci}'::text[] ELSE '{}' END, now(), now()
       FROM generate_series(1, ${entitlements}) n`,
      [tenantId, app],
    );
    await test.admin(
      `INSERT INTO accounts (tenant_id, app_id, id, external_id, created_at, updated_at)
       SELECT $1, $2, 'c' || lpad(n::text, 26, '0'), 'c' || n, now(), now() FROM generate_series(1, ${accounts}) n`,
      [tenantId, app],
    );
    await test.admin(
      `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, deprovision_at, created_at, updated_at)
       SELECT $1, $2, 'e' || lpad(((n * 53 + g * 47) % ${entitlements} + 1)::text, 26, '0'), 'c' || lpad(n::text, 26, '0'), 1,
         CASE WHEN n = 7 AND g % 10 = 0 THEN timestamptz '2099-01-01' END, now(), now()
       FROM generate_series(1, ${accounts}) n, generate_series(1, ${grantsEach}) g`,
      [tenantId, app],
    );
  }

  beforeAll(async () => {
    test = await openFixture();
    ours = makeTenant(test);
    await fill(ours.tenantId);
    await fill(makeTenant(test).tenantId);
    await test.admin('ANALYZE');
  });
  afterAll(() => test.close());

  /** Lists what is found, and the plan of how. */
  async function run(filter: EntitlementFilter): Promise<{ numbers: number[]; nodes: PlanNode[] }> {
    const { context, plans } = watchPlans(ours.context());
    const rows = await listEntitlements(context, filter, '', 101);
    return { numbers: rows.map((row) => Number(row.id.slice(1))), nodes: plans.flatMap(nodesOf) };
  }

  const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
  const every = (step: number): number[] =>
    upTo(entitlements)
      .filter((n) => n % step === 0)
      .slice(0, 101);
  const heldBy = (account: number, pick: (g: number) => boolean = () => true): number[] =>
    upTo(grantsEach)
      .filter(pick)
      .map((g) => ((account * 53 + g * 47) % entitlements) + 1)
      .sort((a, b) => a - b);

  it.each<[string, EntitlementFilter, number[]]>([
    ['nothing', {}, upTo(101)],
    ['an account that holds them', { accountIds: [id('c', 3)] }, heldBy(3)],
    ['an app and an account', { appId: app, accountIds: [id('c', 4)] }, heldBy(4)],
    [
      'an account that does not hold them',
      { excludeAccountIds: [id('c', 3)] },
      upTo(200)
        .filter((n) => !heldBy(3).includes(n))
        .slice(0, 101),
    ],
    ['an end', { isExpiring: true }, heldBy(7, (g) => g % 10 === 0)],
    ['an end for one account', { expiringFor: [id('c', 7)] }, heldBy(7, (g) => g % 10 === 0)],
    ['an end for another', { expiringFor: [id('c', 8)] }, []],
    ['a risk level', { riskLevelIds: ['high', 'other'] }, every(50)],
    ['frameworks', { frameworkIds: ['sox'] }, every(40)],
    ['an alias', { alias: 'alias-700' }, [700]],
    ['no alias of that name', { alias: 'alias-7' }, []],
    ['a whole name', { displayName: 'Entitlement 700' }, [700]],
    ['a name in another case', { displayName: 'entitlement 700' }, []],
    ['two things at once', { riskLevelIds: ['high'], frameworkIds: ['pci'] }, every(200)],
    ['a purpose', { purposes: ['OWNERSHIP'] }, []],
  ])('finds by %s without reading all grants', async (_name, filter, expected) => {
    const { numbers, nodes } = await run(filter);
    expect(numbers).toEqual(expected);
    expect(nodes.filter((node) => node['Relation Name'] === 'grants').map((node) => node['Node Type'])).not.toContain('Seq Scan');
  });

  it.each<[string, EntitlementFilter, string]>([
    ['an alias', { alias: 'alias-700' }, 'entitlements_by_alias'],
    ['a name', { displayName: 'Entitlement 700' }, 'entitlements_by_name'],
    ['a name that nothing has', { displayName: 'Entitlement', appIds: [app] }, 'entitlements_by_name'],
  ])('finds %s by its index', async (_name, filter, index) => {
    const { nodes } = await run(filter);
    const scans = nodes.filter((node) => node['Relation Name'] === 'entitlements');
    expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    expect(JSON.stringify(scans)).toContain(index);
  });

  it('shows nothing of another tenant', async () => {
    const stranger = makeTenant(test);
    expect(await listEntitlements(stranger.context(), { appIds: [app] }, '', 10)).toEqual([]);
  });
});
