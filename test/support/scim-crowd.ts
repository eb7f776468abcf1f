/**
 * Many users of a provider at once: as many as the service would have made of as many requests, written by SQL. People, accounts with their
 * app access, and users, each like one that the service made. The planner's numbers are those of before, as they are for a minute in production.
 */
import { newId } from '../../src/wire/ids.ts';
import type { ScimClient } from './scim.ts';
import type { TestServer } from './server.ts';

/** Makes `count` users (prefix: one letter) named `<prefix>1` and so on, like `<prefix>0`, which the service makes; returns their ids in order. */
export async function addCrowd(server: TestServer, scim: ScimClient, prefix: string, count: number): Promise<string[]> {
  const first = await scim.addUser(`${prefix}0`, { title: 'Clerk', emails: [{ value: `${prefix}0@x.example`, type: 'work' }] });
  const [row] = await server.test.admin('SELECT account_id, user_id FROM scim_resources WHERE id = $1', [first]);
  const series = 'generate_series(1, $2) AS n';
  // From the service's own counter: what it makes afterwards comes after them, also where an earlier test of this process had a clock ahead.
  const made = Array.from({ length: count }, () => newId(new Date()));
  const steps: [string, unknown[]][] = [
    [
      `INSERT INTO users (tenant_id, id, email, email_key, display_name, username, source, created_at, updated_at)
       SELECT tenant_id, $3 || lpad(n::text, 26, '0'), $3 || n || '@x.example', $3 || n || '@x.example', $3 || n, $3 || n, source, created_at, updated_at
       FROM users, ${series} WHERE id = $1`,
      [row?.user_id, count, prefix],
    ],
    [
      `INSERT INTO accounts (tenant_id, app_id, id, external_id, display_name, email, username, user_id, source_no, added_revision, created_at, updated_at)
       SELECT tenant_id, app_id, id || n, $3 || n, $3 || n, $3 || n || '@x.example', $3 || n, $3 || lpad(n::text, 26, '0'), source_no, added_revision, created_at, updated_at
       FROM accounts, ${series} WHERE id = $1`,
      [row?.account_id, count, prefix],
    ],
    [
      `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, source_no, is_derived, created_at, updated_at)
       SELECT tenant_id, app_id, entitlement_id, account_id || n, added_revision, source_no, is_derived, created_at, updated_at
       FROM grants, ${series} WHERE account_id = $1`,
      [row?.account_id, count],
    ],
    ['UPDATE apps SET user_count = user_count + $2 WHERE id = (SELECT app_id FROM accounts WHERE id = $1)', [row?.account_id, count]],
    [
      `UPDATE entitlements SET grant_count = grant_count + $2 WHERE is_app_access AND app_id = (SELECT app_id FROM accounts WHERE id = $1)`,
      [row?.account_id, count],
    ],
    [
      `INSERT INTO scim_resources (tenant_id, source_id, id, kind, name_key, document, keys, user_id, account_id, created_at, updated_at)
       SELECT tenant_id, source_id, ($4::text[])[n], kind, $3 || n, replace(document::text, $3 || '0', $3 || n)::jsonb,
         replace(keys::text, $3 || '0', $3 || n)::jsonb, $3 || lpad(n::text, 26, '0'), account_id || n, created_at, updated_at
       FROM scim_resources, ${series} WHERE account_id = $1`,
      [row?.account_id, count, prefix, made],
    ],
    [
      `INSERT INTO person_records (tenant_id, id, source_id, anchor_kind, anchor, user_id, scim_id, first_seen_at, changed_at)
       SELECT tenant_id, id, source_id, 'SCIM_ID', id, user_id, id, created_at, created_at FROM scim_resources WHERE id = ANY ($1)`,
      [made],
    ],
  ];
  for (const [sql, values] of steps) {
    await server.test.admin(sql, values);
  }
  const rows = await server.test.admin(`SELECT id FROM scim_resources WHERE source_id = $1 AND kind = 'USER' ORDER BY id`, [
    scim.connectorId,
  ]);
  return rows.map(({ id }) => String(id));
}
