/** Searching people at 50,000: what few have is found through an index, whichever filter asks for it, and beside another tenant's people. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../lib/sql.ts';
import { genericPlanOf, nodesOf, type PlanNode, watchPlans } from '../../../test/support/plans.ts';
import { openTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import type { Context } from '../../context.ts';
import { listUsers, type UserFilter, type UserOrder } from './store-search.ts';

const people = 50_000;
/** A page of 100 costs no more rows than this, wherever they are passed over. */
const mostPassedOver = 5000;

const idOf = (number: number): string => String(number).padStart(27, '0');

describe('searching people', () => {
  let two: TwoTenants;
  beforeAll(async () => {
    two = await openTwoTenants();
    for (const { system } of [two.ours, two.theirs]) {
      const values = [system.tenantId, system === two.ours.system ? people : 5000, system.now];
      await system.db.run(
        `INSERT INTO users (tenant_id, id, email, email_key, display_name, department, job_title, status, manager_id, source, created_at, updated_at)
         SELECT $1, lpad(n::text, 27, '0'), n || '@x.example', n || '@x.example', 'Person ' || n,
           CASE WHEN n <= 20 THEN 'Board' ELSE 'Department ' || n % 40 END, CASE WHEN n <= 20 THEN 'Chair' ELSE 'Title ' || n % 300 END,
           CASE WHEN n % 500 = 0 THEN 'DISABLED' ELSE 'ENABLED' END, CASE WHEN n > 10 THEN lpad((n / 10)::text, 27, '0') END, 'people', $3, $3
         FROM generate_series(1, $2::int) AS n`,
        values,
      );
      await system.db.run(
        `INSERT INTO delegations (tenant_id, user_id, delegated_user_id, created_at, updated_at)
         SELECT $1, lpad(n::text, 27, '0'), lpad((n + 1)::text, 27, '0'), $2, $2 FROM generate_series(900, 4900, 100) AS n`,
        [system.tenantId, system.now],
      );
    }
    await two.admin('ANALYZE users, delegations, user_roles');
  }, 240_000);
  afterAll(() => two.close());

  /** The page, and how it was found. */
  async function explain(filter: UserFilter, order: UserOrder = 'ID'): Promise<{ ids: string[]; nodes: PlanNode[] }> {
    const { system } = two.ours;
    const { context: watched, plans } = watchPlans(system);
    const found = await listUsers(watched, filter, { order, after: undefined, limit: 101 });
    return { ids: found.map((row) => row.id), nodes: plans.flatMap(nodesOf) };
  }

  const rare: [string, UserFilter, number][] = [
    ['a department of few', { departments: ['Board'] }, 20],
    ['a department of nobody', { departments: ['Nowhere'] }, 0],
    ['a title of few', { jobTitles: ['Chair', 'Nothing'] }, 20],
    ['a title of nobody', { jobTitles: ['Nothing'] }, 0],
    ['reports of one manager', { managerIds: [idOf(77)] }, 10],
    ['reports of nobody', { managerIds: ['nobody'] }, 0],
    ['an address', { email: '4711@x.example' }, 1],
    ['ids', { ids: [idOf(5), idOf(6), 'nobody'] }, 2],
    ['disabled people', { statuses: ['DISABLED'] }, 100],
    ['deleted people', { statuses: ['DELETED'] }, 0],
    ['disabled people of a department', { statuses: ['DISABLED'], departments: ['Department 20'] }, 50],
    ['people made by hand', { origins: ['LOCAL'] }, 2],
    ['all but those of sources', { excludeOrigins: ['DIRECTORY'] }, 2],
    ['programs', { origins: ['SYSTEM'] }, 0],
    ['all but humans', { excludeTypes: ['HUMAN'] }, 0],
    ['people with a delegate', { hasDelegate: true }, 41],
    ['people with one of these delegates', { delegatedUserIds: [idOf(1001)] }, 1],
    ['delegates', { isDelegate: true }, 41],
    ['holders of a role', { roleIds: ['000000000SuperAdministrator'] }, 1],
    ['people with an account in an app', { sourceAppIds: ['none'] }, 0],
  ];

  it.each(rare)('finds %s through an index', async (_name, filter, count) => {
    const { ids, nodes } = await explain(filter);
    expect(ids).toHaveLength(count);
    expect(ids).toEqual([...ids].sort());
    expect(nodes.filter((node) => node['Relation Name'] === 'users' && node['Node Type'] === 'Seq Scan')).toEqual([]);
    const passedOver = nodes.map((node) => (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops']);
    expect(Math.max(0, ...passedOver)).toBeLessThan(mostPassedOver);
  });

  /** The plan that holds for all values, which is used from the sixth time on; undefined where the server cannot show it. */
  async function explainGeneric(filter: UserFilter, order: UserOrder = 'ID'): Promise<string | undefined> {
    const { system } = two.ours;
    const { version } = await system.db.one<{ version: number }>(`SELECT current_setting('server_version_num')::int AS version`);
    if (version < 160_000) {
      return undefined;
    }
    const plans: string[] = [];
    const explaining: Context = {
      ...system,
      db: {
        ...system.db,
        async rows<T>(sql: Sql | string): Promise<T[]> {
          plans.push(await genericPlanOf(system, sql));
          return [];
        },
      },
    };
    await listUsers(explaining, filter, { order, after: undefined, limit: 101 });
    return plans.join('\n');
  }

  it.for(rare)('finds %s through an index, whatever the values are', async ([_name, filter], { skip }) => {
    const plan = await explainGeneric(filter);
    skip(plan === undefined, 'this version cannot show such plans');
    expect(plan).toMatch(/ Scan .*users/);
    expect(plan).not.toMatch(/Seq Scan on users/);
  });

  it.for<[string, UserFilter, string]>([
    ['a department', { departments: ['Department 7'] }, 'users_by_department'],
    ['a title', { jobTitles: ['Title 7'] }, 'users_by_job_title'],
    ['the reports of one', { managerIds: [idOf(77)] }, 'users_by_manager'],
  ])('reads %s in the order of its index, and no other', async ([_name, filter, index], { skip }) => {
    const plan = await explainGeneric(filter);
    skip(plan === undefined, 'this version cannot show such plans');
    expect(plan).toContain(`Index Scan using ${index}`);
  });

  it.each<[string, UserFilter]>([
    ['everybody', {}],
    ['a large department', { departments: ['Department 7'] }],
    ['enabled people', { statuses: ['ENABLED'] }],
    ['people without a delegate', { lacksDelegate: true }],
    ['people of sources', { origins: ['DIRECTORY'] }],
    ['all but one', { excludeIds: [idOf(1)] }],
    ['people without programs', { excludeTypes: ['SERVICE'] }],
  ])('stops after the first page of %s, by id and by name', async (_name, filter) => {
    for (const order of ['ID', 'NAME'] as const) {
      const { ids, nodes } = await explain(filter, order);
      expect(ids).toHaveLength(101);
      const scanned = nodes.filter((node) => node['Relation Name'] === 'users' && node['Node Type'] === 'Seq Scan');
      expect(scanned).toEqual([]);
      expect(Math.max(0, ...nodes.map((node) => node['Rows Removed by Filter'] ?? 0))).toBeLessThan(mostPassedOver);
      // Nothing is sorted: the page is read in the order of its index.
      expect(order === 'NAME' && nodes.some((node) => node['Node Type'] === 'Sort' && node['Actual Rows'] > 1000)).toBe(false);
    }
  });

  it('goes on by name within the index, wherever it is', async ({ skip }) => {
    const { system } = two.ours;
    const { context: watched, plans } = watchPlans(system);
    const found = await listUsers(watched, {}, { order: 'NAME', after: ['person 000047500', idOf(47_500)], limit: 101 });
    expect(found.map(({ displayName }) => displayName).slice(0, 2)).toEqual(['Person 47501', 'Person 47502']);
    expect(Math.max(0, ...plans.flatMap(nodesOf).map((node) => node['Rows Removed by Filter'] ?? 0))).toBeLessThan(mostPassedOver);
    const plan = await explainGeneric({}, 'NAME');
    skip(plan === undefined, 'this version cannot show such plans');
    expect(plan).toContain('Index Scan using users_by_list_key');
  });

  it.for(rare)('finds %s by name through an index, too', async ([_name, filter, count]) => {
    const { ids, nodes } = await explain(filter, 'NAME');
    expect(ids).toHaveLength(count);
    expect(nodes.filter((node) => node['Relation Name'] === 'users' && node['Node Type'] === 'Seq Scan')).toEqual([]);
  });
});
