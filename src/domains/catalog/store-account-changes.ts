/**
 * SQL that keeps what accounts said before a revision changed them, in one form for whoever changes accounts: manually, by matching, by a
 * sync. Reading it back is the business of who replays history.
 */
import type { Context } from '../../context.ts';
import type { AccountRow } from './store-accounts.ts';

/** What the account of this alias says, as one JSON object: the form of account_changes.before. */
export function getAccountContent(alias: string): string {
  const a = alias;
  return `jsonb_build_object('externalId', ${a}.external_id, 'userId', ${a}.user_id, 'accountType', ${a}.account_type, 'status', ${a}.status, 'displayName', ${a}.display_name,
    'email', ${a}.email, 'username', ${a}.username, 'employeeId', ${a}.employee_id, 'profile', ${a}.profile)`;
}

/** Keeps what an account says now, as what it said before this revision. To be called before the change, in its transaction. */
export async function insertAccountChange(context: Context, appId: string, accountId: string, revision: number): Promise<void> {
  await context.db.run(
    `INSERT INTO account_changes (tenant_id, app_id, account_id, revision, before)
     SELECT a.tenant_id, a.app_id, a.id, $4, ${getAccountContent('a')} FROM accounts a WHERE a.tenant_id = $1 AND a.app_id = $2 AND a.id = $3`,
    [context.tenantId, appId, accountId, revision],
  );
}

/** Gives an account another type, or only says whether that is manually. */
export async function updateAccountType(
  context: Context,
  account: Pick<AccountRow, 'appId' | 'id' | 'accountType' | 'isTypedByHand'>,
): Promise<void> {
  await context.db.run(
    `UPDATE accounts SET account_type = $4, type_by_hand = $5, updated_at = $6 WHERE tenant_id = $1 AND app_id = $2 AND id = $3`,
    [context.tenantId, account.appId, account.id, account.accountType, account.isTypedByHand, context.now],
  );
}
