/**
 * SQL of the links of a snapshot: that a resource, by one of its entitlements, passes another entitlement on. In a snapshot such a resource stands
 * beside the accounts, so that what is made of the grants of those is made of its links.
 */
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { commitmentSql, lineJson, textJson } from '../../../lib/log/line-sql.ts';

/** The text committed to of the account `n`: all by which it names somebody. The profile is a text, as the database writes it. */
export const accountCommitted = lineJson({
  displayName: textJson('n.display_name'),
  email: textJson('n.email'),
  employeeId: textJson('n.employee_id'),
  externalId: textJson('n.external_id'),
  profile: textJson('n.profile::text'),
  username: textJson('n.username'),
});

/** Name of a resource where the type of an account stands. */
export const resourceType = 'RESOURCE';

/**
 * Selects the resources that pass on a chosen entitlement of a snapshot, as `app_id`, `id` and `display_name`. Those that are only looked at for what
 * they carry pass on nothing.
 */
export const getCarryingResources = (tenantId: string, snapshotId: string): Sql =>
  sql`SELECT DISTINCT r.app_id, r.id, r.display_name FROM review_entitlements x
     JOIN links_public l ON l.tenant_id = ${tenantId} AND l.app_id = x.app_id AND l.to_entitlement_id = x.entitlement_id AND l.removed_revision IS NULL
     JOIN entitlements_public f ON f.tenant_id = ${tenantId} AND f.app_id = l.app_id AND f.id = l.from_entitlement_id AND f.deleted_at IS NULL
     JOIN resources_public r ON r.tenant_id = ${tenantId} AND r.app_id = f.app_id AND r.id = f.resource_id AND r.deleted_at IS NULL
     WHERE x.tenant_id = ${tenantId} AND x.review_id = ${snapshotId} AND NOT x.is_carrier`;

/** Freezes the resources that pass on a chosen entitlement of a snapshot; how many. */
export function insertSnapshotResources({ db, tenantId }: Context, snapshotId: string): Promise<number> {
  return db.run(
    sql`INSERT INTO review_accounts (tenant_id, review_id, app_id, account_id, external_id, display_name, account_type, account_status, principal_kind,
       verdict, salt, commitment)
     SELECT ${tenantId}, ${snapshotId}, n.app_id, n.account_id, n.external_id, n.display_name, ${resourceType}, '', 'R', 'IN', n.salt,
       ${commitmentSql('n.salt', accountCommitted)}
     FROM (SELECT m.app_id, m.id AS account_id, m.display_name AS external_id, m.display_name, '' AS email, '' AS username, '' AS employee_id,
       '{}'::jsonb AS profile, gen_random_uuid() AS salt FROM (${getCarryingResources(tenantId, snapshotId)}) m) n`,
  );
}

/**
 * Selects what the resource `c` passes on as of a revision, each once, in the columns of grants: held directly and for ever, at last used nobody
 * knows when, first seen with the first of its links. An entitlement that was put on another resource later counts for the one it was on. Looked up row by
 * row: OFFSET 0.
 */
export function getLinksAtSql(tenantId: string, revision: number): Sql {
  return sql`SELECT l.to_entitlement_id AS entitlement_id, min(coalesce(v.made_at, 'epoch')) AS created_at, min(l.added_revision) AS added_revision,
      0::smallint AS source_no, NULL::timestamptz AS granted_at, NULL::timestamptz AS last_used_at, NULL::timestamptz AS deprovision_at, NULL::jsonb AS paths
    FROM (SELECT f.id FROM entitlements_public f
      WHERE c.principal_kind = 'R' AND f.tenant_id = ${tenantId} AND f.app_id = c.app_id AND f.resource_id = c.account_id
        AND (f.moved_revision IS NULL OR f.moved_revision <= ${revision})
      UNION ALL SELECT f.id FROM entitlements_public f
      WHERE c.principal_kind = 'R' AND f.tenant_id = ${tenantId} AND f.app_id = c.app_id AND f.moved_from_id = c.account_id AND f.moved_from_id <> ''
        AND f.moved_revision > ${revision} OFFSET 0) f
    CROSS JOIN LATERAL (
      SELECT l.to_entitlement_id, l.added_revision FROM links_public l
      WHERE l.tenant_id = ${tenantId} AND l.app_id = c.app_id AND l.from_entitlement_id = f.id
        AND l.added_revision <= ${revision} AND (l.removed_revision IS NULL OR l.removed_revision > ${revision}) OFFSET 0) l
    LEFT JOIN LATERAL (
      SELECT v.made_at FROM revisions_public v WHERE v.tenant_id = ${tenantId} AND v.revision = l.added_revision OFFSET 0) v ON true
    GROUP BY l.to_entitlement_id`;
}
