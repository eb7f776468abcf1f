/**
 * SQL of a scope by inheritance: the resources that access to a resource is inherited from, the entitlements that may pass chosen ones on, and
 * the grants of an account by way of which it holds an item.
 */
import { allSql, fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { What } from '../scope/index.ts';

/** Most resources above one that are looked at. A circle ends there at the latest. */
const maxAncestors = 16;

/** The resource `start` (app_id, id, parent_id) and those above it, as the parts of a WITH RECURSIVE: `above` (app_id, id). */
function getAbove(tenantId: string, start: Sql): Sql {
  return sql`above AS (
      SELECT s.app_id, s.id, s.parent_id, 0 AS height FROM (${start}) s
      UNION SELECT r.app_id, r.id, r.parent_id, a.height + 1 FROM above a
      JOIN resources_public r ON r.tenant_id = ${tenantId} AND r.app_id = a.app_id AND r.id = a.parent_id AND r.deleted_at IS NULL
      WHERE a.parent_id <> '' AND a.height < ${maxAncestors})`;
}

/** The resources of which a scope by inheritance chooses the entitlements: those listed and all above them, and those of listed roles. */
export function getInheritedResourcesSql({ tenantId }: Context, reviewId: string, { byResources, byRoles }: What): Sql {
  const entries = (list: string) =>
    sql`FROM scope_entries s WHERE s.tenant_id = ${tenantId} AND s.subject_id = ${reviewId} AND s.list = ${list}`;
  const listed = sql`SELECT r.app_id, r.id, r.parent_id FROM resources_public r
    WHERE r.tenant_id = ${tenantId} AND r.deleted_at IS NULL AND (r.app_id, r.id) IN (SELECT s.app_id, s.object_id ${entries('RESOURCE')})`;
  return sql`WITH RECURSIVE ${getAbove(tenantId, listed)}
    SELECT a.app_id, a.id FROM above a WHERE ${byResources}::boolean
    UNION SELECT s.app_id, s.role_resource_id ${entries('SCOPE_ROLE')} AND ${byRoles}::boolean`;
}

/** Entitlements that pass on one of `what` (app_id, entitlement_id), by however many steps, and `what` itself: a part of a WITH RECURSIVE. */
export function getCarriersSql({ tenantId }: Context): Sql {
  return sql`carriers AS (
      SELECT w.app_id, w.entitlement_id FROM what w
      UNION SELECT l.app_id, l.from_entitlement_id FROM carriers c
      JOIN links_public l ON l.tenant_id = ${tenantId} AND l.app_id = c.app_id AND l.to_entitlement_id = c.entitlement_id
        AND l.removed_revision IS NULL)`;
}

/** A pair of the list of roles, and where it stands there, from 0. */
export interface RolePair {
  readonly index: number;
  readonly scopeResourceId: string;
  readonly roleResourceId: string;
}

/** The first 100 listed roles whose resource is neither the scope's nor below it; resources that are not there are left out. */
export function listRolesElsewhere({ db, tenantId }: Context, reviewId: string): Promise<RolePair[]> {
  const start = sql`SELECT q.app_id, q.id, q.parent_id FROM resources_public q
    WHERE q.tenant_id = ${tenantId} AND q.app_id = e.app_id AND q.id = e.role_resource_id AND q.deleted_at IS NULL`;
  return db.rows<RolePair>(
    sql`SELECT e.index, e.object_id AS "scopeResourceId", e.role_resource_id AS "roleResourceId" FROM (
       SELECT s.*, row_number() OVER (ORDER BY s.place) - 1 AS index FROM scope_entries s
       WHERE s.tenant_id = ${tenantId} AND s.subject_id = ${reviewId} AND s.list = 'SCOPE_ROLE') e
     JOIN resources_public x ON x.tenant_id = ${tenantId} AND x.app_id = e.app_id AND x.id = e.object_id AND x.deleted_at IS NULL
     JOIN resources_public y ON y.tenant_id = ${tenantId} AND y.app_id = e.app_id AND y.id = e.role_resource_id AND y.deleted_at IS NULL
     WHERE NOT EXISTS (WITH RECURSIVE ${getAbove(tenantId, start)} SELECT FROM above a WHERE a.id = e.object_id)
     ORDER BY e.index LIMIT 100`,
  );
}

/** Facts that decide whether an account `c` holds an item by way of a grant. */
export interface Carrying {
  readonly snapshotId: string;
  /** Selects the grants `g` of the account `c`. */
  readonly grants: Sql;
  /** Over a grant `g`, its account `c` and `h`, and its entitlement `e`: that it is an item. */
  readonly conditions: readonly Sql[];
}

/**
 * Condition that the grant `g` of the account `c` is of a chosen entitlement, or that the account holds an item by way of it. Which those are is
 * found once for an account, and looked up row by row: OFFSET 0.
 */
export function getCarryingConditionSql({ tenantId }: Context, { snapshotId, grants, conditions }: Carrying): Sql {
  const found = (alias: string): Sql => {
    const e = fixed(alias);
    return sql`review_entitlements ${e} WHERE ${e}.tenant_id = ${tenantId} AND ${e}.review_id = ${snapshotId} AND ${e}.app_id = c.app_id
      AND ${e}.entitlement_id = g.entitlement_id`;
  };
  return sql`(NOT EXISTS (SELECT FROM ${found('k')} AND k.is_carrier) OR g.entitlement_id = ANY (ARRAY(
    SELECT w.id FROM (${grants} OFFSET 0) g
    CROSS JOIN LATERAL (SELECT e.included_profile_ids, e.excluded_profile_ids FROM ${found('e')} AND NOT e.is_excluded AND NOT e.is_carrier OFFSET 0) e
    CROSS JOIN LATERAL (SELECT c.access_profile_ids) h
    CROSS JOIN LATERAL jsonb_array_elements(g.paths) AS p (path) CROSS JOIN LATERAL jsonb_array_elements_text(p.path) AS w (id)
    WHERE ${allSql(conditions)})))`;
}
