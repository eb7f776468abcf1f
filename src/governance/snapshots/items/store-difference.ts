/**
 * SQL that compares the items of a snapshot with those of the review before it.
 */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getGrantsAtSql, getHeldGrants, type SnapshotItems } from './store-items.ts';

/** The review before one. */
export interface Predecessor {
  readonly id: string;
  /** Of its snapshot. */
  readonly revision: number;
  /** Selects its items: `app_id`, `account_id`, `entitlement_id`, and `is_certified` where one may be carried over. */
  readonly items: Sql;
}

/** True if the item `i` was inherited at a revision; NULL where it was not held. */
export function getWasInheritedSql(tenantId: string, revision: number): Sql {
  return sql`(SELECT EXISTS (SELECT FROM jsonb_array_elements(p.paths) AS way WHERE way <> '[]')
    FROM (SELECT i.app_id, i.account_id) c CROSS JOIN LATERAL (
      ${getGrantsAtSql(tenantId, { revision, isStill: false })} AND g.entitlement_id = i.entitlement_id OFFSET 0) p LIMIT 1)`;
}

/** Items beside those of the review before. */
export interface DifferenceCounts {
  readonly added: number;
  readonly unchanged: number;
  readonly changed: number;
  readonly gone: number;
  /** Of the unchanged ones, those that are carried over where only changes are asked about. */
  readonly carried: number;
}

/**
 * Counts the items of a snapshot beside those of its predecessor. How a grant is held is compared only where a revision between the two
 * changed or ended it: everything else is held as it was.
 */
export async function countDifference(
  context: Context,
  items: SnapshotItems,
  { id, revision, items: was }: Predecessor,
): Promise<DifferenceCounts> {
  const { db, tenantId } = context;
  const { grants, condition } = getHeldGrants(context, items);
  const isInherited = (paths: string) => fixed(`EXISTS (SELECT FROM jsonb_array_elements(${paths}) AS way WHERE way <> '[]')`);
  await db.run("SET LOCAL enable_nestloop = off; SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL work_mem = '32MB'");
  return db.one<DifferenceCounts>(
    sql`WITH principals AS MATERIALIZED (
       SELECT n.app_id, n.account_id, n.principal_kind, n.access_profile_ids, n.excluded_by, n.user_id, n.user_status, n.employment_status,
         n.account_status, n.account_type, n.department, n.job_title, n.manager_id FROM ${items.holders.getAccounts()} n),
     held AS MATERIALIZED (
       SELECT c.app_id, c.account_id, c.access_profile_ids, h.entitlement_id, h.paths FROM principals c CROSS JOIN LATERAL (${grants} OFFSET 0) h
       WHERE c.excluded_by = ''),
     items AS MATERIALIZED (
       SELECT h.app_id, h.account_id, h.entitlement_id, h.paths FROM held h
       JOIN review_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = ${items.id} AND e.app_id = h.app_id
         AND e.entitlement_id = h.entitlement_id AND NOT e.is_excluded
       WHERE ${condition}),
     was AS MATERIALIZED (${was}),
     of_leavers AS MATERIALIZED (
       SELECT n.app_id, n.account_id FROM principals n
       WHERE n.user_id IS NOT NULL AND n.user_status <> 'ENABLED' OR n.employment_status = 'TERMINATED'),
     in_conflict AS MATERIALIZED (
       SELECT v.app_id, v.account_id, v.entitlement_id FROM review_conflict_grants v WHERE v.tenant_id = ${tenantId} AND v.review_id = ${items.id}),
     accounts_changed AS MATERIALIZED (
       SELECT n.app_id, n.account_id FROM principals n
       JOIN review_accounts o ON o.tenant_id = ${tenantId} AND o.review_id = ${id} AND o.app_id = n.app_id AND o.account_id = n.account_id
       WHERE (n.account_status, n.account_type, n.user_id, n.department, n.job_title, n.manager_id)
           IS DISTINCT FROM (o.account_status, o.account_type, o.user_id, o.department, o.job_title, o.manager_id)),
     entitlements_changed AS MATERIALIZED (
       SELECT n.app_id, n.entitlement_id FROM review_entitlements n
       JOIN review_entitlements o ON o.tenant_id = ${tenantId} AND o.review_id = ${id} AND o.app_id = n.app_id AND o.entitlement_id = n.entitlement_id
       WHERE n.tenant_id = ${tenantId} AND n.review_id = ${items.id} AND n.risk_level_value_id <> o.risk_level_value_id),
     touched AS MATERIALIZED (
       SELECT y.app_id, y.account_id, y.entitlement_id FROM grant_changes_public y WHERE y.tenant_id = ${tenantId} AND y.revision > ${revision}
       UNION SELECT y.app_id, y.account_id, y.entitlement_id FROM grants_public y WHERE y.tenant_id = ${tenantId} AND y.added_revision > ${revision}),
     held_otherwise AS MATERIALIZED (
       SELECT i.app_id, i.account_id, i.entitlement_id FROM items i
       JOIN touched x ON x.app_id = i.app_id AND x.account_id = i.account_id AND x.entitlement_id = i.entitlement_id
       CROSS JOIN LATERAL (
         SELECT p.paths FROM (SELECT i.app_id, i.account_id) c CROSS JOIN LATERAL (
           ${getGrantsAtSql(tenantId, { revision, isStill: false })} AND g.entitlement_id = i.entitlement_id OFFSET 0) p LIMIT 1) b
       WHERE ${isInherited('i.paths')} IS DISTINCT FROM ${isInherited('b.paths')}),
     compared AS (
       SELECT i.account_id IS NULL AS is_gone, w.account_id IS NULL AS is_new, w.is_certified AND l.account_id IS NULL AND v.account_id IS NULL AS is_kept,
         a.account_id IS NOT NULL OR e.entitlement_id IS NOT NULL OR h.account_id IS NOT NULL AS is_changed
       FROM items i FULL JOIN was w ON w.app_id = i.app_id AND w.account_id = i.account_id AND w.entitlement_id = i.entitlement_id
       LEFT JOIN accounts_changed a ON a.app_id = i.app_id AND a.account_id = i.account_id
       LEFT JOIN entitlements_changed e ON e.app_id = i.app_id AND e.entitlement_id = i.entitlement_id
       LEFT JOIN of_leavers l ON l.app_id = i.app_id AND l.account_id = i.account_id
       LEFT JOIN in_conflict v ON v.app_id = i.app_id AND v.account_id = i.account_id AND v.entitlement_id = i.entitlement_id
       LEFT JOIN held_otherwise h ON h.app_id = i.app_id AND h.account_id = i.account_id AND h.entitlement_id = i.entitlement_id)
     SELECT count(*) FILTER (WHERE c.is_new) AS added, count(*) FILTER (WHERE NOT c.is_new AND NOT c.is_gone AND NOT c.is_changed) AS unchanged,
       count(*) FILTER (WHERE NOT c.is_new AND NOT c.is_gone AND c.is_changed) AS changed, count(*) FILTER (WHERE c.is_gone) AS gone,
       count(*) FILTER (WHERE c.is_kept AND NOT c.is_new AND NOT c.is_gone AND NOT c.is_changed) AS carried
     FROM compared c`,
  );
}
