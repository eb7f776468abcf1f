/**
 * Data other modules may read of the directory: a view for each interface, made by a migration, and functions. A column that is renamed in its
 * table keeps its name here. The columns are compared with the schema (test/schema.test.ts).
 */
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import { isActiveDelegationSql } from './store.ts';

/**
 * `users_public`: a person or service principal, also one that is gone (`deleted_at`). `users_pkey` answers by id, `users_by_email`,
 * `users_by_employee_id` and `users_by_username` by key, `users_by_manager` by manager, `users_by_list_key` in the order of
 * names.
 */
export interface UserPublic {
  readonly tenant_id: string;
  readonly id: string;
  readonly email: string;
  readonly email_key: string;
  readonly email_domain: string;
  readonly display_name: string;
  readonly status: string;
  readonly user_type: string;
  readonly username: string;
  readonly username_key: string;
  readonly employee_id: string;
  readonly external_id: string;
  readonly employment_status: string;
  readonly employment_type: string;
  readonly department: string;
  readonly job_title: string;
  readonly manager_id: string | null;
  readonly profile: unknown;
  readonly source: string;
  readonly search_text: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly maker_id: string;
  /** The person whom an administrator merged this one into. */
  readonly merged_into_id: string | null;
  /** The place among all people by name, as a list sorts them. */
  readonly list_key: string;
}

/** `roles_held`: a role that somebody holds. `user_roles_pkey` answers by person, `user_roles_by_role` by role. */
export interface RoleHeld {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly role_id: string;
  readonly created_at: Date;
}

/**
 * `delegations_set`: a delegate that somebody named, also for a time to come or past. `delegations_pkey` answers by person,
 * `delegations_by_delegate` by delegate.
 */
export interface DelegationSet {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly delegated_user_id: string;
  readonly starts_at: Date | null;
  readonly expires_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** `departures_known`: a time for which somebody was away: from `left_at` on, until `returned_at`. `departures_pkey` answers by person. */
export interface DepartureKnown {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly left_at: Date;
  readonly returned_at: Date | null;
}

/**
 * `suspensions_public`: something that a person held when they stopped being enabled, and that is not in force. `suspensions_pkey` answers by person,
 * `suspensions_by_object` by role, credential or delegator.
 */
export interface SuspensionPublic {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly kind: string;
  readonly object_id: string;
  readonly suspended_at: Date;
}

/** Returns the condition that the credential of row `alias` of a person is suspended: its owner left since it was made. `suspensions_pkey` answers. */
export function getIsSuspendedSql(alias: 'c' | 'p'): Sql {
  const row = fixed(alias);
  return sql`EXISTS (SELECT FROM suspensions x WHERE x.tenant_id = ${row}.tenant_id AND x.user_id = ${row}.user_id AND x.kind = 'CREDENTIAL'
    AND x.object_id = ${row}.id)`;
}

/**
 * Returns the condition that what `issuerId`, a column or expression, issued in the tenant `t` may answer now: for a person who may still issue, so that whoever was a
 * Super Administrator does not go on as somebody else. `mailsLinks` says whether mail leaves this installation, `hasProvider` whether somebody else
 * signs people of `t` in. `users_pkey` and `user_roles_pkey` answer.
 */
export function getIssuedMayAnswerSql(issuerId: string, mailsLinks: boolean, hasProvider: Sql): Sql {
  const issuer = fixed(issuerId);
  return sql`(EXISTS (SELECT FROM users i JOIN user_roles h ON h.tenant_id = t.tenant_id AND h.user_id = i.id
      AND h.role_id = '000000000SuperAdministrator'
      WHERE i.tenant_id = t.tenant_id AND i.id = ${issuer} AND i.user_type <> 'SERVICE')
    AND (t.issued_answers = 'ALWAYS' OR t.issued_answers = 'WITHOUT_OTHER_SIGN_IN' AND NOT ${mailsLinks}::boolean
      AND NOT ${hasProvider}))`;
}

/**
 * Returns the condition that the issuer of row `alias` left since it was made, or is not there any more: a person who was disabled, deleted or terminated, and a
 * service principal that was deleted, of which there is no departure. False for what nobody issued. `departures_pkey` and `users_pkey` answer.
 */
export function getIsIssuerGoneSql(alias: 'c' | 'k' | 's'): Sql {
  const row = fixed(alias);
  return sql`(${row}.issuer_id <> '' AND (EXISTS (SELECT FROM departures d WHERE d.tenant_id = ${row}.tenant_id AND d.user_id = ${row}.issuer_id
      AND (d.left_at >= ${row}.created_at OR d.returned_at > ${row}.created_at))
    OR EXISTS (SELECT FROM users g WHERE g.tenant_id = ${row}.tenant_id AND g.id = ${row}.issuer_id AND g.status <> 'ENABLED')))`;
}

/**
 * Returns the ids of those who made service principals: of `ids`, an array, and of everybody before them, since a program may make a program. Empty where
 * they are people. `users_pkey` answers for each.
 */
export function getMakersSql(tenantId: string, ids: string): Sql {
  return sql`ARRAY(WITH RECURSIVE made (id) AS (
      SELECT unnest(${fixed(ids)}) UNION
      SELECT p.maker_id FROM made JOIN users p ON p.tenant_id = ${fixed(tenantId)} AND p.id = made.id AND p.user_type = 'SERVICE')
    SELECT made.id FROM made WHERE made.id <> '')`;
}

/**
 * Returns the name that a person had at a moment, or their address for want of one; null for an unknown id. `id` and `at` are columns or expressions; at no moment
 * it is today's. Two look-ups by key: `users_pkey` and `former_words_pkey`. Their address and employee id are in `person_words`, of which this is a piece.
 */
export const nameAtSql = (tenantId: string | Sql, id: string, at: string): Sql =>
  sql`(SELECT coalesce(nullif(w.display_name, ''), w.email) FROM person_words(${tenantId}, ${fixed(id)}, ${fixed(at)}) w)`;

/**
 * Selects the addresses that people had before: `id` of the person and `email_key`, also of those they have again, and of people who were deleted.
 * `former_words_by_email` answers by address.
 */
export function getFormerAddressesSql(tenantId: string): Sql {
  return sql`(SELECT w.user_id AS id, w.email_key FROM former_words w WHERE w.tenant_id = ${tenantId} AND w.email_key <> '')`;
}

/** Selects who the people with these ids are by now: themselves, or whom they were merged into. `ids` is an array; `users_pkey` answers. */
export function getByNowSql(tenantId: string, ids: Sql): Sql {
  return sql`(SELECT coalesce(m.merged_into_id, m.id) FROM users_public m WHERE m.tenant_id = ${tenantId} AND m.id = ANY (${ids}))`;
}

/** Returns an array of those who were merged into the person with this id. `users_merged` answers. */
export function getMergedSql(tenantId: Sql, id: Sql): Sql {
  return sql`ARRAY(SELECT m.id FROM users_public m WHERE m.tenant_id = ${tenantId} AND m.merged_into_id = ${id})`;
}

/**
 * Selects those in whose place a person decides at a moment: `user_id`, how many delegations lead from them (`depth`), and when the first of these ends
 * (`until`). A delegate who is away passes on what they decide for others, too; one who is not enabled passes on nothing. `delegations_by_delegate`
 * answers.
 */
export function getDelegatorsSql(tenantId: Sql, id: Sql, now: Date): Sql {
  return sql`(WITH RECURSIVE chain (user_id, depth, until, path) AS (
      SELECT d.user_id, 1, d.expires_at, ARRAY[d.delegated_user_id, d.user_id] FROM delegations d
      WHERE d.tenant_id = ${tenantId} AND d.delegated_user_id = ${id} AND ${isActiveDelegationSql(now)}
      UNION ALL
      SELECT d.user_id, c.depth + 1, least(c.until, d.expires_at), c.path || d.user_id FROM chain c
      JOIN users u ON u.tenant_id = ${tenantId} AND u.id = c.user_id AND u.status = 'ENABLED'
      JOIN delegations d ON d.tenant_id = ${tenantId} AND d.delegated_user_id = c.user_id AND ${isActiveDelegationSql(now)}
      WHERE NOT d.user_id = ANY (c.path))
    SELECT n.user_id, n.depth, n.until FROM chain n)`;
}

/** Returns an array of those in whose place a person decides at a moment, the nearest first; `delegations_by_delegate` answers. */
export const listDelegatorsSql = (tenantId: Sql, id: Sql, now: Date): Sql =>
  sql`ARRAY(SELECT g.user_id FROM ${getDelegatorsSql(tenantId, id, now)} g ORDER BY g.depth, g.user_id)`;

/**
 * Selects who stands for a person at a moment: `person_id`, and how many delegations lead to them (`depth`), the person themselves with 0. The same
 * chains as those of `getDelegatorsSql`, from their other end. `delegations_pkey` answers.
 */
export function getDelegatesSql(tenantId: Sql, id: Sql, now: Date): Sql {
  return sql`(WITH RECURSIVE chain (person_id, depth, path) AS (
      SELECT ${id}, 0, ARRAY[${id}]
      UNION ALL
      SELECT d.delegated_user_id, c.depth + 1, c.path || d.delegated_user_id FROM chain c
      JOIN delegations d ON d.tenant_id = ${tenantId} AND d.user_id = c.person_id AND ${isActiveDelegationSql(now)}
      JOIN users u ON u.tenant_id = ${tenantId} AND u.id = d.delegated_user_id AND u.status = 'ENABLED'
      WHERE NOT d.delegated_user_id = ANY (c.path))
    SELECT n.person_id, n.depth FROM chain n)`;
}
