/**
 * SQL that makes the accounts of an app those of a file, as store-accounts.ts found the difference, and keeps what they said before.
 */
import type { Context } from '../../context.ts';

/** Adds the accounts that are new. */
export function insertAccounts(context: Context, appId: string, sourceNo: number, revision: number): Promise<number> {
  return context.db.run(
    `INSERT INTO accounts (tenant_id, app_id, id, external_id, display_name, email, username, employee_id, user_id, match_count, account_type, status,
       profile, source_no, added_revision, created_at, updated_at)
     SELECT $1, $2, id, account, display_name, email_key, username, employee_id, user_id, match_count, account_type, account_status,
       profile, $4, $5, $3, $3
     FROM import_accounts WHERE is_new ORDER BY no`,
    [context.tenantId, appId, context.now, sourceNo, revision],
  );
}

/** Keeps what the accounts said that this revision changes or deletes. */
export function insertAccountChanges(context: Context, appId: string, revision: number): Promise<number> {
  return context.db.run(
    `INSERT INTO account_changes (tenant_id, app_id, account_id, revision, before)
     SELECT $1, $2, id, $3, before FROM import_account_changes WHERE change <> 'TOUCHED'`,
    [context.tenantId, appId, revision],
  );
}

/** Updates the accounts of the file that differ, and hands over those that another source still gives something. The others are not touched. */
export async function updateAccounts(context: Context, appId: string): Promise<void> {
  await context.db.run(
    `UPDATE accounts a SET email = n.email_key, user_id = n.user_id, match_count = n.match_count, account_type = n.account_type,
       status = n.account_status, profile = n.profile, username = n.username, employee_id = n.employee_id, display_name = n.display_name,
       source_no = c.next_source_no, updated_at = $3, deleted_at = NULL
     FROM import_account_changes c JOIN import_accounts n ON n.id = c.id
     WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.id = c.id`,
    [context.tenantId, appId, context.now],
  );
  await context.db.run(
    `UPDATE accounts a SET source_no = c.next_source_no, updated_at = $3
     FROM import_account_changes c
     WHERE c.change = 'TOUCHED' AND a.tenant_id = $1 AND a.app_id = $2 AND a.id = c.id AND a.source_no <> c.next_source_no`,
    [context.tenantId, appId, context.now],
  );
}

/** Marks the accounts as deleted that the file does not name; one that comes back is the same account again. */
export function removeMissingAccounts(context: Context, appId: string): Promise<number> {
  return context.db.run(
    `UPDATE accounts a SET status = 'DELETED', deleted_at = $3, updated_at = $3
     FROM import_account_changes c
     WHERE c.change = 'REMOVED' AND a.tenant_id = $1 AND a.app_id = $2 AND a.id = c.id`,
    [context.tenantId, appId, context.now],
  );
}

/** Corrects the kept number of the app's accounts. */
export async function updateUserCount(context: Context, appId: string, gained: number): Promise<void> {
  await context.db.run(`UPDATE apps SET user_count = user_count + $3 WHERE tenant_id = $1 AND id = $2`, [context.tenantId, appId, gained]);
}
