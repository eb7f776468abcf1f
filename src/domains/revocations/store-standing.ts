/**
 * SQL on whether the access of a removal is there, as pieces for other statements: now, or as of a revision.
 */
import { type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';

/** The links by which a resource passes on what the removal `r` takes away; none where that is an account's. `l`, from the entitlement `f`. */
export function getLinks({ tenantId }: Pick<Context, 'tenantId'>): Sql {
  return sql`entitlements f JOIN entitlement_links l ON l.tenant_id = ${tenantId} AND l.app_id = f.app_id AND l.from_entitlement_id = f.id
      AND l.to_entitlement_id = r.entitlement_id
    WHERE f.tenant_id = ${tenantId} AND f.app_id = r.app_id AND f.resource_id = r.account_id`;
}

/**
 * The access of the removal `r` as it stands: `is_present`, `source_no` of what reports it, and of access that is gone the `revision` and the
 * `sync_id` by which it went. Of app access the account counts: one that is disabled gives none. To be joined laterally.
 */
export function getStanding(context: Pick<Context, 'tenantId'>): Sql {
  const { tenantId } = context;
  return sql`(SELECT CASE WHEN e.is_app_access THEN coalesce(a.source_no, 0) ELSE coalesce(g.source_no, 0) END AS source_no,
      g.added_revision IS NOT NULL AND g.removed_revision IS NULL AND NOT (coalesce(e.is_app_access, false) AND a.status <> 'ENABLED') AS is_present,
      coalesce(g.removed_revision, 0) AS revision, coalesce(v.sync_id, '') AS sync_id, coalesce(v.cause, '') AS cause
    FROM (SELECT 1) one
    LEFT JOIN entitlements e ON e.tenant_id = ${tenantId} AND e.app_id = r.app_id AND e.id = r.entitlement_id
    LEFT JOIN accounts a ON a.tenant_id = ${tenantId} AND a.app_id = r.app_id AND a.id = r.account_id
    LEFT JOIN LATERAL (
      SELECT x.added_revision, x.removed_revision, x.source_no FROM grants x
      WHERE x.tenant_id = ${tenantId} AND x.app_id = r.app_id AND x.entitlement_id = r.entitlement_id AND x.account_id = r.account_id
      UNION ALL SELECT max(l.added_revision), CASE WHEN bool_or(l.removed_revision IS NULL) THEN NULL ELSE max(l.removed_revision) END, max(f.source_no)
      FROM ${getLinks(context)} HAVING count(*) > 0
      ORDER BY added_revision DESC LIMIT 1) g ON true
    LEFT JOIN inventory_revisions v ON v.tenant_id = ${tenantId} AND v.revision = g.removed_revision)`;
}

/** Whether the access of the removal `r` was there as of a revision; for app access, whether its account may sign in now. */
export function getWasPresent(context: Pick<Context, 'tenantId'>, revision: number): Sql {
  const { tenantId } = context;
  return sql`((EXISTS (SELECT FROM grants x
      WHERE x.tenant_id = ${tenantId} AND x.app_id = r.app_id AND x.entitlement_id = r.entitlement_id AND x.account_id = r.account_id
        AND x.added_revision <= ${revision} AND (x.removed_revision IS NULL OR x.removed_revision > ${revision}))
      OR EXISTS (SELECT FROM ${getLinks(context)}
        AND l.added_revision <= ${revision} AND (l.removed_revision IS NULL OR l.removed_revision > ${revision})))
    AND NOT EXISTS (SELECT FROM accounts a JOIN entitlements e ON e.tenant_id = ${tenantId} AND e.app_id = a.app_id AND e.id = r.entitlement_id
        AND e.is_app_access
      WHERE a.tenant_id = ${tenantId} AND a.app_id = r.app_id AND a.id = r.account_id AND a.status <> 'ENABLED'))`;
}

/** The ways by which the access of the removal `r` is held besides, as a JSON list. */
export function getResidual({ tenantId }: Pick<Context, 'tenantId'>): Sql {
  return sql`residual_access(${tenantId}, r.app_id, r.entitlement_id, r.account_id, r.user_id)`;
}
