/** SQL that counts what rows would take away, for the guard; each only where something is. Read before the difference is written. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import type { DifferenceOf } from './store-difference.ts';

/** Counts the accounts that a source gives an app, before the difference is written. */
export function countAccountsOf({ db, tenantId }: Context, { appId, sourceNo }: DifferenceOf): Promise<number> {
  return db.value<number>(
    sql`SELECT count(*) FROM accounts_public a
      WHERE a.tenant_id = ${tenantId} AND a.app_id = ${appId} AND a.status <> 'DELETED' AND a.source_no = ${sourceNo}`,
  );
}

/** A resource type that loses grants. */
export interface TypeLoss {
  readonly name: string;
  readonly removed: number;
  readonly total: number;
}

/** Lists the resource types that lose at least so many grants of a source, the largest share first, with those that they have of it. */
export function listTypeLosses(
  { db, tenantId }: Context,
  { appId, sourceNo, hasOthers }: DifferenceOf,
  least: number,
): Promise<TypeLoss[]> {
  const held = hasOthers
    ? sql`(SELECT count(*) FROM grants_held g JOIN entitlements_public h ON h.tenant_id = ${tenantId} AND h.app_id = ${appId} AND h.id = g.entitlement_id
        WHERE g.tenant_id = ${tenantId} AND g.app_id = ${appId} AND g.source_no = ${sourceNo} AND NOT g.is_derived AND h.resource_type_id = l.id)`
    : sql`(SELECT sum(h.grant_count)::bigint FROM entitlements_public h
        WHERE h.tenant_id = ${tenantId} AND h.app_id = ${appId} AND h.resource_type_id = l.id AND NOT h.is_app_access)`;
  return db.rows<TypeLoss>(
    sql`SELECT t.display_name AS name, l.removed, ${held} AS total
      FROM (
        SELECT e.resource_type_id AS id, count(*) AS removed FROM import_changes c
        JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.id = c.entitlement_id AND NOT e.is_app_access
        WHERE c.change = 'R' GROUP BY e.resource_type_id HAVING count(*) >= ${least}) AS l
      JOIN resource_types_public t ON t.tenant_id = ${tenantId} AND t.app_id = ${appId} AND t.id = l.id
      ORDER BY l.removed * 1.0 / ${held} DESC, t.display_name`,
  );
}

/** Lists the entitlements that the rows still name and that lose all of their holders, of at least so many, the most first. */
export function listEmptied(
  { db, tenantId }: Context,
  { appId }: DifferenceOf,
  least: number,
): Promise<{ name: string; holders: number }[]> {
  return db.rows(
    sql`SELECT e.display_name AS name, l.removed AS holders
      FROM (SELECT c.entitlement_id AS id, count(*) AS removed FROM import_changes c WHERE c.change = 'R' GROUP BY 1 HAVING count(*) >= ${least}) AS l
      JOIN import_entitlement_ids i ON i.id = l.id AND i.no > 0
      JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = ${appId} AND e.id = l.id AND e.grant_count = l.removed
      WHERE NOT EXISTS (SELECT FROM import_changes a WHERE a.change = 'A' AND a.key >> 40 = i.no)
      ORDER BY l.removed DESC, e.display_name`,
  );
}
