/** SQL of access that was added after a revision: along the index of additions, so that it costs what was added and not what is held. */
import type { Context } from '../../../context.ts';
import { type Sql, sql } from '../../../lib/sql.ts';

/** Selects the grants of accounts that were added after a revision and are still held: `app_id`, `entitlement_id`, `account_id`. */
export const getAddedSql = (tenantId: string, after: number): Sql =>
  sql`SELECT g.app_id, g.entitlement_id, g.account_id FROM grants_public g
    WHERE g.tenant_id = ${tenantId} AND g.added_revision > ${after} AND g.removed_revision IS NULL`;

/** Returns the accounts that got an entitlement of a snapshot after a revision, in order. */
export function listAccountsAdded({ db, tenantId }: Context, snapshotId: string, after: number): Promise<string[]> {
  return db.column<string>(
    sql`SELECT DISTINCT g.account_id AS id FROM (${getAddedSql(tenantId, after)}) g
      JOIN review_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = ${snapshotId} AND e.app_id = g.app_id AND e.entitlement_id = g.entitlement_id
      WHERE NOT e.is_excluded ORDER BY 1`,
  );
}
