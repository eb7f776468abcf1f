/**
 * SQL of the links of a snapshot: that a resource, by one of its entitlements, passes another entitlement on. In a snapshot such a resource stands
 * beside the accounts, so that what is made of the grants of those is made of its links.
 */
import { type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';

/** What a resource is called where the type of an account stands. */
const resourceType = 'RESOURCE';

/** Freezes the resources that pass on a chosen entitlement of a snapshot; how many. Those that are only looked at for what they carry pass on nothing. */
export function insertSnapshotResources({ db, tenantId }: Context, snapshotId: string): Promise<number> {
  return db.run(
    sql`INSERT INTO review_accounts (tenant_id, review_id, app_id, account_id, external_id, display_name, account_type, account_status, principal_kind)
     SELECT DISTINCT ${tenantId}, ${snapshotId}, r.app_id, r.id, r.display_name, r.display_name, ${resourceType}, '', 'R'
     FROM review_entitlements x
     JOIN entitlement_links l ON l.tenant_id = ${tenantId} AND l.app_id = x.app_id AND l.to_entitlement_id = x.entitlement_id AND l.removed_revision IS NULL
     JOIN entitlements f ON f.tenant_id = ${tenantId} AND f.app_id = l.app_id AND f.id = l.from_entitlement_id AND f.deleted_at IS NULL
     JOIN resources r ON r.tenant_id = ${tenantId} AND r.app_id = f.app_id AND r.id = f.resource_id AND r.deleted_at IS NULL
     WHERE x.tenant_id = ${tenantId} AND x.review_id = ${snapshotId} AND NOT x.is_carrier`,
  );
}

/**
 * What the resource `c` passes on as of a revision, each once, in the columns of grants: held directly and for ever, at last used nobody knows
 * when, first seen with the first of its links. Looked up row by row: OFFSET 0.
 */
export function getLinksAt(tenantId: string, revision: number): Sql {
  return sql`SELECT l.to_entitlement_id AS entitlement_id, min(coalesce(v.made_at, 'epoch')) AS created_at, min(l.added_revision) AS added_revision,
      NULL::timestamptz AS granted_at, NULL::timestamptz AS last_used_at, NULL::timestamptz AS deprovision_at, NULL::jsonb AS paths
    FROM (SELECT f.id FROM entitlements f
      WHERE c.principal_kind = 'R' AND f.tenant_id = ${tenantId} AND f.app_id = c.app_id AND f.resource_id = c.account_id OFFSET 0) f
    CROSS JOIN LATERAL (
      SELECT l.to_entitlement_id, l.added_revision FROM entitlement_links l
      WHERE l.tenant_id = ${tenantId} AND l.app_id = c.app_id AND l.from_entitlement_id = f.id
        AND l.added_revision <= ${revision} AND (l.removed_revision IS NULL OR l.removed_revision > ${revision}) OFFSET 0) l
    LEFT JOIN LATERAL (
      SELECT v.made_at FROM inventory_revisions v WHERE v.tenant_id = ${tenantId} AND v.revision = l.added_revision OFFSET 0) v ON true
    GROUP BY l.to_entitlement_id`;
}
