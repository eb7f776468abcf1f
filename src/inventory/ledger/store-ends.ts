/**
 * SQL that finds where a piece of an app's access ends.
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import type { Pair } from './store-grants.ts';

/** The key of the open grant `g` at this place, from 1, of those for which `where` holds, in the order of the index of open grants. */
export function findGrantAt(context: Context, appId: string, where: Sql, place: number): Promise<Pair | undefined> {
  return context.db.maybe<Pair>(
    sql`SELECT g.entitlement_id AS "entitlementId", g.account_id AS "accountId" FROM grants g
      WHERE g.tenant_id = ${context.tenantId} AND g.app_id = ${appId} AND g.removed_revision IS NULL AND (${where})
      ORDER BY g.entitlement_id, g.account_id OFFSET ${place - 1} LIMIT 1`,
  );
}

/** The id of the account `a` at this place, from 1, of those for which `where` holds. */
export function findAccountAt(context: Context, appId: string, where: Sql, place: number): Promise<string | undefined> {
  return context.db.maybeValue<string>(
    sql`SELECT a.id FROM accounts a WHERE a.tenant_id = ${context.tenantId} AND a.app_id = ${appId} AND (${where})
      ORDER BY a.id OFFSET ${place - 1} LIMIT 1`,
  );
}

/** Those of the accounts that `others` selects (`id`, `source_no`) for which `where` holds, as `updateAccountSources` wants them. */
export function getHandedOverSql(context: Context, appId: string, others: Sql, where: Sql): Sql {
  return sql`SELECT a.id, o.source_no FROM (${others}) AS o
    JOIN accounts a ON a.tenant_id = ${context.tenantId} AND a.app_id = ${appId} AND a.id = o.id AND (${where})`;
}

/** Tests that a grant `g` is the app access of one of the accounts `a` for which `where` holds. */
export function getIsAppAccessSql(context: Context, appId: string, where: Sql): Sql {
  return sql`g.is_derived AND g.account_id IN (
    SELECT a.id FROM accounts a WHERE a.tenant_id = ${context.tenantId} AND a.app_id = ${appId} AND (${where}))`;
}
