/** Searching values at 50,000 people: every page is read from an index, in its order, and stops after it. Two tenants are loaded. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodesOf, planOf } from '../../../../test/support/plans.ts';
import { useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { setProfileAttribute } from '../../../inventory/identity/set-profile-attribute.ts';
import { getPeopleStatementSql, listMatches, type ValueFilter } from './store-values.ts';

const people = 50_000;

describe('searching profile values', () => {
  let two: TwoTenants;
  beforeAll(async () => {
    two = await useTwoTenants();
    for (const tenant of [two.ours, two.theirs]) {
      await setProfileAttribute(tenant.system, 'USER', 'level', 'NUMBER');
      await setProfileAttribute(tenant.system, 'USER', 'site', 'TEXT');
      await tenant.system.db.run(
        `INSERT INTO users (tenant_id, id, email, email_key, display_name, profile, created_at, updated_at)
         SELECT $1, lpad(n::text, 27, '0'), n || '@x.example', n || '@x.example', 'Person ' || n,
           jsonb_build_object('level', n % 1000, 'site', 'Site ' || n % 20, 'other', 'x'), $3, $3 FROM generate_series(1, $2::int) n`,
        [tenant.tenant.id, tenant === two.ours ? people : 5000, tenant.system.now],
      );
    }
    await two.admin('ANALYZE users');
    await two.admin('ANALYZE profile_values');
  });
  afterAll(() => two.close());

  const filter = (more: Partial<ValueFilter>): ValueFilter => ({
    subject: 'USER',
    name: 'level',
    isNumber: true,
    oneOf: undefined,
    from: undefined,
    to: undefined,
    ...more,
  });
  const cases: [string, Partial<ValueFilter>, number][] = [
    ['a value that few have', { oneOf: [7] }, 50],
    ['a text that many have', { name: 'site', isNumber: false, oneOf: ['site 3'] }, 2500],
    ['many values', { oneOf: Array.from({ length: 100 }, (_, n) => n) }, 5000],
    ['a range of all', { from: 0 }, people],
    ['a narrow range', { from: 998.5, to: 1000 }, 50],
    ['nothing', { name: 'site', isNumber: false, oneOf: ['nowhere'] }, 0],
  ];

  it('is kept by the rows themselves, and only for attributes with a type', async () => {
    const rows = await two.ours.system.db.rows(
      'SELECT name, count(*) AS count FROM profile_values WHERE tenant_id = $1 GROUP BY name ORDER BY name',
      [two.ours.tenant.id],
    );
    expect(rows).toEqual([
      { name: 'level', count: people },
      { name: 'site', count: people },
    ]);
  });

  it.each(cases)('reads a page of %s in the order of an index', async (_what, more, total) => {
    const context = two.ours.basic;
    const first = await listMatches(context, filter(more), undefined, 100);
    expect(first).toHaveLength(Math.min(100, total));
    const last = first.at(-1);
    for (const after of [undefined, last && ([last.key, last.id] as const)]) {
      const nodes = nodesOf(await planOf(context, getPeopleStatementSql(context.tenantId, filter(more), after, 100)));
      const read = nodes.filter((node) => node['Relation Name'] === 'profile_values');
      expect(read.length).toBeGreaterThan(0);
      for (const node of read) {
        expect(node['Node Type']).toMatch(/^Index (Only )?Scan$/);
        // 100 rows for each value asked for, and none read without a result.
        expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(100 * (more.oneOf?.length ?? 1));
        expect(node['Rows Removed by Filter'] ?? 0).toBe(0);
      }
      expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    }
  });

  it('goes through all pages of a value, each person once', async () => {
    const context = two.ours.basic;
    const seen: string[] = [];
    let after: readonly [string, string] | undefined;
    for (;;) {
      const page = await listMatches(context, filter({ name: 'site', isNumber: false, oneOf: ['Site 3', 'SITE 4'] }), after, 1000);
      seen.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (page.length < 1000 || last === undefined) {
        break;
      }
      after = [last.key, last.id];
    }
    expect(seen).toHaveLength(5000);
    expect(new Set(seen).size).toBe(5000);
  });

  it('goes through all pages of accounts past those of apps that are gone', async () => {
    const { system, tenant, basic: context } = two.ours;
    await setProfileAttribute(system, 'ACCOUNT', 'seat', 'TEXT');
    const now = system.now;
    await system.db.run(
      `INSERT INTO apps (tenant_id, id, display_name, name_key, created_at, updated_at, deleted_at)
       VALUES ($1, 'here', 'Here', 'here', $2, $2, NULL), ($1, 'gone', 'Gone', 'gone', $2, $2, $2)`,
      [tenant.id, now],
    );
    // Of each five one is in the app that is there; the last ten are all in the other.
    await system.db.run(
      `INSERT INTO accounts (tenant_id, app_id, id, external_id, display_name, profile, created_at, updated_at)
       SELECT $1, CASE WHEN n % 5 = 0 AND n <= 30 THEN 'here' ELSE 'gone' END, 'account' || lpad(n::text, 2, '0'), n::text, 'Account ' || n,
         '{"seat": "window"}', $2, $2 FROM generate_series(1, 40) n`,
      [tenant.id, now],
    );
    const seats = filter({ subject: 'ACCOUNT', name: 'seat', isNumber: false, oneOf: ['Window'] });
    const wanted = ['05', '10', '15', '20', '25', '30'].map((n) => `account${n}`);
    const first = await listMatches(context, seats, undefined, 4);
    expect(first.map(({ id, appId, displayName, value }) => ({ id, appId, displayName, value }))).toEqual(
      wanted.slice(0, 4).map((id) => ({ id, appId: 'here', displayName: `Account ${Number(id.slice(7))}`, value: 'window' })),
    );
    const last = first.at(-1);
    const second = await listMatches(context, seats, last && [last.key, last.id], 4);
    expect(second.map(({ id }) => id)).toEqual(wanted.slice(4));
    expect((await listMatches(context, seats, undefined, 100)).map(({ id }) => id)).toEqual(wanted);
  });
});
