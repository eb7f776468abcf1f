/** Meaning of several sources, paths, ends and later people for the accounts and grants of an app, each with its example. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import {
  bodyOf,
  grantsHeader,
  makeTenant,
  openFixture,
  peopleHeader,
  refusalOf,
  type TestTenant,
} from '../../../test/support/inventory.ts';
import { importGrants } from './import-grants.ts';
import { importPeople } from './import-people.ts';
import { replaySync } from './replay/replay-syncs.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openFixture();
});
afterAll(() => test.close());
beforeEach(() => {
  tenant = makeTenant(test);
});

const upload = (header: string, lines: readonly string[]) => ({ body: bodyOf(`${[header, ...lines].join('\n')}\n`), encoding: '' });
/** Imports rows with these columns more. */
const grants = (columns: string, ...lines: string[]) =>
  importGrants(tenant.context(), { app: 'Wiki', allowRemovals: true }, upload(`${grantsHeader}${columns}`, lines));
const line = (account: string, entitlement: string, more = '', email = '') =>
  `${account},${email},USER,ENABLED,role,wiki,${entitlement},,${more}`;
const accounts = () =>
  test.admin(
    `SELECT a.external_id AS name, u.email AS owner, a.match_count::int AS matches FROM accounts a LEFT JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id
     WHERE a.tenant_id = $1 ORDER BY 1`,
    [tenant.tenantId],
  );
const set = (sql: string) => test.admin(sql.replaceAll('TENANT', `tenant_id = '${tenant.tenantId}'`));

describe('paths', () => {
  const pathsOf = async (id: string): Promise<Record<string, string[]>> => {
    const { rows, names } = await replaySync(tenant.context(), id, undefined, 100);
    const nameOf = (entitlementId: string) => names.get(entitlementId)?.entitlement ?? '?';
    return Object.fromEntries(
      rows.map((row) => [nameOf(row.entitlementId), (row.paths ?? []).map((path) => path.map(nameOf).join('>')).sort()]),
    );
  };

  it('are all kept, the direct one too', async () => {
    const file = [
      line('a', 'staff', ','),
      line('a', 'admin', ',role/wiki/staff'),
      line('a', 'read', ',role/wiki/staff > role/wiki/admin'),
      line('a', 'read', ','),
      line('a', 'read', ',role/wiki/staff'),
    ];
    const one = await grants(',granted_via', ...file);
    expect(one).toMatchObject({ added: 3, rows: 5 });
    expect(await pathsOf(one.id)).toEqual({ staff: [], admin: ['staff'], read: ['', 'staff', 'staff>admin'] });
    expect(await grants(',granted_via', ...file.toReversed())).toMatchObject({ changed: 0, unchanged: 3 });
    const two = await grants(',granted_via', line('a', 'staff', ','), line('a', 'admin', ','), line('a', 'read', ',role/wiki/staff'));
    expect(two).toMatchObject({ changed: 2, unchanged: 1 });
    expect(await pathsOf(two.id)).toEqual({ staff: [], admin: [], read: ['staff'] });
    expect(await pathsOf(one.id)).toEqual({ staff: [], admin: ['staff'], read: ['', 'staff', 'staff>admin'] });
  });

  it('may go through what only the app has, and through nothing else', async () => {
    await grants('', line('a', 'old'), line('a', 'read'));
    expect(await grants(',granted_via', line('a', 'read', ',role/wiki/old'))).toMatchObject({ changed: 1, removed: 1 });
    const told = await refusalOf(grants(',granted_via', line('a', 'read', ',role/wiki/nothing>role/wiki/old')));
    expect(told.violations).toEqual(['line 2, granted_via: neither the file nor the app has "nothing" of "role wiki"']);
    expect(
      await test.admin(`SELECT rejected::int, state FROM syncs WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1`, [tenant.tenantId]),
    ).toEqual([{ rejected: 1, state: 'FAILED' }]);
  });
});

describe('ends', () => {
  const ends = () =>
    test
      .admin(`SELECT deprovision_at FROM grants WHERE tenant_id = $1 AND NOT is_derived AND removed_revision IS NULL`, [tenant.tenantId])
      .then((rows) => rows.map((row) => (row.deprovision_at as Date | null)?.getUTCFullYear() ?? null));

  it('are those of the file; of the same grant told twice the later, and none where one has none', async () => {
    await grants(',expires_at', line('a', 'r', ',2030-01-01T00:00:00Z'), line('a', 'r', ',2031-01-01T00:00:00Z'));
    expect(await ends()).toEqual([2031]);
    await grants(',expires_at', line('a', 'r', ',2030-01-01T00:00:00Z'), line('a', 'r', ','), line('b', 'r', ',2032-01-01T00:00:00Z'));
    expect((await ends()).sort()).toEqual([2032, null]);
  });

  it('are over where the file has their column and nothing in it', async () => {
    const one = await grants(',expires_at', line('a', 'r', ',2030-01-01T00:00:00Z'), line('b', 'r', ','));
    const two = await grants(',expires_at', line('a', 'r', ','), line('b', 'r', ','));
    expect(two).toMatchObject({ changed: 1, unchanged: 1 });
    expect(await ends()).toEqual([null, null]);
    const of = async (id: string) =>
      (await replaySync(tenant.context(), id, undefined, 10)).rows.map((row) => row.deprovisionAt?.getUTCFullYear()).sort();
    expect([await of(one.id), await of(two.id)]).toEqual([
      [2030, undefined],
      [undefined, undefined],
    ]);
  });

  it('set manually stay where the file reports none', async () => {
    await grants('', line('a', 'r'));
    await set(`UPDATE grants SET deprovision_at = '2033-01-01' WHERE TENANT AND NOT is_derived`);
    expect(await grants('', line('a', 'r', '2025-01-01T00:00:00Z'))).toMatchObject({ changed: 1 });
    expect(await ends()).toEqual([2033]);
  });
});

describe('owners', () => {
  it('are found by employee id and by user name, too, and not at all where several match', async () => {
    const people = ['ann@x.example,Ann,,,,ACTIVE,E1,ann', 'bob@x.example,Bob,,,,ACTIVE,E2,same', 'eve@x.example,Eve,,,,ACTIVE,,same'];
    await importPeople(tenant.context(), { source: '', allowRemovals: false }, upload(`${peopleHeader},employee_id,username`, people));
    const done = await grants(',employee_id,username', line('one', 'r', ',E1,'), line('two', 'r', ',,ANN'), line('three', 'r', ',,same'));
    expect(await accounts()).toEqual([
      { name: 'one', owner: 'ann@x.example', matches: 1 },
      { name: 'three', owner: null, matches: 2 },
      { name: 'two', owner: 'ann@x.example', matches: 1 },
    ]);
    expect(done.warnings).toEqual([{ line: 4, column: 'account', reason: 'account "three" matches 2 people and has no owner' }]);
  });

  it('who come later become owners then, and what was before is kept', async () => {
    const one = await grants('', line('a', 'r', '', 'ann@x.example'), line('b', 'r', '', 'bob@x.example'));
    await set(`UPDATE accounts SET owner_by_hand = true WHERE TENANT AND external_id = 'b'`);
    const done = await tenant.people(['ann@x.example,Ann,,,,ACTIVE', 'bob@x.example,Bob,,,,ACTIVE']);
    expect(done.counts).toMatchObject({ people: { added: 2 }, accounts: { changed: 1 } });
    expect(await accounts()).toMatchObject([{ owner: 'ann@x.example' }, { owner: null }]);
    const { rows } = await replaySync(tenant.context(), one.id, undefined, 10);
    expect(rows.map(({ account }) => account.userId)).toEqual([null, null]);
    expect(
      await test.admin('SELECT cause, sync_id FROM inventory_revisions WHERE tenant_id = $1 ORDER BY revision DESC LIMIT 1', [
        tenant.tenantId,
      ]),
    ).toEqual([{ cause: 'IMPORT', sync_id: done.id }]);
    expect((await tenant.people(['ann@x.example,Ann,,,,ACTIVE', 'bob@x.example,Bob,,,,ACTIVE'])).counts.accounts).toMatchObject({
      changed: 0,
    });
  });

  it('and types set manually survive a sync', async () => {
    await tenant.people(['ann@x.example,Ann,,,,ACTIVE', 'bob@x.example,Bob,,,,ACTIVE']);
    await grants('', line('a', 'r', '', 'ann@x.example'));
    await set(
      `UPDATE accounts SET owner_by_hand = true, type_by_hand = true, account_type = 'SYSTEM_ACCOUNT',
         user_id = (SELECT id FROM users WHERE TENANT AND email = 'bob@x.example') WHERE TENANT`,
    );
    expect(await grants('', line('a', 'r', '2025-01-01T00:00:00Z', 'ann@x.example'))).toMatchObject({
      changed: 1,
      counts: { accounts: { changed: 0 } },
    });
    expect(await accounts()).toMatchObject([{ owner: 'bob@x.example' }]);
    expect(await test.admin(`SELECT account_type FROM accounts WHERE tenant_id = $1`, [tenant.tenantId])).toEqual([
      { account_type: 'SYSTEM_ACCOUNT' },
    ]);
  });
});

describe('the same file', () => {
  const file = [line('a', 'r', '', 'ann@x.example'), line('b', 'r')];

  it('is looked at anew when the people or the app changed', async () => {
    await grants('', ...file);
    await set(
      `INSERT INTO users (tenant_id, id, email, email_key, created_at, updated_at) VALUES ('${tenant.tenantId}', 'ann', 'ann@x.example', 'ann@x.example', now(), now())`,
    );
    expect(await grants('', ...file)).toMatchObject({ changed: 1, warningCount: 0 });
    await set(
      `UPDATE grants SET last_used_at = now() WHERE TENANT; INSERT INTO inventory_revisions VALUES ('${tenant.tenantId}', 9, (SELECT id FROM apps WHERE TENANT), 'MANUAL', '', '', now())`,
    );
    expect(await grants('', ...file)).toMatchObject({ changed: 2 });
  });

  it('is not looked at where nothing did; a source whose settings changed is', async () => {
    await grants('', ...file);
    // Nobody may change grants without a revision: so this shows whether they were read.
    await set(`UPDATE grants SET last_used_at = now() WHERE TENANT`);
    expect(await grants('', ...file)).toMatchObject({ changed: 0, unchanged: 2 });
    await set(`UPDATE sources SET updated_at = now() + interval '1 hour' WHERE TENANT`);
    expect(await grants('', ...file)).toMatchObject({ changed: 2 });
  });

  it('keeps its warnings', async () => {
    const one = await grants('', ...file);
    const two = await grants('', ...file);
    expect(two).toMatchObject({ previousId: one.id, warningCount: 1, warnings: one.warnings, unchanged: 2, changed: 0 });
  });
});

describe('the share that may be taken away', () => {
  it("is the source's", async () => {
    const file = Array.from({ length: 10 }, (_, at) => line(`a${at}`, 'r'));
    await grants('', ...file);
    await set(`UPDATE sources SET removal_share = 50, updated_at = now() WHERE TENANT`);
    const guarded = (count: number) =>
      importGrants(tenant.context(), { app: 'Wiki', allowRemovals: false }, upload(grantsHeader, file.slice(0, count)));
    expect((await refusalOf(guarded(4))).message).toContain('more than 50 %');
    expect(await guarded(5)).toMatchObject({ removed: 5 });
    await set(`UPDATE sources SET removal_share = 0, updated_at = now() WHERE TENANT`);
    expect((await refusalOf(guarded(4))).code).toBe('FAILED_PRECONDITION');
  });
});
