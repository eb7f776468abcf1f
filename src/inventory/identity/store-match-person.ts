/**
 * SQL that matches the few accounts that could be certain people's, and finds where the answer is another than before.
 */
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import type { OwnerChange } from '../ledger/index.ts';
import { getFormerAddressesSql } from '../../foundation/directory/index.ts';
import { identitySlot } from './slots.ts';
import { getMatchSqlOfFew } from './store-match.ts';

/** Keys accounts find a person by, as the database compares them; '' for what they do not have. */
export interface PersonKeys {
  readonly emailKey: string;
  readonly employeeId: string;
  readonly usernameKey: string;
}

/** The keys of these people, deleted ones too: their own, those that their live records say, and the addresses they had before. */
export function listPersonKeys({ db, tenantId }: Context, userIds: readonly string[]): Promise<PersonKeys[]> {
  const isOne = (column: string): Sql => sql`${fixed(column)} = ANY (${userIds})`;
  return db.rows<PersonKeys>(
    sql`SELECT u.email_key AS "emailKey", u.employee_id AS "employeeId", u.username_key AS "usernameKey" FROM users_public u
        WHERE u.tenant_id = ${tenantId} AND ${isOne('u.id')}
      UNION SELECT k.email_key, k.employee_id, k.username_key FROM ${identitySlot.get().getRecordKeys(tenantId)} AS k WHERE ${isOne('k.id')}
      UNION SELECT w.email_key, '', '' FROM ${getFormerAddressesSql(tenantId)} AS w WHERE ${isOne('w.id')}`,
  );
}

/** An account that matches otherwise than it says. */
export interface DifferingAccount extends Omit<OwnerChange, 'byFormerAddress'> {
  readonly appId: string;
  readonly matchCount: number;
  readonly byFormerAddress: boolean;
  readonly wasByFormerAddress: boolean;
}

/** Accounts of people, and others, to match again. */
export interface AccountsOf {
  readonly userIds: readonly string[];
  readonly keys: readonly PersonKeys[];
  /** Undefined for all apps. */
  readonly appIds: readonly string[] | undefined;
}

/** The statement of `listDifferingOf`; apart so that its plan can be looked at. */
export function getDifferingSql(tenantId: string, { userIds, keys, appIds }: AccountsOf): Sql {
  const { joins, userId, matchCount, byFormerAddress } = getMatchSqlOfFew(tenantId, sql`n.match_order`);
  // Conditions without '' let the indexes of keys be used, which are over those that have one.
  const withKey = (column: string, values: readonly string[]): Sql =>
    sql`SELECT app_id, id FROM accounts_public WHERE tenant_id = ${tenantId} AND ${fixed(column)} = ANY (${values}) AND ${fixed(column)} <> ''`;
  const email = keys.map((one) => one.emailKey);
  const employeeId = keys.map((one) => one.employeeId);
  const username = keys.map((one) => one.usernameKey);
  return sql`
  WITH candidates AS MATERIALIZED (
    SELECT app_id, id FROM accounts_public WHERE tenant_id = ${tenantId} AND user_id = ANY (${userIds})
    UNION ${withKey('email_key', email)}
    UNION ${withKey('employee_id', employeeId)}
    UNION ${withKey('username_key', username)})
  SELECT m.app_id AS "appId", m.id AS "accountId", m.old_user_id AS "from", m.user_id AS "to", m.match_count AS "matchCount",
    m.owner_by_former_address AS "byFormerAddress", m.was_by_former_address AS "wasByFormerAddress"
  FROM (
    SELECT a.app_id, a.id, a.user_id AS old_user_id, a.match_count AS old_match_count, a.owner_by_former_address AS was_by_former_address,
      CASE WHEN a.owner_by_hand THEN a.user_id ELSE ${userId} END AS user_id, ${matchCount} AS match_count,
      NOT a.owner_by_hand AND ${byFormerAddress} AS owner_by_former_address
    FROM candidates x
    JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = x.app_id AND a.id = x.id AND a.status <> 'DELETED'
    JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = a.app_id AND p.deleted_at IS NULL
    JOIN sources_public n ON n.tenant_id = ${tenantId} AND n.app_id = a.app_id AND n.source_no = a.source_no AND n.kind <> 'SCIM'
    ${joins}
    WHERE ${appIds === undefined ? sql`TRUE` : sql`a.app_id = ANY (${appIds})`}) AS m
  WHERE (m.user_id, m.match_count, m.owner_by_former_address) IS DISTINCT FROM (m.old_user_id, m.old_match_count, m.was_by_former_address)
  ORDER BY m.app_id, m.id`;
}

/**
 * The accounts that match otherwise than they say, of those that these people own, or that have a key of theirs, or one that they had; of
 * these apps, or of all. Which accounts are matched at all is as in store-rematch.ts.
 */
export async function listDifferingOf(
  context: Context,
  userIds: readonly string[],
  before: readonly PersonKeys[],
  appIds: readonly string[] | undefined,
): Promise<DifferingAccount[]> {
  const keys = [...before, ...(await listPersonKeys(context, userIds))];
  return context.db.rows<DifferingAccount>(getDifferingSql(context.tenantId, { userIds, keys, appIds }));
}

/** Locks these apps until the transaction ends. */
export async function lockAppsOf(context: Context, appIds: readonly string[]): Promise<void> {
  await context.db.rows(`SELECT id FROM apps WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`, [
    context.tenantId,
    appIds,
  ]);
}

/** Accounts that match otherwise than they say, as the ledger wants them. */
export function getDifferingAccountsSql(accounts: readonly DifferingAccount[]): Sql {
  return sql`SELECT * FROM unnest(${accounts.map((one) => one.accountId)}::text[], ${accounts.map((one) => one.from)}::text[],
    ${accounts.map((one) => one.to)}::text[], ${accounts.map((one) => one.matchCount)}::integer[], ${accounts.map((one) => one.byFormerAddress)}::boolean[],
    ${accounts.map((one) => one.wasByFormerAddress)}::boolean[])
    AS w (id, old_user_id, user_id, match_count, owner_by_former_address, was_by_former_address)`;
}

/** An account that is to have another owner. */
export interface MovingAccount extends DifferingAccount {
  readonly name: string;
  /** True if it is not that person's by itself: matching would take it away again. */
  readonly isByHand: boolean;
}

/** More accounts of one person than these are not moved at once. */
export const maxMoved = 10_000;

/** The accounts that one person owns, as they are once another does. What an identity provider pushes is whose it says. */
export function listMoving({ db, tenantId }: Context, fromId: string, intoId: string): Promise<MovingAccount[]> {
  const { joins, userId, matchCount, byFormerAddress } = getMatchSqlOfFew(tenantId, sql`n.match_order`);
  const isMatched = sql`NOT a.owner_by_hand AND n.kind <> 'SCIM' AND (${userId}) IS NOT DISTINCT FROM ${intoId}::text`;
  return db.rows<MovingAccount>(
    sql`SELECT a.app_id AS "appId", a.id AS "accountId", a.user_id AS "from", ${intoId}::text AS "to", p.display_name || ': ' || a.external_id AS name,
        CASE WHEN n.id IS NULL OR n.kind = 'SCIM' THEN a.match_count ELSE ${matchCount} END AS "matchCount",
        coalesce(${isMatched} AND ${byFormerAddress}, false) AS "byFormerAddress", a.owner_by_former_address AS "wasByFormerAddress",
        a.owner_by_hand OR (n.kind <> 'SCIM' AND (${userId}) IS DISTINCT FROM ${intoId}::text) IS TRUE AS "isByHand"
      FROM accounts_public a
      JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = a.app_id AND p.deleted_at IS NULL
      LEFT JOIN sources_public n ON n.tenant_id = ${tenantId} AND n.app_id = a.app_id AND n.source_no = a.source_no
      ${joins}
      WHERE a.tenant_id = ${tenantId} AND a.user_id = ${fromId} AND a.status <> 'DELETED'
      ORDER BY a.app_id, a.id LIMIT ${maxMoved + 1}`,
  );
}

/** Counts the accounts that a person owns, with the first of them by name. */
export function listAccountNames(
  { db, tenantId }: Context,
  userId: string,
  most: number,
): Promise<{ readonly count: number; readonly names: readonly string[] }> {
  return db.one(
    sql`SELECT count(*) AS count, ((array_agg(p.display_name || ': ' || a.external_id ORDER BY a.app_id, a.id))[1:${most}::integer]) AS names
      FROM accounts_public a JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = a.app_id AND p.deleted_at IS NULL
      WHERE a.tenant_id = ${tenantId} AND a.user_id = ${userId} AND a.status <> 'DELETED'`,
  );
}
