/**
 * SQL of the accounts that users are given in the app of their source. The ledger writes them.
 */
import type { Context } from '../../context.ts';
import { getNameKey } from '../../lib/names/same-name.ts';
import { sql } from '../../lib/sql.ts';
import { type Merge, getMergesSql, type PushedContent } from '../ledger/index.ts';

/** An account as far as a push is concerned. */
export interface AccountState extends PushedContent {
  readonly isOwnedByHand: boolean;
}

const columns = `id, external_id AS "externalId", display_name AS "displayName", email, username, employee_id AS "employeeId", status,
  source_no AS "sourceNo", user_id AS "userId", owner_by_hand AS "isOwnedByHand"`;

/** The account with this id, deleted or not. */
export function findAccountById(context: Context, appId: string, id: string): Promise<AccountState | undefined> {
  return context.db.maybe<AccountState>(`SELECT ${columns} FROM accounts_public WHERE tenant_id = $1 AND app_id = $2 AND id = $3`, [
    context.tenantId,
    appId,
    id,
  ]);
}

/** The account of this name, deleted or not. */
export function findAccountOfName(context: Context, appId: string, name: string): Promise<AccountState | undefined> {
  return context.db.maybe<AccountState>(
    `SELECT ${columns} FROM accounts_public WHERE tenant_id = $1 AND app_id = $2 AND external_key = $3`,
    [context.tenantId, appId, getNameKey(name)],
  );
}

/** Finds what an account holds: of this source, by entitlement, and the first other source that gives it something (0: manually); null for none. */
export function findHoldings(
  context: Context,
  appId: string,
  accountId: string,
  sourceNo: number,
): Promise<{ readonly entitlementIds: string[]; readonly otherSourceNo: number | null }> {
  return context.db.one(
    `SELECT coalesce(array_agg(g.entitlement_id) FILTER (WHERE g.source_no = $4), '{}')::text[] AS "entitlementIds",
       min(g.source_no) FILTER (WHERE g.source_no <> $4)::int AS "otherSourceNo"
     FROM grants_held g
     WHERE g.tenant_id = $1 AND g.app_id = $2 AND g.account_id = $3 AND NOT g.is_derived`,
    [context.tenantId, appId, accountId, sourceNo],
  );
}

/** Lets the pushed users of the younger accounts of an app have the oldest. */
export async function movePushedAccounts({ db, tenantId }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`UPDATE scim_resources r SET account_id = m.into_id FROM (${getMergesSql(merges)}) AS m
      WHERE r.tenant_id = ${tenantId} AND r.account_id = m.from_id
        AND r.source_id IN (SELECT s.id FROM sources_public s WHERE s.tenant_id = ${tenantId} AND s.app_id = ${appId})`,
  );
}

/** Lets the pushed groups that the younger entitlements of an app stand for be the oldest. */
export async function movePushedGroups({ db, tenantId }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`UPDATE scim_resources r SET entitlement_id = m.into_id FROM (${getMergesSql(merges)}) AS m
      WHERE r.tenant_id = ${tenantId} AND r.entitlement_id = m.from_id
        AND r.source_id IN (SELECT s.id FROM sources_public s WHERE s.tenant_id = ${tenantId} AND s.app_id = ${appId})`,
  );
}
