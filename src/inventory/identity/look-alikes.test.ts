/** The list of names that look the same, of files that brought them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { makeTenant, openFixture, type TestTenant } from '../../../test/support/inventory.ts';
import { listLookAlikes } from './store-lists.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openFixture();
  tenant = makeTenant(test);
});
afterAll(() => test.close());

it('has accounts, resources and rights of one app, each with all that look so, and nothing else', async () => {
  const row = (account: string, resource: string, right: string): string => `${account},,,,role,${resource},${right},,`;
  const rows = [row('tom', 'Wiki', 'Read'), row('TOM', 'Wiki', 'READ'), row('to\u200bm', 'wiki', 'Write'), row('ann', 'Blog', 'Read')];
  await tenant.grants(rows, { app: 'One' });
  await tenant.grants([row('Ann', 'Blog', 'Read')], { app: 'Two' });
  const context = tenant.context();
  const all = await listLookAlikes(context, undefined, undefined, 10);
  expect(all.map(({ appName, kind, resource, count, names }) => [appName, kind, resource, count, [...names].sort()])).toEqual([
    ['One', 'ACCOUNT', '', 3, ['TOM', 'tom', 'to\u200bm']],
    ['One', 'ENTITLEMENT', 'Wiki', 2, ['READ', 'Read']],
    ['One', 'RESOURCE', '', 2, ['Wiki', 'wiki']],
  ]);
  const { appId = '', ids: [id = ''] = [] } = all[0] ?? {};
  expect(await listLookAlikes(context, appId, undefined, 10)).toEqual(all);
  expect(await listLookAlikes(context, undefined, [appId, 'ACCOUNT', id], 1)).toEqual([all[1]]);
  // Whoever is gone looks like nobody.
  await tenant.grants([row('tom', 'Wiki', 'Read'), row('ann', 'Blog', 'Read')], { app: 'One', allowRemovals: true });
  expect((await listLookAlikes(context, appId, undefined, 10)).map(({ kind }) => kind)).toEqual(['ENTITLEMENT', 'RESOURCE']);
});
