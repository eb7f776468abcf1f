/**
 * SQL that takes an app away with all that is in it. Nothing is erased, since reviews, events and the history of grants report it. What marks
 * the app and what is listed in it is one pass over them; its grants and accounts are ended a range of keys at a time.
 */
import type { Context } from '../../context.ts';
import { getAccountContent } from './store-account-changes.ts';

/** Whether the app has accounts or open grants, whose end is a revision. */
export async function findLiveAccess(context: Context, appId: string): Promise<boolean> {
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
export async function updateGrantsEnded(
  context: Context,
  end: AppEnd,
  after: GrantKey,
  limit: number,
): Promise<{ last: GrantKey | undefined; ended: number; derived: number }> {
  const where = `tenant_id = $1 AND app_id = $2 AND removed_revision IS NULL AND (entitlement_id, account_id) > ($3, $4)`;
  const key = [context.tenantId, end.appId, after.entitlementId, after.accountId];
  const last = await context.db.maybe<GrantKey>(
    `SELECT entitlement_id AS "entitlementId", account_id AS "accountId" FROM grants WHERE ${where}
     ORDER BY entitlement_id, account_id OFFSET $5 LIMIT 1`,
    [...key, limit - 1],
  );
  const counts = await context.db.one<{ ended: number; derived: number }>(
    `WITH gone AS (
       UPDATE grants SET removed_revision = $5, ended_at = $6, updated_at = $7
       WHERE ${where} ${last === undefined ? '' : 'AND (entitlement_id, account_id) <= ($8, $9)'} RETURNING is_derived)
     SELECT count(*) AS ended, count(*) FILTER (WHERE is_derived) AS derived FROM gone`,
    [...key, end.revision, end.at, context.now, ...(last === undefined ? [] : [last.entitlementId, last.accountId])],
  );
  return { last, ...counts };
}

/**
 * Deletes up to `limit` accounts behind an id, and keeps what they said before. Returns the last id, undefined where none follows, and how many
 * were not deleted before.
 */
export async function updateAccountsEnded(
  context: Context,
  end: AppEnd,
  after: string,
  limit: number,
): Promise<{ last: string | undefined; ended: number }> {
  const where = `a.tenant_id = $1 AND a.app_id = $2 AND a.id > $3 AND a.status <> 'DELETED'`;
  const key = [context.tenantId, end.appId, after];
  const last = await context.db.maybe<{ id: string }>(`SELECT a.id FROM accounts a WHERE ${where} ORDER BY a.id OFFSET $4 LIMIT 1`, [
    ...key,
    limit - 1,
  ]);
  // Said only where there is an end, so that the index of ids is read no further.
  const range = (parameter: string): string => (last === undefined ? where : `${where} AND a.id <= ${parameter}`);
  const upTo = last === undefined ? [] : [last.id];
  await context.db.run(
    `INSERT INTO account_changes (tenant_id, app_id, account_id, revision, before)
     SELECT a.tenant_id, a.app_id, a.id, $4, ${getAccountContent('a')} FROM accounts a WHERE ${range('$5')}`,
    [...key, end.revision, ...upTo],
  );
  const ended = await context.db.run(`UPDATE accounts a SET status = 'DELETED', deleted_at = $4, updated_at = $5 WHERE ${range('$6')}`, [
    ...key,
    end.at,
    context.now,
    ...upTo,
  ]);
  return { last: last?.id, ended };
}
