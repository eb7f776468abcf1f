/**
 * The checks of the inventory themselves: each is shown a tenant where what it looks for is wrong. A check that finds nothing there would find
 * nothing anywhere.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkInventory, findWrongs } from './check-inventory.ts';
import type { TestDatabase } from './database.ts';
import { makeTenant, openFixture, type TestTenant } from './inventory.ts';

describe('checks of the inventory', () => {
  let test: TestDatabase;
  let tenant: TestTenant;
  beforeAll(async () => {
    test = await openFixture();
    tenant = makeTenant(test);
    const grants = (used: string): string[] => [
      `a,p@x.example,USER,ENABLED,role,r,e,,${used}`,
      `a,p@x.example,USER,ENABLED,role,r,f,,`,
      `b,,USER,ENABLED,role,r,e,,`,
    ];
    await tenant.people(['p@x.example,P,,,,ACTIVE', 'q@x.example,Q,,,,ACTIVE']);
    await tenant.grants(grants(''));
    await tenant.grants(grants('2024-01-01T00:00:00Z'));
    await tenant.grants(['a,q@x.example,SERVICE_ACCOUNT,ENABLED,role,r,e,,'], { allowRemovals: true });
    await tenant
      .context()
      .db.run(
        `INSERT INTO profile_attributes (tenant_id, subject, name, value_type, created_at, updated_at) VALUES ($1, 'ACCOUNT', 'site', 'TEXT', now(), now())`,
        [tenant.tenantId],
      );
    await tenant.context().db.run(`UPDATE accounts SET profile = '{"site": "Berlin"}' WHERE tenant_id = $1`, [tenant.tenantId]);
  });
  afterAll(() => test.close());

  it('find nothing where nothing is wrong', async () => {
    await checkInventory(test.admin, tenant.tenantId);
  });

  const of = `tenant_id = $1`;
  it.each<[string, string]>([
    ['entitlements whose number of grants', `UPDATE entitlements SET grant_count = grant_count + 1 WHERE ${of} AND NOT is_app_access`],
    ['apps whose number of accounts', `UPDATE apps SET user_count = 7 WHERE ${of}`],
    ['apps without exactly one', `UPDATE entitlements SET is_app_access = false WHERE ${of}`],
    ['live accounts without app access', `UPDATE accounts SET status = 'ENABLED', deleted_at = NULL WHERE ${of}`],
    ['derived grants of something else', `UPDATE grants SET is_derived = true WHERE ${of}`],
    ['open grants of what is deleted', `UPDATE entitlements SET deleted_at = now() WHERE ${of}`],
    ['live accounts of deleted apps', `UPDATE apps SET deleted_at = now() WHERE ${of}`],
    ['accounts that are deleted without', `UPDATE accounts SET deleted_at = NULL WHERE ${of}`],
    ['accounts of people who are not there', `UPDATE accounts SET user_id = 'nobody' WHERE ${of}`],
    ['accounts marked as matched by a former address', `UPDATE accounts SET owner_by_former_address = true WHERE ${of}`],
    ['ambiguous accounts with an owner', `UPDATE accounts SET match_count = 2 WHERE ${of}`],
    [
      'grants that end before they begin',
      `UPDATE grants SET removed_revision = added_revision WHERE ${of} AND removed_revision IS NOT NULL`,
    ],
    [
      'grants that begin before the one before',
      `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, created_at, updated_at)
       SELECT tenant_id, app_id, entitlement_id, account_id, 2, now(), now() FROM grants WHERE ${of} AND removed_revision = 3`,
    ],
    ['grants that begin with a revision', `UPDATE grants SET added_revision = 0 WHERE ${of}`],
    ['grants that end with a revision', `UPDATE grants SET removed_revision = 99 WHERE ${of} AND removed_revision IS NOT NULL`],
    ['accounts that begin with a revision', `UPDATE accounts SET added_revision = 0 WHERE ${of}`],
    ['changes of grants by a revision', `UPDATE grant_changes SET revision = 99 WHERE ${of} AND revision = 2`],
    ['changes of accounts by a revision', `UPDATE account_changes SET revision = 99 WHERE ${of}`],
    ['changes of grants outside their life', `UPDATE grant_changes SET revision = 1 WHERE ${of} AND revision = 2`],
    ['changes of accounts before they began', `UPDATE account_changes SET revision = 1 WHERE ${of}`],
    ['revisions beyond the counter', `UPDATE tenant_counters SET value = value + 1 WHERE ${of}`],
    ['revisions that no event tells of', `UPDATE inventory_revisions SET revision = 99 WHERE ${of} AND revision = 1`],
    ['revisions of an import that is not there', `UPDATE inventory_revisions SET sync_id = 'none' WHERE ${of}`],
    ['grants of a source that is not there', `UPDATE grants SET source_no = 9 WHERE ${of}`],
    ['accounts of a source that is not there', `UPDATE accounts SET source_no = 9 WHERE ${of}`],
    ['entitlements of a source that is not there', `UPDATE entitlements SET source_no = 9 WHERE ${of}`],
    ['open grants and live accounts of a source that is deleted', `UPDATE sources SET deleted_at = now() WHERE ${of}`],
    ['paths through entitlements', `UPDATE grants SET paths = '[["none"]]' WHERE ${of}`],
    ['sources whose last sync', `UPDATE sources SET last_sync_id = 'none' WHERE ${of}`],
    ['syncs after one that is not there', `UPDATE syncs SET previous_id = 'none' WHERE ${of}`],
    ['two syncs that follow the same', `UPDATE syncs SET previous_id = '' WHERE ${of}`],
    ['resources whose number of owners', `UPDATE resources SET owner_count = 3 WHERE ${of}`],
    ...(['USER', 'GROUP'] as const).map((kind): [string, string] => [
      kind === 'USER' ? 'users that a provider pushed' : 'groups that a provider pushed',
      `INSERT INTO scim_resources (tenant_id, source_id, id, kind, name_key, document, user_id, account_id, entitlement_id, created_at, updated_at)
         SELECT $1, c.id, 'x', '${kind}', 'x', '{}', 'none', 'none', 'none', now(), now() FROM sources c WHERE ${of} AND c.app_id <> '' LIMIT 1`,
    ]),
    ...(
      [
        ['pushed users whose record is another', 'CLEAR', "'someone'"],
        ['accounts of somebody of whom it is disputed', 'DISPUTED', 'NULL'],
      ] as const
    ).map(([name, verdict, userId]): [string, string] => [
      name,
      `WITH owned AS (UPDATE accounts SET user_id = 'someone', owner_by_hand = false WHERE ${of} AND status <> 'DELETED' RETURNING app_id, id, source_no),
         pushed AS (INSERT INTO scim_resources (tenant_id, source_id, id, kind, name_key, document, user_id, account_id, created_at, updated_at)
           SELECT $1, c.id, 'x', 'USER', 'x', '{}', NULL, o.id, now(), now() FROM owned o JOIN sources c ON ${of.replace('tenant_id', 'c.tenant_id')}
             AND c.app_id = o.app_id AND c.source_no = o.source_no LIMIT 1 RETURNING source_id)
       INSERT INTO person_records (tenant_id, id, source_id, anchor_kind, anchor, user_id, scim_id, verdict, first_seen_at, changed_at)
         SELECT $1, 'x', source_id, 'SCIM_ID', 'x', ${userId}, 'x', '${verdict}', now(), now() FROM pushed`,
    ]),
    ['texts that search reads', `UPDATE search_texts SET text = text || '!' WHERE ${of} AND kind = 'RESOURCE'`],
    ['texts that search reads', `DELETE FROM search_texts WHERE ${of} AND kind = 'USER'`],
    ['texts that search reads', `INSERT INTO search_texts VALUES ($1, 'ACCOUNT', 'gone', 'x')`],
    ['values of attributes', `UPDATE profile_values SET text_key = 'bonn' WHERE ${of}`],
    ['values of attributes', `DELETE FROM profile_values WHERE ${of}`],
    [
      'values of attributes',
      `INSERT INTO profile_values (tenant_id, subject, name, object_id, text_key) VALUES ($1, 'ACCOUNT', 'site', 'gone', 'x')`,
    ],
  ])('find %s', async (name, sql) => {
    // Past the rules of the product and of its tables, and undone at the end.
    await test.admin('BEGIN');
    try {
      const before = new Set(Object.keys(await findWrongs(test.admin, tenant.tenantId)));
      await test.admin(sql, [tenant.tenantId]);
      const found = Object.keys(await findWrongs(test.admin, tenant.tenantId)).filter((one) => !before.has(one));
      expect(
        found.some((one) => one.startsWith(name)),
        found.join('; '),
      ).toBe(true);
    } finally {
      await test.admin('ROLLBACK');
    }
  });
});
