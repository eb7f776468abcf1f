/** Entitlements that pass on others: links come and go with the paths of open grants, and are known as of each revision. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkInventory } from '../../../test/support/check-inventory.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { grantsHeader, makeTenant, openFixture, type TestTenant } from '../../../test/support/inventory.ts';
import { bodyOf } from '../../../test/support/inventory.ts';
import { importGrants } from './import-grants.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openFixture();
});
afterAll(() => test.close());
beforeEach(() => {
  tenant = makeTenant(test);
});

const header = `${grantsHeader},granted_via`;
const line = (account: string, entitlement: string, via = ''): string => `${account},,USER,ENABLED,role,wiki,${entitlement},,,${via}`;
const send = (...lines: string[]): Promise<unknown> =>
  importGrants(
    tenant.context(),
    { app: 'Wiki', allowRemovals: true },
    { body: bodyOf(`${[header, ...lines].join('\n')}\n`), encoding: '' },
  );
/** The links as of a revision, by default the last one. */
const links = async (revision = 9_999): Promise<string[]> => {
  const rows = await test.admin(
    `SELECT f.external_id || ' > ' || t.external_id || CASE WHEN l.removed_revision IS NULL THEN ' ' || l.grant_count ELSE '' END AS text
     FROM entitlement_links l
     JOIN entitlements f ON f.tenant_id = l.tenant_id AND f.app_id = l.app_id AND f.id = l.from_entitlement_id
     JOIN entitlements t ON t.tenant_id = l.tenant_id AND t.app_id = l.app_id AND t.id = l.to_entitlement_id
     WHERE l.tenant_id = $1 AND l.added_revision <= $2 AND (l.removed_revision IS NULL OR l.removed_revision > $2)`,
    [tenant.tenantId, revision],
  );
  return rows.map(({ text }) => String(text)).sort();
};
const check = (): Promise<void> => checkInventory(test.admin, tenant.tenantId);

it('are the adjacent pairs of the paths of open grants, one each, however many grants have them', async () => {
  await send(line('a', 'staff'), line('a', 'lead', 'role/wiki/staff'), line('a', 'pay', 'role/wiki/staff > role/wiki/lead'));
  expect(await links()).toEqual(['lead > pay 1', 'staff > lead 2']);
  // Two ways to the same: directly too, and by another path.
  const both = [line('b', 'staff'), line('b', 'lead', 'role/wiki/staff'), line('b', 'lead'), line('b', 'pay', 'role/wiki/staff')];
  const before = [line('a', 'staff'), line('a', 'lead', 'role/wiki/staff'), line('a', 'pay', 'role/wiki/staff > role/wiki/lead')];
  await send(...before, ...both);
  expect(await links()).toEqual(['lead > pay 1', 'staff > lead 3', 'staff > pay 1']);
  await check();
});

it('come and go with a small import, and are read back as of each revision', async () => {
  const rest = Array.from({ length: 30 }, (_, n) => line(`x${n}`, 'other'));
  await send(...rest, line('a', 'staff'), line('a', 'pay', 'role/wiki/staff'));
  await send(...rest, line('a', 'staff'), line('a', 'pay', 'role/wiki/staff'), line('b', 'staff'), line('b', 'pay', 'role/wiki/staff'));
  // One of the two grants goes: the link stays. Then the other says another path, and at last none.
  await send(...rest, line('a', 'staff'), line('a', 'pay', 'role/wiki/staff'), line('b', 'staff'));
  await send(...rest, line('a', 'staff'), line('a', 'lead'), line('a', 'pay', 'role/wiki/lead'), line('b', 'staff'));
  await send(...rest, line('a', 'staff'), line('a', 'lead'), line('a', 'pay'), line('b', 'staff'));
  await send(...rest, line('a', 'staff'), line('a', 'pay', 'role/wiki/staff'), line('b', 'staff'));
  const history = await Promise.all([0, 1, 2, 3, 4, 5, 6].map((revision) => links(revision)));
  expect(history).toEqual([[], ['staff > pay'], ['staff > pay'], ['staff > pay'], ['lead > pay'], [], ['staff > pay 1']]);
  await check();
});

it('stay where one revision moves them from one grant to another', async () => {
  await send(line('a', 'staff'), line('a', 'pay', 'role/wiki/staff'), line('b', 'staff'));
  await send(line('a', 'staff'), line('b', 'staff'), line('b', 'pay', 'role/wiki/staff'));
  expect(
    await test.admin('SELECT added_revision, removed_revision, grant_count FROM entitlement_links WHERE tenant_id = $1', [tenant.tenantId]),
  ).toEqual([{ added_revision: '1', removed_revision: null, grant_count: '1' }]);
  await check();
});
