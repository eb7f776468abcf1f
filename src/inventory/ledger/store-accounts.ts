/**
 * SQL that writes accounts, set by set, and keeps what they said before. The sets come as pieces of SQL (see store-grants.ts); what changes
 * one account alone is in store-one-account.ts.
 */
import type { Context } from '../../context.ts';
import { empty, fixed, type Sql, sql } from '../../lib/sql.ts';
import { getAccountContent } from './store-account-content.ts';
import type { AccessChange } from './store-grants.ts';

/** Accounts `a` of an app that are not deleted: those for which `where` holds; and, where there are `rows` (`r`, with `id`), only those. */
export interface LiveAccounts {
  readonly where: Sql;
  readonly rows?: Sql;
}

/**
 * Adds accounts. `rows` selects what none of the app has the name of: `id`, `external_id`, `display_name`, `email`, `username`,
 * `employee_id`, `user_id`, `match_count`, `owner_by_former_address`, `account_type`, `status`, `profile` and `source_no`.
 */
export function insertAccounts(context: Context, change: AccessChange, rows: Sql): Promise<number> {
  return context.db.run(
    sql`INSERT INTO accounts (tenant_id, app_id, id, external_id, display_name, email, username, employee_id, user_id, match_count,
        owner_by_former_address, account_type, status, profile, source_no, added_revision, created_at, updated_at)
      SELECT ${context.tenantId}, ${change.appId}, r.id, r.external_id, r.display_name, r.email, r.username, r.employee_id, r.user_id,
        r.match_count, r.owner_by_former_address, r.account_type, r.status, r.profile, r.source_no, ${change.revision}, ${context.now}, ${context.now}
      FROM (${rows}) AS r`,
  );
}

/** Keeps what accounts said before this revision; `rows` selects `account_id` and `before`. */
export async function insertAccountChanges(context: Context, change: AccessChange, rows: Sql): Promise<void> {
  await context.db.run(
    sql`INSERT INTO account_changes (tenant_id, app_id, account_id, revision, before)
      SELECT ${context.tenantId}, ${change.appId}, r.account_id, ${change.revision}, r.before FROM (${rows}) AS r`,
  );
}

/** Selects accounts `a` as they are now, for `insertAccountChanges`. */
export function getAccountsNowSql(context: Context, change: AccessChange, where: Sql): Sql {
  return sql`SELECT a.id AS account_id, ${fixed(getAccountContent('a'))} AS before FROM accounts a
    WHERE a.tenant_id = ${context.tenantId} AND a.app_id = ${change.appId} AND (${where})`;
}

/** Tests that this revision has not changed an account `a` before: whoever did kept what it said. To be asked of few accounts. */
export function getIsUnkeptSql(context: Context, change: AccessChange): Sql {
  return sql`NOT EXISTS (SELECT FROM account_changes x WHERE x.tenant_id = ${context.tenantId} AND x.app_id = ${change.appId}
    AND x.account_id = a.id AND x.revision = ${change.revision})`;
}

/**
 * Makes accounts say this; those that were deleted come back, unless they are to stay so. `rows` selects `id`, `external_id`, `display_name`,
 * `email`, `username`, `employee_id`, `user_id`, `owner_by_hand`, `match_count`, `owner_by_former_address`, `account_type`, `status`, `profile` and
 * `source_no`.
 */
export async function updateAccounts(context: Context, appId: string, rows: Sql): Promise<void> {
  await context.db.run(
    sql`UPDATE accounts a SET external_id = r.external_id, display_name = r.display_name, email = r.email, username = r.username,
        employee_id = r.employee_id, user_id = r.user_id, owner_by_hand = r.owner_by_hand, match_count = r.match_count,
        owner_by_former_address = r.owner_by_former_address,
        account_type = r.account_type, status = r.status, profile = r.profile, source_no = r.source_no, updated_at = ${context.now},
        deleted_at = CASE WHEN r.status = 'DELETED' THEN a.deleted_at END
      FROM (${rows}) AS r
      WHERE a.tenant_id = ${context.tenantId} AND a.app_id = ${appId} AND a.id = r.id`,
  );
}

/** Hands accounts over to other sources; `rows` selects `id` and `source_no`. */
export async function updateAccountSources(context: Context, appId: string, rows: Sql): Promise<void> {
  await context.db.run(
    sql`UPDATE accounts a SET source_no = r.source_no, updated_at = ${context.now} FROM (${rows}) AS r
      WHERE a.tenant_id = ${context.tenantId} AND a.app_id = ${appId} AND a.id = r.id AND a.source_no <> r.source_no`,
  );
}

/** Marks accounts as deleted at this moment and returns how many; one that comes back is the same account again. */
export function updateEndedAccounts(context: Context, appId: string, { where, rows }: LiveAccounts, at: Date): Promise<number> {
  return context.db.run(
    sql`UPDATE accounts a SET status = 'DELETED', deleted_at = ${at}, updated_at = ${context.now}
      ${rows === undefined ? empty : sql`FROM (${rows}) AS r`}
      WHERE a.tenant_id = ${context.tenantId} AND a.app_id = ${appId} AND a.status <> 'DELETED'
        ${rows === undefined ? empty : sql`AND a.id = r.id`} AND (${where})`,
  );
}

/** An account whose owner changed, or is found by a former address from now on. */
export interface OwnerChange {
  readonly accountId: string;
  /** Owner before; null for nobody. */
  readonly from: string | null;
  readonly to: string | null;
  /** The owner is found by an address that they had before; absent where not. */
  readonly byFormerAddress?: true;
}

/**
 * Gives accounts of an app other owners, keeps what those said whose owner is another one as of this revision, and returns the first of these changes
 * by account, and of those that are found by a former address from now on. `rows` selects `id`, `old_user_id`, `user_id`, `match_count`,
 * `owner_by_former_address` and `was_by_former_address`, and is asked once.
 */
export async function updateOwners(context: Context, change: AccessChange, rows: Sql, limit: number): Promise<OwnerChange[]> {
  const { tenantId } = context;
  const isOther = fixed('w.user_id IS DISTINCT FROM w.old_user_id');
  const found = await context.db.rows<Omit<OwnerChange, 'byFormerAddress'> & { byFormerAddress: boolean }>(
    sql`WITH wanted AS MATERIALIZED (${rows}),
      kept AS (
        INSERT INTO account_changes (tenant_id, app_id, account_id, revision, before)
        SELECT ${tenantId}, a.app_id, a.id, ${change.revision}, ${fixed(getAccountContent('a'))}
        FROM wanted w JOIN accounts a ON a.tenant_id = ${tenantId} AND a.app_id = ${change.appId} AND a.id = w.id
        WHERE ${isOther}),
      changed AS (
        UPDATE accounts a SET user_id = w.user_id, match_count = w.match_count, owner_by_former_address = w.owner_by_former_address,
          updated_at = CASE WHEN ${isOther} OR w.owner_by_former_address <> w.was_by_former_address THEN ${context.now} ELSE a.updated_at END
        FROM wanted w WHERE a.tenant_id = ${tenantId} AND a.app_id = ${change.appId} AND a.id = w.id)
      SELECT w.id AS "accountId", w.old_user_id AS "from", w.user_id AS "to", w.owner_by_former_address AS "byFormerAddress" FROM wanted w
      WHERE ${isOther} OR w.owner_by_former_address AND NOT w.was_by_former_address
      ORDER BY w.id LIMIT ${limit}`,
  );
  return found.map(({ byFormerAddress, ...one }) => (byFormerAddress ? { ...one, byFormerAddress } : one));
}

/** Lets these accounts of an app keep their owners, whatever they match. */
export async function keepOwners({ db, tenantId }: Context, appId: string, accountIds: readonly string[]): Promise<void> {
  await db.run(
    sql`UPDATE accounts SET owner_by_hand = true WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND id = ANY (${[...accountIds]})`,
  );
}

/** Converts the values of a profile attribute to the type it was given, as far as they fit. How many accounts had another one before. */
export function updateAccountProfiles(context: Context, name: string, type: string): Promise<number> {
  const typed = sql`typed_profile(profile, jsonb_build_object(${name}::text, ${type}::text))`;
  return context.db.run(
    sql`UPDATE accounts SET profile = ${typed} WHERE tenant_id = ${context.tenantId} AND profile ? ${name} AND ${typed} <> profile`,
  );
}
