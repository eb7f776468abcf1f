/** Pages and filters of a source with many users: by which index each is answered, as the production role, and whose users are seen. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textPlanOf } from '../../../test/support/plans.ts';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import type { Context } from '../../context.ts';
import { readFilter } from './filter-sql.ts';
import { countResources, getPageSql, listResources, type ResourceFilter } from './store-search.ts';

const users = 5000;
let test: TwoTenants;
let context: Context;
beforeAll(async () => {
  test = await useTwoTenants();
  context = test.ours.system;
  for (const { tenantId, db, now } of [context, test.theirs.system]) {
    await db.run(
      `INSERT INTO scim_resources (tenant_id, source_id, id, kind, name_key, external_id, is_active, keys, document, account_id, created_at, updated_at)
       SELECT $1, c.id, c.id || lpad(n::text, 6, '0'), 'USER', 'user' || n, CASE WHEN n % 2 = 0 THEN 'e' || n ELSE '' END, n % 10 <> 0,
         jsonb_build_object('title', 'clerk', 'emails', jsonb_build_array(jsonb_build_object('value', 'user' || n || '@x.example', 'type', 'work'))),
         jsonb_build_object('userName', 'User' || n), 'account' || c.id || n, $2, $2
       FROM generate_series(1, $3) AS n, (VALUES ('one'), ('two')) AS c (id)`,
      [tenantId, now, users],
    );
    await db.run(
      `INSERT INTO scim_resources (tenant_id, source_id, id, kind, name_key, document, entitlement_id, created_at, updated_at)
       SELECT $1, 'one', 'group' || n, 'GROUP', 'group' || n, '{}', 'entitlement' || n, $2, $2 FROM generate_series(1, 50) AS n`,
      [tenantId, now],
    );
    await db.run(
      `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, removed_revision, created_at, updated_at)
       SELECT $1, 'app', 'entitlement' || (n % 50 + 1), 'accountone' || n, 1, CASE WHEN n % 5 = 0 THEN 2 END, $2, $2 FROM generate_series(1, $3) AS n`,
      [tenantId, now, users],
    );
  }
  await test.admin('VACUUM ANALYZE scim_resources');
  await test.admin('VACUUM ANALYZE grants');
});
afterAll(() => test.close());

const filterOf = (text?: string, kind: 'USER' | 'GROUP' = 'USER'): ResourceFilter => ({
  sourceId: 'one',
  appId: 'app',
  kind,
  condition: readFilter(kind, text),
});
const planOf = (filter: ResourceFilter, offset = 0): Promise<string> =>
  textPlanOf(context, 'ANALYZE, TIMING OFF', getPageSql(context.tenantId, filter, offset, 100));

describe('pages', () => {
  it('step over entries of the index alone, and read what they show', async () => {
    for (const offset of [0, 4900]) {
      const plan = await planOf(filterOf(), offset);
      expect(plan).toMatch(/Index Only Scan using scim_resources_live/);
      expect(plan).not.toContain('Seq Scan');
    }
    const rows = await listResources(context, filterOf(), 4998, 100);
    expect(rows.map((row) => [row.id, row.document.userName])).toEqual([
      ['one004999', 'User4999'],
      ['one005000', 'User5000'],
    ]);
  });

  it('are of one source of one tenant', async () => {
    expect(await countResources(context, filterOf())).toBe(users);
    expect(await countResources(context, { ...filterOf(), sourceId: 'none' })).toBe(0);
    expect(await countResources({ ...context, tenantId: test.theirs.tenant.id }, filterOf())).toBe(0);
    expect(await countResources(context, filterOf(undefined, 'GROUP'))).toBe(50);
  });
});

describe('filters', () => {
  it.each([
    ['userName eq "USER4711"', 'scim_resources_one_user', 1],
    ['externalId eq "e4712"', 'scim_resources_by_external_id', 1],
    ['externalId eq "e4711"', 'scim_resources_by_external_id', 0],
    ['id eq "one004711"', 'scim_resources_', 1],
    ['userName eq "user7" and title eq "Clerk"', 'scim_resources_one_user', 1],
    ['id eq "one000007" and manager eq "one000008"', 'scim_resources_', 0],
  ])('%s is found by an index', async (text, index, count) => {
    const plan = await planOf(filterOf(text));
    expect(plan).toContain(`using ${index}`);
    expect(plan).not.toContain('Seq Scan');
    expect(plan).not.toMatch(/Rows Removed by Filter: \d{3}/);
    expect(await countResources(context, filterOf(text))).toBe(count);
  });

  it.each([
    ['groups eq "group7"', 100],
    ['not (groups eq "group7")', users - 100],
    ['groups.value eq "group7" or userName eq "user7"', 101],
    ['groups eq "none"', 0],
    // All of its grants have ended.
    ['groups eq "group6"', 0],
  ])('%s asks for the members of the group once', async (text, count) => {
    const plan = await planOf(filterOf(text));
    expect(plan).not.toMatch(/grants g .*loops=\d{3}/);
    expect(await countResources(context, filterOf(text))).toBe(count);
  });

  it('of members of groups are those of the user, without those that ended', async () => {
    const found = await listResources(context, filterOf('members eq "one000006"', 'GROUP'), 0, 10);
    expect(found.map((row) => row.id)).toEqual(['group7']);
    expect(await countResources(context, filterOf('members eq "one000005"', 'GROUP'))).toBe(0);
    expect(await countResources(context, filterOf('not (members[value eq "one000006"])', 'GROUP'))).toBe(49);
  });

  it('of other attributes read the users of the source, each once, and no other source', async () => {
    for (const [text, count] of [
      ['title co "ler"', users],
      ['emails[type eq "work" and value eq "USER4711@x.example"]', 1],
      ['emails.value ew "99@x.example" or userName eq "user1"', 51],
      ['active eq false', users / 10],
    ] as const) {
      const plan = await planOf(filterOf(text));
      const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map((match) => Number(match[1]));
      expect(Math.max(0, ...removed)).toBeLessThanOrEqual(users + 50);
      expect(await countResources(context, filterOf(text))).toBe(count);
    }
  });
});
