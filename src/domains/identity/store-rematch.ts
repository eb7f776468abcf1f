/**
 * SQL that matches stored accounts to people again, app by app, and writes where the answer is another than before.
 */
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { getAccountContent } from '../catalog/index.ts';
import { getMatchSql } from './store-match.ts';

const keys = { email: sql`a.email`, employeeId: sql`a.employee_id`, username: sql`a.username`, externalId: sql`a.external_id` };

/**
 * The accounts of live apps that match otherwise than they say. An owner set manually stays, whatever it matches; manual accounts come
 * from no source and have no order; the owner of an account that an identity provider pushed, that one says. Costs one pass over the accounts
 * asked for and one over the people.
 */
function differing(tenantId: string, appId: string | undefined): Sql {
  const { joins, userId, matchCount } = getMatchSql(tenantId, keys, sql`n.match_order`);
  return sql`
  SELECT m.* FROM (
    SELECT a.app_id, a.id, a.user_id AS old_user_id, a.match_count AS old_match_count,
      CASE WHEN a.owner_by_hand THEN a.user_id ELSE ${userId} END AS user_id, ${matchCount} AS match_count
    FROM accounts a
    JOIN sources n ON n.tenant_id = ${tenantId} AND n.app_id = a.app_id AND n.source_no = a.source_no AND n.kind <> 'SCIM'
    ${joins}
    WHERE a.tenant_id = ${tenantId} AND ${appId === undefined ? sql`TRUE` : sql`a.app_id = ${appId}`} AND a.status <> 'DELETED') AS m
  WHERE (m.user_id, m.match_count) IS DISTINCT FROM (m.old_user_id, m.old_match_count)`;
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
}

/** The apps that have any, by id: this one, or all. */
export function listAppsToMatch({ db, tenantId }: Context, appId: string | undefined): Promise<AppToMatch[]> {
  return db.rows<AppToMatch>(
    sql`SELECT d.app_id AS "appId", count(*) FILTER (WHERE d.user_id IS DISTINCT FROM d.old_user_id) AS owners
     FROM (${differing(tenantId, appId)}) AS d JOIN apps p ON p.tenant_id = ${tenantId} AND p.id = d.app_id AND p.deleted_at IS NULL
     GROUP BY d.app_id ORDER BY d.app_id`,
  );
}

/** An account whose owner changed. */
export interface OwnerChange {
  readonly accountId: string;
  /** Who owned it before; null for nobody. */
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Gives the accounts of an app the owners they match, keeps what those said that changed as of this revision, and returns the first of the
 * changes by account.
 */
export function updateMatches({ db, tenantId, now }: Context, appId: string, revision: number, limit: number): Promise<OwnerChange[]> {
  return db.rows<OwnerChange>(
    sql`WITH wanted AS MATERIALIZED (${differing(tenantId, appId)}),
     kept AS (
       INSERT INTO account_changes (tenant_id, app_id, account_id, revision, before)
       SELECT ${tenantId}, a.app_id, a.id, ${revision}, ${fixed(getAccountContent('a'))}
       FROM wanted w JOIN accounts a ON a.tenant_id = ${tenantId} AND a.app_id = w.app_id AND a.id = w.id
       WHERE w.user_id IS DISTINCT FROM w.old_user_id),
     changed AS (
       UPDATE accounts a SET user_id = w.user_id, match_count = w.match_count,
         updated_at = CASE WHEN w.user_id IS DISTINCT FROM w.old_user_id THEN ${now} ELSE a.updated_at END
       FROM wanted w WHERE a.tenant_id = ${tenantId} AND a.app_id = w.app_id AND a.id = w.id)
     SELECT id AS "accountId", old_user_id AS "from", user_id AS "to" FROM wanted WHERE user_id IS DISTINCT FROM old_user_id
     ORDER BY id LIMIT ${limit}`,
  );
}
