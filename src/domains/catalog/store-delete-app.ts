/**
 * SQL that takes an app away with all that is in it. Nothing is erased, since reviews, events and the history of grants report it. What marks
 * the app and what is listed in it is one pass over them; its grants and accounts are ended a range of keys at a time.
 */
import { empty, fixed, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { getAccountContent } from './store-account-changes.ts';

/** Whether the app has accounts or open grants, whose end is a revision. */
export async function hasLiveAccess(context: Context, appId: string): Promise<boolean> {
  const { live } = await context.db.one<{ live: boolean }>(
    `SELECT EXISTS (SELECT FROM accounts WHERE tenant_id = $1 AND app_id = $2 AND status <> 'DELETED')
       OR EXISTS (SELECT FROM grants WHERE tenant_id = $1 AND app_id = $2 AND removed_revision IS NULL) AS live`,
    [context.tenantId, appId],
  );
  return live;
}

/** How many open grants the app's entitlements say they have, app access left out. */
export async function countOpenGrants(context: Context, appId: string): Promise<number> {
  const { count } = await context.db.one<{ count: number }>(
    `SELECT coalesce(sum(grant_count), 0)::bigint AS count FROM entitlements WHERE tenant_id = $1 AND app_id = $2 AND NOT is_app_access`,
    [context.tenantId, appId],
  );
  return count;
}

/** Marks the app deleted, and its resource types, resources, entitlements, data sources and its record as a directory with it. */
export async function removeApp(context: Context, appId: string): Promise<void> {
  const key = [context.tenantId, appId, context.now];
  for (const table of ['resource_types', 'resources', 'directories']) {
    await context.db.run(
      `UPDATE ${table} SET deleted_at = $3, updated_at = $3 WHERE tenant_id = $1 AND app_id = $2 AND deleted_at IS NULL`,
      key,
    );
  }
  await context.db.run(
    `UPDATE sources SET deleted_at = $3, updated_at = $3, scim_token_hash = NULL
     WHERE tenant_id = $1 AND app_id = $2 AND deleted_at IS NULL`,
    key,
  );
  await context.db.run(
    `UPDATE entitlements SET grant_count = 0, deleted_at = $3, updated_at = $3 WHERE tenant_id = $1 AND app_id = $2 AND deleted_at IS NULL`,
    key,
  );
  await context.db.run(`UPDATE apps SET user_count = 0, deleted_at = $3, updated_at = $3 WHERE tenant_id = $1 AND id = $2`, key);
}

/** The deletion of an app, as what its grants and accounts end by. */
export interface AppEnd {
  readonly appId: string;
  readonly revision: number;
  /** When the app was deleted. */
  readonly at: Date;
}

/** The key of an open grant within its app. */
export interface GrantKey {
  readonly entitlementId: string;
  readonly accountId: string;
}

/**
 * Ends up to `limit` open grants behind a key, in the order of the index of open grants. Returns the last key, undefined where none follows, how
 * many ended, and how many were app access that follows from having an account.
 */
export async function endGrants(
  { db, tenantId, now }: Context,
  end: AppEnd,
  after: GrantKey,
  limit: number,
): Promise<{ last: GrantKey | undefined; ended: number; derived: number }> {
  const open = sql`tenant_id = ${tenantId} AND app_id = ${end.appId} AND removed_revision IS NULL
    AND (entitlement_id, account_id) > (${after.entitlementId}, ${after.accountId})`;
  const last = await db.maybe<GrantKey>(
    sql`SELECT entitlement_id AS "entitlementId", account_id AS "accountId" FROM grants WHERE ${open}
     ORDER BY entitlement_id, account_id OFFSET ${limit - 1} LIMIT 1`,
  );
  const upTo = last === undefined ? empty : sql`AND (entitlement_id, account_id) <= (${last.entitlementId}, ${last.accountId})`;
  const counts = await db.one<{ ended: number; derived: number }>(
    sql`WITH gone AS (
       UPDATE grants SET removed_revision = ${end.revision}, ended_at = ${end.at}, updated_at = ${now}
       WHERE ${open} ${upTo} RETURNING is_derived)
     SELECT count(*) AS ended, count(*) FILTER (WHERE is_derived) AS derived FROM gone`,
  );
  return { last, ...counts };
}

/**
 * Deletes up to `limit` accounts behind an id, and keeps what they said before. Returns the last id, undefined where none follows, and how many
 * were not deleted before.
 */
export async function endAccounts(
  { db, tenantId, now }: Context,
  end: AppEnd,
  after: string,
  limit: number,
): Promise<{ last: string | undefined; ended: number }> {
  const live = sql`a.tenant_id = ${tenantId} AND a.app_id = ${end.appId} AND a.id > ${after} AND a.status <> 'DELETED'`;
  const last = await db.maybe<{ id: string }>(sql`SELECT a.id FROM accounts a WHERE ${live} ORDER BY a.id OFFSET ${limit - 1} LIMIT 1`);
  // Said only where there is an end, so that the index of ids is read no further.
  const range = last === undefined ? live : sql`${live} AND a.id <= ${last.id}`;
  await db.run(
    sql`INSERT INTO account_changes (tenant_id, app_id, account_id, revision, before)
     SELECT a.tenant_id, a.app_id, a.id, ${end.revision}, ${fixed(getAccountContent('a'))} FROM accounts a WHERE ${range}`,
  );
  const ended = await db.run(sql`UPDATE accounts a SET status = 'DELETED', deleted_at = ${end.at}, updated_at = ${now} WHERE ${range}`);
  return { last: last?.id, ended };
}
