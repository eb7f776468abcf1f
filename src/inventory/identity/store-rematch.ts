/**
 * SQL that matches stored accounts to people again, app by app, and finds where the answer is another than before.
 */
import { type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { getMatchSql } from './store-match.ts';

const keys = { emailKey: sql`a.email_key`, employeeId: sql`a.employee_id`, usernameKey: sql`a.username_key` };

/**
 * The accounts of live apps that match otherwise than they say. An owner set manually stays, whatever it matches; manual accounts come
 * from no source and have no order; the owner of an account that an identity provider pushed, that one says. Costs one pass over the accounts
 * asked for and one over the people.
 */
function differing(tenantId: string, appId: string | undefined): Sql {
  const { joins, userId, matchCount, byFormerAddress } = getMatchSql(tenantId, keys, sql`n.match_order`);
  return sql`
  SELECT m.* FROM (
    SELECT a.app_id, a.id, a.user_id AS old_user_id, a.match_count AS old_match_count, a.owner_by_former_address AS was_by_former_address,
      CASE WHEN a.owner_by_hand THEN a.user_id ELSE ${userId} END AS user_id, ${matchCount} AS match_count,
      NOT a.owner_by_hand AND ${byFormerAddress} AS owner_by_former_address
    FROM accounts_public a
    JOIN sources_public n ON n.tenant_id = ${tenantId} AND n.app_id = a.app_id AND n.source_no = a.source_no AND n.kind <> 'SCIM'
    ${joins}
    WHERE a.tenant_id = ${tenantId} AND ${appId === undefined ? sql`TRUE` : sql`a.app_id = ${appId}`} AND a.status <> 'DELETED') AS m
  WHERE (m.user_id, m.match_count, m.owner_by_former_address) IS DISTINCT FROM (m.old_user_id, m.old_match_count, m.was_by_former_address)`;
}

/** Locks this app, or each that is there, until the transaction ends, so that no sync brings accounts that are matched to people as they were. */
export async function lockApps(context: Context, appId: string | undefined): Promise<void> {
  await context.db.rows(
    `SELECT id FROM apps WHERE tenant_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR id = $2) ORDER BY id FOR NO KEY UPDATE`,
    [context.tenantId, appId ?? null],
  );
}

/** An app with accounts that match otherwise than they say. */
export interface AppToMatch {
  readonly appId: string;
  /** Accounts that get another owner, or lose theirs. */
  readonly owners: number;
  /** Accounts whose owner is found by a former address, and was not. */
  readonly marked: number;
}

/** The apps that have any, by id: this one, or all. */
export function listAppsToMatch({ db, tenantId }: Context, appId: string | undefined): Promise<AppToMatch[]> {
  return db.rows<AppToMatch>(
    sql`SELECT d.app_id AS "appId", count(*) FILTER (WHERE d.user_id IS DISTINCT FROM d.old_user_id) AS owners,
       count(*) FILTER (WHERE d.owner_by_former_address AND NOT d.was_by_former_address) AS marked
     FROM (${differing(tenantId, appId)}) AS d JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = d.app_id AND p.deleted_at IS NULL
     GROUP BY d.app_id ORDER BY d.app_id`,
  );
}

/** The accounts of an app that match otherwise than they say, as the ledger wants them. */
export function getAppDifferingSql(context: Context, appId: string): Sql {
  return differing(context.tenantId, appId);
}
