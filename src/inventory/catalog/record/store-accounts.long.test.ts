/** Searching accounts among 40,000, most of which are alike: the few that are not are found through an index, in the order of ids. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodesOf, type PlanNode, watchPlans } from '../../../../test/support/plans.ts';
import { openTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import type { Context } from '../../../context.ts';
import { createApp } from '../apps/create-app.ts';
import { type AccountFilter, listAccounts } from './store-accounts.ts';

const accounts = 40_000;
const people = 20_000;
/** A page of 50 costs no more rows than this, wherever they are passed over. */
const mostPassedOver = 3000;

const idOf = (number: number): string => `a${String(number).padStart(26, '0')}`;

describe('searching accounts', () => {
  let two: TwoTenants;
  let appId = '';
  let smallId = '';
  beforeAll(async () => {
    two = await openTwoTenants();
    const { admin, tenant } = two.ours;
    appId = (await createApp(admin, { displayName: 'Large' }, [])).id;
    smallId = (await createApp(admin, { displayName: 'Small' }, [])).id;
    await admin.db.run(
      `INSERT INTO users (tenant_id, id, email, email_key, display_name, created_at, updated_at)
       SELECT $1, 'u' || lpad(n::text, 26, '0'), n || '@x.example', n || '@x.example', 'Person ' || n, $2, $2 FROM generate_series(1, $3) n`,
      [tenant.id, admin.now, people],
    );
    // Of every thousand: one without an owner, one disabled, one of a machine, and two of another domain; the last hundred are of a small app.
    await admin.db.run(
      `INSERT INTO accounts (tenant_id, app_id, id, external_id, display_name, email, user_id, account_type, status, created_at, updated_at)
       SELECT $1, CASE WHEN n > $4 - 100 THEN $5 ELSE $3 END, 'a' || lpad(n::text, 26, '0'), 'acct-' || n, 'Person ' || n,
         CASE WHEN n % 500 = 1 THEN n || '@elsewhere.example' WHEN n % 500 = 2 THEN '' ELSE n || '@x.example' END,
         CASE WHEN n % 1000 <> 3 THEN 'u' || lpad((1 + n % 20000)::text, 26, '0') END,
         CASE WHEN n % 1000 = 4 THEN 'SERVICE_ACCOUNT' ELSE 'USER' END, CASE WHEN n % 1000 = 5 THEN 'DISABLED' ELSE 'ENABLED' END, $2, $2
       FROM generate_series(1, $4) n`,
      [tenant.id, admin.now, appId, accounts, smallId],
    );
    await two.admin('ANALYZE users, accounts, apps, search_texts');
  }, 240_000);
  afterAll(() => two.close());

  const page = (context: Context, filter: AccountFilter, after = '') =>
    listAccounts(context, filter, { byApp: false, appId: '', id: after }, 50);

  /** The page, and how its statements were answered; from the sixth time on a plan is kept, so it is asked for more often. */
  async function explain(filter: AccountFilter): Promise<{ ids: string[]; isExternal: boolean[]; nodes: PlanNode[] }> {
    const { context: watched, plans } = watchPlans(two.ours.admin);
    let rows = await page(watched, filter);
    for (let time = 0; time < 7; time++) {
      rows = await page(watched, filter);
    }
    return { ids: rows.map(({ id }) => id), isExternal: rows.map((row) => row.isExternal), nodes: plans.flatMap(nodesOf) };
  }

  const every = (first: number, step: number, last = accounts): string[] =>
    Array.from({ length: Math.min(50, Math.ceil((last - first + 1) / step)) }, (_, index) => idOf(first + index * step));

  it.each<[string, AccountFilter, string[]]>([
    ['of another domain', { isExternal: true }, every(1, 500)],
    [
      'of a known domain',
      { isExternal: false },
      every(2, 1)
        .concat(idOf(52))
        .filter((id) => id !== idOf(1))
        .slice(0, 50),
    ],
    ['that nobody owns', { isUnowned: true }, every(3, 1000)],
    ['of machines', { types: ['SERVICE_ACCOUNT'] }, every(4, 1000)],
    ['that are disabled', { statuses: ['DISABLED'] }, every(5, 1000)],
    ['that are deleted', { statuses: ['DELETED'] }, []],
    ['of other machines', { types: ['SYSTEM_ACCOUNT'] }, []],
    ['one by one', { ids: [idOf(7), idOf(9)] }, [idOf(7), idOf(9)]],
    ['by their refs', { refs: [`nowhere/${idOf(7)}`] }, []],
    ['of a person', { userIds: [`u${'0'.repeat(25)}8`] }, [idOf(7), idOf(20_007)]],
    ['by a text that one has', { query: 'acct-31777' }, [idOf(31_777)]],
    ['by a text that all have, beside ids', { query: 'person', ids: [idOf(39_000)] }, [idOf(39_000)]],
    ['by a text that nothing has', { query: 'xyzzyq' }, []],
    ['by two characters that nothing has', { query: 'q9' }, []],
  ])('finds those %s through an index', async (_which, filter, expected) => {
    const { ids, isExternal, nodes } = await explain(filter);
    expect(ids).toEqual(expected);
    expect(isExternal).toEqual(ids.map((id) => Number(id.slice(1)) % 500 === 1));
    const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && ['users', 'accounts'].includes(node['Relation Name'] ?? ''));
    expect(whole).toEqual([]);
    const passedOver = nodes.map((node) => (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops']);
    expect(Math.max(0, ...passedOver)).toBeLessThan(mostPassedOver);
  });

  it('pages through those of another domain to the end, in the order of ids', async () => {
    const { admin } = two.ours;
    const found: string[] = [];
    for (let after: string | undefined = ''; after !== undefined; ) {
      const ids: string[] = (await page(admin, { isExternal: true }, after)).map((row) => row.id);
      found.push(...ids);
      after = ids.length === 50 ? ids.at(-1) : undefined;
    }
    expect(found).toEqual(Array.from({ length: accounts / 500 }, (_, index) => idOf(1 + index * 500)));
  });
});
