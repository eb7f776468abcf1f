/** Columns that fetched rows have besides: what is shown under keys, accounts by themselves, entitlements by themselves, and when accounts were made. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { checkInventory } from '../../../test/support/check-inventory.ts';
import { bodyOf, grantsHeader, makeTenant, openFixture, refusalOf, type TestTenant } from '../../../test/support/inventory.ts';
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

const shown = ['resource_name', 'resource_description', 'entitlement_name', 'entitlement_description', 'purpose'];
const header = [grantsHeader, ...shown, 'account_created_at', 'account_used_at'].join(',');

/** A row: what an account holds, and what is shown of it. */
function row(account: string, entitlement: string, texts: readonly string[] = [], times: readonly string[] = []): string {
  const held = entitlement === '' ? ['', '', ''] : ['role', 'r1', entitlement];
  const words = account === '' ? ['', ''] : ['USER', 'ENABLED'];
  const more = [...texts, ...Array<string>(shown.length - texts.length).fill('')];
  return [account, '', ...words, ...held, '', '', ...more, times[0] ?? '', times[1] ?? ''].join(',');
}

const send = (lines: readonly string[], allowRemovals = true) =>
  importGrants(tenant.context(), { app: 'Wiki', allowRemovals }, { body: bodyOf(`${[header, ...lines].join('\n')}\n`), encoding: '' });
const told = ['Editors', 'All who edit', 'Editor', 'May edit', 'PERMISSION'];

const entitlements = () =>
  test.admin(
    `SELECT e.external_id AS key, e.display_name AS name, e.description, e.purpose, e.grant_count::int AS holders, r.display_name AS resource,
       r.document ->> 'description' AS about
     FROM entitlements e JOIN resources r ON r.tenant_id = e.tenant_id AND r.id = e.resource_id WHERE e.tenant_id = $1 ORDER BY 1`,
    [tenant.tenantId],
  );
const edit = {
  key: 'edit',
  name: 'Editor',
  description: 'May edit',
  purpose: 'PERMISSION',
  holders: 1,
  resource: 'Editors',
  about: 'All who edit',
};

describe('what is shown', () => {
  it('is as the file says, and a rename ends nothing', async () => {
    await send([row('a', 'edit', told)]);
    expect(await entitlements()).toEqual([edit]);
    const renamed = await send([row('a', 'edit', ['Writers', 'All who edit', 'Writer', 'May edit', 'OWNERSHIP'])]);
    expect(renamed).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: 1 });
    expect(renamed.counts).toMatchObject({ resources: { added: 0, changed: 1 }, entitlements: { added: 0, changed: 1 } });
    expect(await entitlements()).toEqual([{ ...edit, name: 'Writer', resource: 'Writers', purpose: 'OWNERSHIP' }]);
    expect((await send([row('a', 'edit')])).counts).toMatchObject({ entitlements: { changed: 0 } });
    expect(await entitlements()).toEqual([{ ...edit, name: 'Writer', resource: 'Writers', purpose: 'OWNERSHIP' }]);
  });

  it('follows the file where a file before it said nothing, and names an entitlement after its resource', async () => {
    await tenant.grants(['a,,USER,ENABLED,role,r1,edit,,']);
    await send([row('a', 'edit', ['Editors'])]);
    expect(await entitlements()).toMatchObject([{ name: 'Editors edit', resource: 'Editors', description: '', purpose: 'ASSIGNMENT' }]);
  });

  it('stays where somebody wrote something else', async () => {
    await send([row('a', 'edit', told)]);
    await test.admin(
      `UPDATE entitlements SET display_name = 'Mine', description = 'Ours', purpose = 'ASSIGNMENT' WHERE tenant_id = $1 AND external_id = 'edit'`,
      [tenant.tenantId],
    );
    await send([row('a', 'edit', ['Writers', 'New', 'Writer', 'New', 'OWNERSHIP'])]);
    expect(await entitlements()).toEqual([
      { ...edit, name: 'Mine', description: 'Ours', purpose: 'ASSIGNMENT', resource: 'Writers', about: 'New' },
    ]);
  });
});

describe('rows by themselves', () => {
  it('say that an account is there, or an entitlement, and count as no grants', async () => {
    const done = await send([row('a', 'edit', told), row('b', ''), row('', 'read', ['', '', 'Reader'])]);
    expect(done).toMatchObject({ added: 1, rows: 3, parts: 1, counts: { accounts: { added: 2 }, entitlements: { added: 2, total: 2 } } });
    expect(done.findings).toMatchObject({ repeated: 0 });
    expect(await entitlements()).toMatchObject([
      { key: 'edit', holders: 1 },
      { key: 'read', name: 'Reader', holders: 0 },
    ]);
    const access = await test.admin(
      `SELECT a.external_id FROM grants g JOIN accounts a ON a.tenant_id = g.tenant_id AND a.id = g.account_id WHERE g.tenant_id = $1 AND g.is_derived ORDER BY 1`,
      [tenant.tenantId],
    );
    expect(access).toEqual([{ external_id: 'a' }, { external_id: 'b' }]);
    const next = await send([row('a', 'edit', told), row('', 'read', ['', '', 'Reader'])]);
    expect(next).toMatchObject({ removed: 0, counts: { accounts: { removed: 1, total: 1 }, entitlements: { total: 2 } } });
    await checkInventory(test.admin, tenant.tenantId);
  });

  it('must say which of them, and nothing of the other', async () => {
    const refused = await refusalOf(
      send([
        row('a', 'edit'),
        ',,USER,,,,,,,,,,,,,',
        ',,USER,ENABLED,role,r1,read,,,,,,,,,',
        'a,,,,role,r1,,,,,,,,,,',
        row('b', '', ['Name']),
      ]),
    );
    expect(refused.violations).toEqual([
      'line 3, account: must not be empty',
      'line 3, entitlement: must not be empty',
      'line 3, resource: must not be empty',
      'line 3, resource_type: must not be empty',
      'line 4, account: must not be empty',
      'line 5, entitlement: must not be empty',
      'line 6, entitlement: must not be empty where the row says something of an entitlement',
    ]);
    expect((await refusalOf(send([row('a', 'edit', ['', '', '', '', 'ADMIN'])]))).violations).toEqual([
      'line 2, purpose: "ADMIN" is none of ASSIGNMENT, PERMISSION, OWNERSHIP',
    ]);
  });
});

describe('app access', () => {
  it('is since the account was made, and used when it was', async () => {
    await send([row('a', 'edit', [], ['2020-01-01T00:00:00Z', '2026-01-01T00:00:00Z'])]);
    const rows = await test.admin(`SELECT is_derived, granted_at, last_used_at FROM grants WHERE tenant_id = $1 ORDER BY 1`, [
      tenant.tenantId,
    ]);
    expect(rows).toEqual([
      { is_derived: false, granted_at: null, last_used_at: null },
      { is_derived: true, granted_at: new Date('2020-01-01T00:00:00Z'), last_used_at: new Date('2026-01-01T00:00:00Z') },
    ]);
  });
});

describe('a header of another system', () => {
  it('keeps columns of these names as attributes, unless a mapping names them', async () => {
    const upload = () => ({ body: bodyOf('Login,Role,purpose\na,edit,to edit\n'), encoding: '' });
    await importGrants(tenant.context(), { app: 'Wiki', allowRemovals: false }, upload());
    expect(await test.admin('SELECT profile FROM accounts WHERE tenant_id = $1', [tenant.tenantId])).toEqual([
      { profile: { purpose: 'to edit' } },
    ]);
    const map = ['entitlement_description=purpose'];
    await importGrants(tenant.context(), { app: 'Wiki', allowRemovals: false, map }, upload());
    expect(await entitlements()).toMatchObject([{ key: 'edit', description: 'to edit' }]);
  });
});

describe('linked_from', () => {
  const linked = `${grantsHeader},linked_from`;
  const listed = (entitlement: string, from = '') => `,,,,role,r1,${entitlement},,,${from}`;
  const write = (lines: readonly string[], columns = linked) =>
    importGrants(
      tenant.context(),
      { app: 'Wiki', allowRemovals: true },
      { body: bodyOf(`${[columns, ...lines].join('\n')}\n`), encoding: '' },
    );
  const links = () =>
    test.admin(
      `SELECT f.external_id AS "from", t.external_id AS "to", l.added_revision::int AS added, l.removed_revision::int AS removed, l.grant_count::int AS count
       FROM entitlement_links l JOIN entitlements f ON f.tenant_id = l.tenant_id AND f.id = l.from_entitlement_id
       JOIN entitlements t ON t.tenant_id = l.tenant_id AND t.id = l.to_entitlement_id WHERE l.tenant_id = $1 ORDER BY 1, 2`,
      [tenant.tenantId],
    );
  const held = 'a,,USER,ENABLED,role,r1,member,,,';

  it('says that holders of one entitlement hold another, until the file no longer does', async () => {
    const first = await write([held, listed('member'), listed('edit', 'role/r1/member'), listed('read', 'role/r1/member')]);
    const revision = Number(first.revision);
    const open = { added: revision, removed: null, count: 1 };
    expect(await links()).toEqual([
      { from: 'member', to: 'edit', ...open },
      { from: 'member', to: 'read', ...open },
    ]);
    await checkInventory(test.admin, tenant.tenantId);
    // A file without the column says nothing of it.
    await write([held.slice(0, -1), listed('edit').slice(0, -1)], grantsHeader);
    expect(await links()).toMatchObject([{ removed: null }, { removed: null }]);
    const next = await write([held, listed('edit', 'role/r1/member'), listed('read')]);
    expect(Number(next.revision)).toBe(revision + 1);
    expect(await links()).toEqual([
      { from: 'member', to: 'edit', ...open },
      { from: 'member', to: 'read', added: revision, removed: revision + 1, count: 0 },
    ]);
    expect(await write([held, listed('read'), listed('edit', 'role/r1/member')])).toMatchObject({ revision: revision + 1 });
  });

  it('names what is known, and stands beside no account', async () => {
    const refused = await refusalOf(write([held, listed('edit', 'role/r1/lost')]));
    expect(refused.violations).toEqual(['line 3, linked_from: neither the file nor the app has "lost" of "role r1"']);
    const wrong = await refusalOf(write([`${held}role/r1/edit`, listed('edit', 'role/r1/member > role/r1/edit')]));
    expect(wrong.violations).toEqual([
      'line 2, linked_from: is for rows without an account: it says who else holds the entitlement',
      'line 3, linked_from: has 2 steps; at most 1 is read',
    ]);
  });
});
