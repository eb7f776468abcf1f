/** People's concern in an app or an entitlement. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import {
  narrowToOwn,
  narrowToOwnApps,
  readsInventory,
  requireConcernInApp,
  requireConcernInEntitlement,
  requireOwnAppOrInventory,
  requireOwnOrInventory,
} from './concern.ts';
import { sql } from '../../../lib/sql.ts';
import { insertApp } from '../record/store-apps.ts';
import { getOwnedAppsSql, getOwnsAppSql, listOwnedAppIds } from '../record/store-owned-apps.ts';
import { insertOwners } from '../record/store-owners.ts';

let two: TwoTenants;
beforeAll(async () => {
  two = await openTwoTenants();
});
afterAll(() => two.close());
const nothing = { code: 'NOT_FOUND' };

describe('concern', () => {
  it('is none where there is nothing, and is not asked of who reads everything', async () => {
    expect([readsInventory(two.ours.admin), readsInventory(two.ours.basic)]).toEqual([true, false]);
    await expect(requireConcernInApp(two.ours.admin, 'app')).resolves.toBeUndefined();
    await expect(requireConcernInApp(two.ours.basic, 'app')).rejects.toMatchObject(nothing);
    await expect(requireConcernInEntitlement(two.ours.admin, 'app', 'e')).resolves.toBeUndefined();
    await expect(requireConcernInEntitlement(two.ours.basic, 'app', 'e')).rejects.toMatchObject(nothing);
  });

  it('is with oneself: unowned accounts are without an owner', async () => {
    const { admin, basic, basicId, adminId } = two.ours;
    expect(() => requireOwnOrInventory(basic, basicId, 'x')).not.toThrow();
    for (const userId of [adminId, null, '']) {
      expect(() => requireOwnOrInventory(basic, userId, 'x')).toThrow(expect.objectContaining(nothing));
      expect(() => requireOwnOrInventory(admin, userId, 'x')).not.toThrow();
    }
    expect(await narrowToOwn(basic, undefined, [])).toEqual([basicId]);
    expect(await narrowToOwn(basic, [], [])).toEqual([basicId]);
    expect(await narrowToOwn(admin, undefined, [])).toBeUndefined();
    expect(await narrowToOwn(admin, [basicId], [])).toEqual([basicId]);
    await expect(narrowToOwn(basic, [basicId, adminId], [])).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('is with the apps one owns, of one’s own tenant, in any role, and through an entitlement that one holds', async () => {
    const { admin, basic, basicId } = two.ours;
    const { db, tenantId } = admin;
    const add = async (id: string): Promise<void> => {
      await insertApp(
        { ...admin, now: new Date() },
        { id, displayName: id, certifyPolicyId: '', document: {}, appAccessId: `${id}-access` },
      );
    };
    await add('owned');
    await add('held');
    await add('foreign');
    const own = { kind: 'app', appId: 'owned', id: 'owned' } as const;
    await expect(requireOwnAppOrInventory(basic, 'owned')).rejects.toMatchObject(nothing);
    await insertOwners(admin, own, [basicId], 'people', 'technical');
    await insertOwners(admin, { kind: 'app', appId: 'held', id: 'held' }, ['foreign/foreign-access'], 'entitlements');
    expect(await listOwnedAppIds(basic)).toEqual(['owned']);
    await db.run(
      `INSERT INTO accounts (tenant_id, app_id, id, external_id, user_id, status, account_type, created_at, updated_at)
       VALUES ($1, 'foreign', 'acc', 'acc', $2, 'ENABLED', 'USER', now(), now())`,
      [tenantId, basicId],
    );
    await db.run(
      `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, source_no, created_at, updated_at)
       VALUES ($1, 'foreign', 'foreign-access', 'acc', 1, 0, now(), now())`,
      [tenantId],
    );
    expect((await listOwnedAppIds(basic)).toSorted()).toEqual(['held', 'owned']);
    // Asked of each app by itself it is the same.
    const each = await db.column<string>(
      sql`SELECT a.id FROM apps a WHERE a.tenant_id = ${tenantId} AND ${getOwnsAppSql(basic, sql`a.id`)} ORDER BY 1`,
    );
    expect(each).toEqual(['held', 'owned']);
    expect(await narrowToOwnApps(basic, ['owned', 'foreign'])).toEqual(['owned']);
    expect(await narrowToOwn(basic, undefined, ['owned'])).toBeUndefined();
    expect(await narrowToOwn(basic, undefined, ['owned', 'foreign'])).toEqual([basicId]);
    expect(await listOwnedAppIds({ ...two.theirs.admin, actor: basic.actor })).toEqual([]);
  });

  it('reads the apps one owns by the index of owners by person, whatever else there is', async () => {
    const { basic } = two.ours;
    const plan = await basic.db.rows<{ line: string }>(sql`EXPLAIN SELECT ${getOwnedAppsSql(basic)} AS ids`);
    expect(JSON.stringify(plan)).toMatch(/app_owners_(by_user|pkey)/);
  });
});
