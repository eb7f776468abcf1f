/**
 * SQL that finds what somebody owns: apps, resources, entitlements.
 */
import { empty, fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/** The kinds of what can be owned, in the order in which they are listed. */
export const ownedKinds = ['APP', 'RESOURCE', 'ENTITLEMENT'] as const;
export type OwnedKind = (typeof ownedKinds)[number];

/** Something owned; what it does not have is ''. */
export interface OwnedRow {
  readonly kind: OwnedKind;
  readonly appId: string;
  /** The id of the app, the resource or the entitlement. */
  readonly id: string;
  readonly appDisplayName: string;
  readonly resourceTypeId: string;
  readonly resourceId: string;
  readonly resourceDisplayName: string;
  readonly entitlementDisplayName: string;
}

/** Reading of a kind: the table of its owners, what it shows, and what must still be there. */
interface OwnedTable {
  readonly table: string;
  /** The column of its id. */
  readonly id: string;
  readonly typeId: string;
  readonly resourceId: string;
  readonly resource: string;
  readonly entitlement: string;
  readonly joins: (tenantId: string) => Sql;
}

const nothing = `''`;
const tables: Readonly<Record<OwnedKind, OwnedTable>> = {
  APP: {
    table: 'app_owners',
    id: 'app_id',
    typeId: nothing,
    resourceId: nothing,
    resource: nothing,
    entitlement: nothing,
    joins: () => empty,
  },
  RESOURCE: {
    table: 'resource_owners',
    id: 'resource_id',
    typeId: 'r.resource_type_id',
    resourceId: 'r.id',
    resource: 'r.display_name',
    entitlement: nothing,
    joins: (tenantId) =>
      sql`JOIN resources r ON r.tenant_id = ${tenantId} AND r.app_id = o.app_id AND r.id = o.resource_id AND r.deleted_at IS NULL`,
  },
  ENTITLEMENT: {
    table: 'entitlement_owners',
    id: 'entitlement_id',
    typeId: 'e.resource_type_id',
    resourceId: 'e.resource_id',
    resource: `coalesce(r.display_name, '')`,
    entitlement: 'e.display_name',
    joins: (tenantId) =>
      sql`JOIN entitlements e ON e.tenant_id = ${tenantId} AND e.app_id = o.app_id AND e.id = o.entitlement_id AND e.deleted_at IS NULL
        LEFT JOIN resources r ON r.tenant_id = ${tenantId} AND r.app_id = e.app_id AND r.id = e.resource_id`,
  },
};

/** A page of what somebody owns by kind, app and id. Each kind is read from its own index, no further than the page needs. */
export function listOwned(
  context: Context,
  userId: string,
  kinds: readonly OwnedKind[],
  after: { kind: OwnedKind; appId: string; id: string } | undefined,
  limit: number,
): Promise<OwnedRow[]> {
  const { tenantId } = context;
  const from = after === undefined ? 0 : ownedKinds.indexOf(after.kind);
  const parts = ownedKinds.flatMap((kind, place) => {
    if (place < from || !kinds.includes(kind)) {
      return [];
    }
    const { table, id, typeId, resourceId, resource, entitlement, joins } = tables[kind];
    const columns = fixed(`${place} AS place, '${kind}' AS kind, o.app_id, o.${id} AS id, a.display_name AS app, ${typeId} AS type_id,
      ${resourceId} AS resource_id, ${resource} AS resource, ${entitlement} AS entitlement`);
    const key = fixed(`o.app_id, o.${id}`);
    // Somebody may own a thing in several roles.
    return [
      sql`(SELECT DISTINCT ON (${key}) ${columns} FROM ${fixed(table)} o
        JOIN apps a ON a.tenant_id = ${tenantId} AND a.id = o.app_id AND a.deleted_at IS NULL
        ${joins(tenantId)}
        WHERE o.tenant_id = ${tenantId} AND o.user_id = ${userId} ${kind === after?.kind ? sql`AND (${key}) > (${after.appId}, ${after.id})` : empty}
        ORDER BY ${key} LIMIT ${limit})`,
    ];
  });
  if (parts.length === 0) {
    return Promise.resolve([]);
  }
  return context.db.rows<OwnedRow>(
    sql`SELECT kind, app_id AS "appId", id, app AS "appDisplayName", type_id AS "resourceTypeId", resource_id AS "resourceId",
       resource AS "resourceDisplayName", entitlement AS "entitlementDisplayName"
     FROM (${joinSql(parts, ' UNION ALL ')}) AS owned ORDER BY place, app_id, id LIMIT ${limit}`,
  );
}
