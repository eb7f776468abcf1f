/**
 * Makes the company of the other figures uneven before searches are timed: what is rare beside very much, other apps beside the large one, an
 * inventory with a history, owners, attributes, delegations, people that an identity provider pushed.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ImportService } from '../../src/gen/countersign/v1/imports_pb.js';
import { type CompanySize, writeGrants } from './company.ts';
import { pushUsers, send } from './push-users.ts';
import type { Examples } from '../search-requests.ts';
import type { World } from './world.ts';

/** Takes in the grants of another app: so many accounts of ten grants each. */
async function importApp(world: World, app: string, accounts: number, entitlements: number): Promise<void> {
  const path = join(world.server.folder, 'other-app.csv');
  const size: CompanySize = { grants: accounts * 10, accounts, people: world.size.people, entitlements };
  await writeGrants(path, size);
  const content = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  await world.server.admin.upload(ImportService.method.importGrants, { app, allowRemovals: true }, { content, gzip: false });
}

/** A risk level, a framework, and an app whose people are pushed by an identity provider. */
async function makeByHand(world: World): Promise<{ risk: string; framework: string; connector: string; scimToken: string }> {
  const risk = await send(world, 'POST', 'api/v1/attributes/risk_levels', { value: 'High' });
  const framework = await send(world, 'POST', 'api/v1/attributes/compliance_frameworks', { value: 'SOX' });
  return { risk: risk.value?.id ?? '', framework: framework.value?.id ?? '', ...(await pushUsers(world)) };
}

const numbered = (table: string): string => `(SELECT id, row_number() OVER (ORDER BY id) AS number FROM ${table}) n`;

/** Ids that the changes name. */
type Named = Pick<Examples, 'risk' | 'framework' | 'owner'>;

/** Data set straight in the database: an import of it would be another file for each. */
const listChanges = ({ risk, framework, owner }: Named): string[] => [
  // Disabled and service accounts, unowned and external ones, accounts with names.
  `UPDATE accounts a SET display_name = u.display_name,
      status = CASE WHEN n.number % 50 = 1 AND a.status = 'ENABLED' THEN 'DISABLED' ELSE a.status END,
      account_type = CASE WHEN n.number % 77 = 1 THEN 'SERVICE_ACCOUNT' ELSE a.account_type END,
      email = CASE WHEN n.number % 90 = 1 THEN 'guest' || n.number || '@elsewhere.example' ELSE a.email END,
      user_id = CASE WHEN n.number % 200 = 1 THEN NULL ELSE a.user_id END
    FROM ${numbered('accounts')}, users u WHERE n.id = a.id AND u.id = a.user_id`,
  `UPDATE users u SET profile = jsonb_build_object('site', 'Site ' || n.number % 50, 'grade', n.number % 20),
      status = CASE WHEN n.number % 100 = 99 THEN 'DISABLED' ELSE u.status END, username = 'login' || n.number, employee_id = 'E' || n.number
    FROM ${numbered('users')} WHERE n.id = u.id AND u.email <> ''`,
  `INSERT INTO delegations (tenant_id, user_id, delegated_user_id, created_at, updated_at)
    SELECT u.tenant_id, u.id, u.manager_id, now(), now() FROM users u WHERE u.manager_id IS NOT NULL ORDER BY u.id LIMIT 200 OFFSET 1000
    ON CONFLICT DO NOTHING`,
  // One in a hundred entitlements at risk, one in a thousand under a framework, a few of other purposes.
  `UPDATE entitlements e SET risk_level_value_id = CASE WHEN n.number % 100 = 7 THEN '${risk}' ELSE '' END,
      compliance_framework_value_ids = CASE WHEN n.number % 1000 = 8 THEN ARRAY['${framework}'] ELSE '{}' END,
      alias = CASE WHEN n.number % 10 = 9 THEN 'alias-' || n.number ELSE '' END,
      purpose = CASE WHEN n.number % 500 = 10 THEN 'OWNERSHIP' ELSE e.purpose END
    FROM ${numbered('entitlements')} WHERE n.id = e.id AND NOT e.is_app_access`,
  `UPDATE grants g SET deprovision_at = now() + interval '1 year'
    FROM (SELECT app_id, entitlement_id, account_id FROM grants WHERE removed_revision IS NULL AND NOT is_derived ORDER BY account_id LIMIT 200) n
    WHERE g.app_id = n.app_id AND g.entitlement_id = n.entitlement_id AND g.account_id = n.account_id`,
  `INSERT INTO resource_owners (tenant_id, app_id, resource_id, user_id, created_at)
    SELECT r.tenant_id, r.app_id, r.id, '${owner}', now() FROM resources r ORDER BY r.id LIMIT 300 OFFSET 100`,
  `INSERT INTO entitlement_owners (tenant_id, app_id, entitlement_id, user_id, created_at)
    SELECT e.tenant_id, e.app_id, e.id, '${owner}', now() FROM entitlements e ORDER BY e.id LIMIT 300 OFFSET 100`,
  `INSERT INTO access_profiles (tenant_id, id, display_name, published, visible_to_everyone, created_by_id, created_at, updated_at)
    SELECT u.tenant_id, u.id, 'Everybody''s', true, true, u.id, now(), now() FROM users u WHERE u.id = '${owner}'`,
  `INSERT INTO access_profile_entitlements (tenant_id, profile_id, part, app_id, entitlement_id, created_at)
    SELECT e.tenant_id, '${owner}', 'REQUESTABLE', e.app_id, e.id, now() FROM entitlements e WHERE NOT e.is_app_access ORDER BY e.id LIMIT 1000`,
];

/** Makes the company uneven, and finds things in the middle of its tables. */
export async function varyCompany(world: World): Promise<Examples> {
  const people = world.size.people;
  await importApp(world, 'Branch', Math.ceil(people / 8), 300);
  await importApp(world, 'Branch', Math.ceil(people / 10), 300);
  await importApp(world, 'Outpost', 40, 50);
  const byHand = await makeByHand(world);
  const superuser = await world.server.superuser();
  try {
    await superuser.query("SELECT set_config('countersign.tenant_id', (SELECT tenant_id FROM tenants LIMIT 1), false)");
    const owners = await superuser.query<{ id: string }>(`SELECT id FROM users WHERE email LIKE 'person3@%'`);
    const owner = owners.rows[0]?.id ?? '';
    for (const sql of listChanges({ ...byHand, owner })) {
      await superuser.query(sql);
    }
    await send(world, 'PUT', 'api/v1/profile_attributes/user/site', { type: 'PROFILE_ATTRIBUTE_TYPE_TEXT' });
    await send(world, 'PUT', 'api/v1/profile_attributes/user/grade', { type: 'PROFILE_ATTRIBUTE_TYPE_NUMBER' });
    await superuser.query('VACUUM ANALYZE');
    const { rows } = await superuser.query<Omit<Examples, keyof typeof byHand | 'owner'>>(
      `SELECT e.app_id AS app, e.id AS entitlement, e.resource_type_id AS type, e.resource_id AS resource, a.id AS account, a.user_id AS "user",
         u.manager_id AS manager, (SELECT p.id FROM apps p WHERE p.display_name = 'Outpost') AS small,
         (SELECT p.id FROM apps p WHERE p.display_name = 'Branch') AS branch
       FROM grants g JOIN entitlements e ON e.id = g.entitlement_id JOIN accounts a ON a.id = g.account_id JOIN users u ON u.id = a.user_id
       JOIN apps p ON p.id = g.app_id AND p.display_name = 'Company'
       WHERE u.manager_id IS NOT NULL AND e.resource_id <> '' ORDER BY g.account_id OFFSET 5000 LIMIT 1`,
    );
    if (rows[0] === undefined) {
      throw new Error('the company has no grant to take examples from');
    }
    return { ...byHand, ...rows[0], owner };
  } finally {
    await superuser.end();
  }
}
