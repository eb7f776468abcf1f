/** SQL that follows what goes on as others: accounts, entitlements, and resources that pass access on. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { type Merge, getMergesSql } from '../../inventory/ledger/index.ts';
import { openStates } from './record/index.ts';

/** Lets the removals of access of younger accounts of an app that are not over be of the oldest. What is over stays as it was said. */
export async function moveRemovals({ db, tenantId, now }: Context, appId: string, merges: readonly Merge[]): Promise<number> {
  return db.run(
    sql`UPDATE revocations r SET account_id = m.into_id, updated_at = ${now} FROM (${getMergesSql(merges)}) AS m
      WHERE r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.account_id = m.from_id AND r.principal_kind = 'A'
        AND r.state = ANY (${['HELD', ...openStates]})`,
  );
}

/** The same of younger entitlements. */
export async function moveEntitlementRemovals({ db, tenantId, now }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`UPDATE revocations r SET entitlement_id = m.into_id, updated_at = ${now} FROM (${getMergesSql(merges)}) AS m
      WHERE r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.entitlement_id = m.from_id AND r.state = ANY (${['HELD', ...openStates]})`,
  );
}

/** The same of what younger resources pass on. */
export async function moveResourceRemovals({ db, tenantId, now }: Context, appId: string, merges: readonly Merge[]): Promise<void> {
  await db.run(
    sql`UPDATE revocations r SET account_id = m.into_id, updated_at = ${now} FROM (${getMergesSql(merges)}) AS m
      WHERE r.tenant_id = ${tenantId} AND r.app_id = ${appId} AND r.account_id = m.from_id AND r.principal_kind = 'R'
        AND r.state = ANY (${['HELD', ...openStates]})`,
  );
}
