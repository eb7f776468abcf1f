/** Cells of grants files that say more than one thing: the domain before a name, and several values. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf, makeTenant, openFixture, refusalOf, type TestTenant } from '../../../test/support/inventory.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { importGrants } from './import-grants.ts';
import { importPeople } from './import-people.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openFixture();
});
afterAll(() => test.close());
beforeEach(() => {
  tenant = makeTenant(test);
});

describe('grants', () => {
  describe('of accounts named within a domain', () => {
    const send = (names: readonly string[], map: readonly string[] = []) =>
      importGrants(
        tenant.context(),
        { app: 'Files', allowRemovals: true, map: ['account=login', 'entitlement=role', ...map] },
        { body: bodyOf(['login,role', ...names.map((name) => `${name},read`)].join('\n')), encoding: '' },
      );
    const owners = async () =>
      (
        await test.admin(
          `SELECT a.external_id AS name, u.username AS owner FROM accounts a LEFT JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id
           WHERE a.tenant_id = $1 AND a.status <> 'DELETED' ORDER BY 1`,
          [tenant.tenantId],
        )
      ).map(({ name, owner }) => `${name}: ${owner}`);
    beforeEach(async () => {
      const text = 'email,username\na@x.example,ann\nb@x.example,bob\n';
      await importPeople(tenant.context(), { source: 'hr', allowRemovals: false }, { body: bodyOf(text), encoding: '' });
    });

    it('belong to the person with the name, in a file of one domain', async () => {
      await send(['CORP\\ann', 'corp\\BOB', 'NT SERVICE\\ann', 'bob']);
      expect(await owners()).toEqual(['CORP\\ann: ann', 'NT SERVICE\\ann: null', 'bob: bob', 'corp\\BOB: bob']);
    });

    it('belong to nobody in a file of several, unless the mapping says so', async () => {
      await send(['CORP\\ann', 'LAB\\ann']);
      expect(await owners()).toEqual(['CORP\\ann: null', 'LAB\\ann: null']);
      await send(['CORP\\ann', 'LAB\\ann'], ['domains=STRIP']);
      expect(await owners()).toEqual(['CORP\\ann: ann', 'LAB\\ann: ann']);
      await send(['CORP\\ann'], ['domains=keep']);
      expect(await owners()).toEqual(['CORP\\ann: null']);
    });

    it('say so where there are several, and what to do, unless the mapping decides', async () => {
      const { warnings } = await send(['CORP\\ann', 'bob', 'LAB\\ann']);
      expect(warnings).toEqual([
        {
          line: 4,
          column: 'account',
          reason: expect.stringMatching(
            /^the accounts are of several domains, such as "CORP" and "LAB", .* send map=domains=STRIP; if not, map=domains=KEEP$/,
          ) as unknown,
        },
      ]);
      expect((await send(['CORP\\ann', 'LAB\\ann'], ['domains=KEEP'])).warnings).toEqual([]);
    });

    it.each([
      ['the machine', ['CORP\\ann', '.\\bob', 'NT-AUTORITÄT\\bob', 'VORDEFINIERT\\bob', 'BUILTIN\\bob'], ['ann']],
      ['one domain in both of its spellings', ['CORP\\ann', 'corp.example.com\\bob'], ['ann', 'bob']],
      ['a domain that an export escaped', ['CORP\\\\ann', 'CORP\\\\bob'], ['ann', 'bob']],
      ['what means much else', ['CORP/ann', 'bob@corp.local', 'ann@x.other'], []],
    ])('belong as they are to whom they say: %s', async (_what, names, found) => {
      await send(names);
      expect(
        (await owners())
          .map((line) => line.split(': ')[1])
          .filter((name) => name !== 'null')
          .sort(),
      ).toEqual(found);
    });

    it('belong to the person with the name behind a slash or before an @ where the mapping asks for it', async () => {
      await send(['CORP/ann', 'bob@corp.local', 'BUILTIN\\ann'], ['domains=STRIP']);
      expect(await owners()).toEqual(['BUILTIN\\ann: null', 'CORP/ann: ann', 'bob@corp.local: bob']);
    });

    it('belong to the person whose user name has the domain, too', async () => {
      const text = 'email,username\na@x.example,CORP\\ann\nb@x.example,bob\n';
      await importPeople(tenant.context(), { source: 'hr', allowRemovals: true }, { body: bodyOf(text), encoding: '' });
      await send(['corp\\ann', 'CORP\\bob']);
      expect(await owners()).toEqual(['CORP\\bob: bob', 'corp\\ann: CORP\\ann']);
    });
  });

  describe('with several values in a cell', () => {
    const send = (text: string, map: readonly string[], app = 'Git') =>
      importGrants(tenant.context(), { app, allowRemovals: false, map }, { body: bodyOf(text), encoding: '' });
    const held = async () =>
      (
        await test.admin(
          `SELECT a.external_id || ' ' || r.external_id || ' ' || e.external_id AS text FROM grants g
           JOIN accounts a ON a.tenant_id = g.tenant_id AND a.id = g.account_id
           JOIN entitlements e ON e.tenant_id = g.tenant_id AND e.id = g.entitlement_id AND NOT e.is_app_access
           JOIN resources r ON r.tenant_id = e.tenant_id AND r.id = e.resource_id
           WHERE g.tenant_id = $1 AND g.removed_revision IS NULL ORDER BY 1`,
          [tenant.tenantId],
        )
      ).map(({ text }) => text);

    it('are a grant for each of them, and of the app where the cell is empty', async () => {
      const text = 'login,level,teams\nann,Developer,"core, infra,web, core"\nbob,Owner,core\ncid,Guest,\n';
      const row = await send(text, ['account=login', 'entitlement=level', 'resource=teams', 'split=resource']);
      expect([row.rows, row.added, row.findings?.repeated]).toEqual([3, 5, 0]);
      expect(await held()).toEqual(['ann core Developer', 'ann infra Developer', 'ann web Developer', 'bob core Owner', 'cid Git Guest']);
      expect(await send(text, ['account=login', 'entitlement=level', 'resource=teams', 'split=resource'])).toMatchObject({
        added: 0,
        removed: 0,
      });
    });

    it('are split at what is said, and refused where nothing is held', async () => {
      const map = ['account=login', 'entitlement=roles', 'split=entitlement;'];
      await send('login,roles\nann,"a, b; c"\n', map);
      expect(await held()).toEqual(['ann Git a, b', 'ann Git c']);
      const { violations } = await refusalOf(send('login,roles\nann,;\n', map));
      expect(violations).toEqual(['line 2, entitlement: must not be empty']);
      const disputed = await refusalOf(send('login,status,roles\nann,enabled,a;b\nann,disabled,c;d\n', map));
      expect(disputed.violations).toEqual(['line 3, account_status: account "ann" has the status "DISABLED" here and "ENABLED" on line 2']);
      const once = await refusalOf(send('login,email,roles\nann,nobody at all,a;b;c\n', ['email=email', ...map]));
      expect(once.violations).toEqual(['line 2, email: "nobody at all" is not a mail address']);
      const wrong = await refusalOf(send('login,roles\nann,a\n', ['account=login', 'entitlement=roles', 'split=account']));
      expect(wrong.violations).toEqual([expect.stringContaining('map: split must be resource or entitlement')]);
    });
  });
});
