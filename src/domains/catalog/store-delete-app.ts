/**
 * SQL that takes an app away with all that is in it. Nothing is erased, since reviews, events and the history of grants tell of it; each
 * statement is one pass over the rows of the app.
 */
import type { Scope } from '../../scope.ts';
import { getAccountContent } from './store-account-changes.ts';

/** Whether the app has accounts or open grants, whose end is a revision. */
export async function findLiveAccess(scope: Scope, appId: string): Promise<boolean> {
  const { live } = await scope.db.one<{ live: boolean }>(
    `SELECT EXISTS (SELECT FROM accounts WHERE tenant_id = $1 AND app_id = $2 AND status <> 'DELETED')
       OR EXISTS (SELECT FROM grants WHERE tenant_id = $1 AND app_id = $2 AND removed_revision IS NULL) AS live`,
    [scope.tenantId, appId],
  );
  return live;
}

/** Lets the statements of this transaction take as long as an app of a million grants needs, as imports may. */
export async function updateTimeLimit(scope: Scope): Promise<void> {
  await scope.db.run('SET LOCAL statement_timeout = 0');
}

/** Ends the open grants of the app and deletes its accounts, both at this revision. Returns how many grants ended, app access left out. */
export async function updateAccessEnded(scope: Scope, appId: string, revision: number): Promise<number> {
  const { ended } = await scope.db.one<{ ended: number }>(
    `WITH gone AS (
       UPDATE grants SET removed_revision = $3, ended_at = $4, updated_at = $4
       WHERE tenant_id = $1 AND app_id = $2 AND removed_revision IS NULL RETURNING is_derived)
     SELECT count(*) FILTER (WHERE NOT is_derived) AS ended FROM gone`,
    [scope.tenantId, appId, revision, scope.now],
  );
  await scope.db.run(
    `INSERT INTO account_changes (tenant_id, app_id, account_id, revision, before)
     SELECT a.tenant_id, a.app_id, a.id, $3, ${getAccountContent('a')} FROM accounts a
     WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.status <> 'DELETED'`,
    [scope.tenantId, appId, revision],
  );
  await scope.db.run(
    `UPDATE accounts SET status = 'DELETED', deleted_at = $3, updated_at = $3 WHERE tenant_id = $1 AND app_id = $2 AND status <> 'DELETED'`,
    [scope.tenantId, appId, scope.now],
  );
  return ended;
}

/** Marks the app deleted, and its resource types, resources, entitlements, data sources and its record as a directory with it. */
export async function removeApp(scope: Scope, appId: string): Promise<void> {
  const key = [scope.tenantId, appId, scope.now];
  for (const table of ['resource_types', 'resources', 'connectors', 'directories']) {
    await scope.db.run(
      `UPDATE ${table} SET deleted_at = $3, updated_at = $3 WHERE tenant_id = $1 AND app_id = $2 AND deleted_at IS NULL`,
      key,
    );
  }
  await scope.db.run(
    `UPDATE entitlements SET grant_count = 0, deleted_at = coalesce(deleted_at, $3), updated_at = $3 WHERE tenant_id = $1 AND app_id = $2`,
    key,
  );
  await scope.db.run(`UPDATE apps SET user_count = 0, deleted_at = $3, updated_at = $3 WHERE tenant_id = $1 AND id = $2`, key);
}
