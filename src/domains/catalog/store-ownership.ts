/**
 * SQL that finds what somebody owns: apps, resources, entitlements.
 */
import type { Context } from '../../context.ts';

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

const nothing = `''`;
const selects: Record<OwnedKind, (key: string) => string> = {
  APP: (key) =>
    select('app_owners', 'app_id', key, { typeId: nothing, resourceId: nothing, resource: nothing, entitlement: nothing, joins: '' }),
  RESOURCE: (key) =>
    select('resource_owners', 'resource_id', key, {
      typeId: 'r.resource_type_id',
      resourceId: 'r.id',
      resource: 'r.display_name',
      entitlement: nothing,
      joins: 'JOIN resources r ON r.tenant_id = $1 AND r.app_id = o.app_id AND r.id = o.resource_id AND r.deleted_at IS NULL',
    }),
  ENTITLEMENT: (key) =>
    select('entitlement_owners', 'entitlement_id', key, {
      typeId: 'e.resource_type_id',
      resourceId: 'e.resource_id',
      resource: `coalesce(r.display_name, '')`,
      entitlement: 'e.display_name',
      joins: `JOIN entitlements e ON e.tenant_id = $1 AND e.app_id = o.app_id AND e.id = o.entitlement_id AND e.deleted_at IS NULL
        LEFT JOIN resources r ON r.tenant_id = $1 AND r.app_id = e.app_id AND r.id = e.resource_id`,
    }),
};

interface Parts {
  readonly typeId: string;
  readonly resourceId: string;
  readonly resource: string;
  readonly entitlement: string;
  readonly joins: string;
}

function select(table: string, id: string, key: string, { typeId, resourceId, resource, entitlement, joins }: Parts): string {
  return `o.app_id, o.${id} AS id, a.display_name AS app, ${typeId} AS type_id, ${resourceId} AS resource_id, ${resource} AS resource,
      ${entitlement} AS entitlement
    FROM ${table} o
    JOIN apps a ON a.tenant_id = $1 AND a.id = o.app_id AND a.deleted_at IS NULL
    ${joins}
    WHERE o.tenant_id = $1 AND o.user_id = $2 ${key === '' ? '' : `AND (o.app_id, o.${id}) > ${key}`}
    ORDER BY o.app_id, o.${id} LIMIT $3`;
}

/** A page of what somebody owns by kind, app and id. Each kind is read from its own index, no further than the page needs. */
export function listOwned(
  context: Context,
  userId: string,
  kinds: readonly OwnedKind[],
  after: { kind: OwnedKind; appId: string; id: string } | undefined,
  limit: number,
): Promise<OwnedRow[]> {
  const values: unknown[] = [context.tenantId, userId, limit];
  const from = after === undefined ? 0 : ownedKinds.indexOf(after.kind);
  const parts = ownedKinds.flatMap((kind, place) => {
    if (place < from || !kinds.includes(kind)) {
      return [];
    }
    if (kind !== after?.kind) {
      return [`(SELECT ${place} AS place, '${kind}' AS kind, ${selects[kind]('')})`];
    }
    values.push(after.appId, after.id);
    return [`(SELECT ${place} AS place, '${kind}' AS kind, ${selects[kind](`($${values.length - 1}, $${values.length})`)})`];
  });
  if (parts.length === 0) {
    return Promise.resolve([]);
  }
  return context.db.rows<OwnedRow>(
    `SELECT kind, app_id AS "appId", id, app AS "appDisplayName", type_id AS "resourceTypeId", resource_id AS "resourceId",
       resource AS "resourceDisplayName", entitlement AS "entitlementDisplayName"
     FROM (${parts.join(' UNION ALL ')}) AS owned ORDER BY place, app_id, id LIMIT $3`,
    values,
  );
}
