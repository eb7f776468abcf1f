/**
 * SQL that changes one account, manually or as an identity provider says: its owner, its type, what it says of itself.
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';

/** An account of an app. */
export interface AccountKey {
  readonly appId: string;
  readonly id: string;
}

/** Gives an account another type, or only says whether that is manual. */
export async function updateAccountType(
  context: Context,
  account: AccountKey & { readonly accountType: string; readonly isTypedByHand: boolean },
): Promise<void> {
  await context.db.run(
    sql`UPDATE accounts SET account_type = ${account.accountType}, type_by_hand = ${account.isTypedByHand}, updated_at = ${context.now}
      WHERE tenant_id = ${context.tenantId} AND app_id = ${account.appId} AND id = ${account.id}`,
  );
}

/**
 * Gives an account an owner, or nobody, and says whether that is manual. `matchCount` undefined: as it was. `byFormerAddress` says that the owner was
 * found by an address that they had before.
 */
export async function updateOwner(
  context: Context,
  account: AccountKey & {
    readonly userId: string | null;
    readonly isByHand: boolean;
    readonly matchCount?: number;
    readonly byFormerAddress?: boolean;
  },
): Promise<void> {
  await context.db.run(
    sql`UPDATE accounts SET user_id = ${account.userId}, owner_by_hand = ${account.isByHand},
        match_count = coalesce(${account.matchCount ?? null}, match_count), owner_by_former_address = ${account.byFormerAddress ?? false},
        updated_at = ${context.now}
      WHERE tenant_id = ${context.tenantId} AND app_id = ${account.appId} AND id = ${account.id}`,
  );
}

/** Account as an identity provider sends it. */
export interface PushedContent {
  readonly id: string;
  readonly externalId: string;
  readonly displayName: string;
  readonly email: string;
  readonly username: string;
  readonly employeeId: string;
  readonly status: 'ENABLED' | 'DISABLED' | 'DELETED';
  readonly sourceNo: number;
  readonly userId: string | null;
}

/** An account with what is pushed of it, and the rest as it is, as `updateAccounts` wants it. */
export function getPushedAccountSql(context: Context, appId: string, pushed: PushedContent): Sql {
  return sql`SELECT o.id, ${pushed.externalId}::text AS external_id, ${pushed.displayName}::text AS display_name, ${pushed.email}::text AS email,
      ${pushed.username}::text AS username, ${pushed.employeeId}::text AS employee_id, ${pushed.userId}::text AS user_id, o.owner_by_hand,
      0 AS match_count, false AS owner_by_former_address, o.account_type, ${pushed.status}::text AS status, o.profile, ${pushed.sourceNo}::smallint AS source_no
    FROM accounts o WHERE o.tenant_id = ${context.tenantId} AND o.app_id = ${appId} AND o.id = ${pushed.id}`;
}

/** An account with its source, as `updateAccountSources` wants it. */
export function getAccountSourceSql(id: string, sourceNo: number): Sql {
  return sql`SELECT ${id}::text AS id, ${sourceNo}::smallint AS source_no`;
}

/** An account to be, which belongs to a person. */
export interface NewAccount {
  readonly id: string;
  readonly externalId: string;
  readonly email: string;
  readonly displayName: string;
  /** Null for nobody. */
  readonly userId: string | null;
  /** Undefined for none; one that comes back keeps its own. */
  readonly username?: string;
  /** Undefined for none; one that comes back keeps its own. */
  readonly employeeId?: string;
  /** Undefined for ENABLED, which one that comes back is in any case. */
  readonly status?: 'ENABLED' | 'DISABLED';
}

function columnsOf(accounts: readonly NewAccount[]): Sql {
  const column = (name: keyof NewAccount, other: string | null = null): (string | null)[] =>
    accounts.map((account) => account[name] ?? other);
  return sql`unnest(${column('id')}::text[], ${column('externalId')}::text[], ${column('email')}::text[], ${column('displayName')}::text[],
    ${column('userId')}::text[], ${column('username', '')}::text[], ${column('employeeId', '')}::text[], ${column('status', 'ENABLED')}::text[])
    AS n (id, external_id, email, display_name, user_id, username, employee_id, status)`;
}

/** These accounts as `insertAccounts` wants them. */
export function getNewAccountsSql(accounts: readonly NewAccount[], sourceNo: number): Sql {
  return sql`SELECT n.id, n.external_id, n.display_name, n.email, n.username, n.employee_id, n.user_id, 0 AS match_count,
      false AS owner_by_former_address, 'USER' AS account_type, n.status, '{}'::jsonb AS profile, ${sourceNo}::smallint AS source_no
    FROM ${columnsOf(accounts)}`;
}

/** The accounts that had these names and were deleted, given to these people and this source, as `updateAccounts` wants them. */
export function getRevivedAccountsSql(context: Context, appId: string, accounts: readonly NewAccount[], sourceNo: number): Sql {
  return sql`SELECT o.id, o.external_id, o.display_name, o.email, o.username, o.employee_id, n.user_id, false AS owner_by_hand, 0 AS match_count,
      false AS owner_by_former_address, o.account_type, 'ENABLED' AS status, o.profile, ${sourceNo}::smallint AS source_no
    FROM ${columnsOf(accounts)}
    JOIN accounts o ON o.tenant_id = ${context.tenantId} AND o.app_id = ${appId} AND o.external_key = name_key(n.external_id)`;
}

/** The ids of the app's accounts of these names, deleted or not, by the key of the name. */
export async function listIdsByKey(context: Context, appId: string, keys: readonly string[]): Promise<Map<string, string>> {
  const rows = await context.db.rows<{ id: string; key: string }>(
    sql`SELECT id, external_key AS key FROM accounts
      WHERE tenant_id = ${context.tenantId} AND app_id = ${appId} AND external_key = ANY (${keys})`,
  );
  return new Map(rows.map((row) => [row.key, row.id]));
}
