/**
 * SQL that reads resource types and resources. Imports write them (module imports), and people manually (store-manual-resources.ts).
 */
import type { AppResourceJson } from '../../../gen/c1/api/app/v1/app_pb.js';
import { allSql, fixed, type Sql, sql } from '../../../lib/sql.ts';
import { type Conditions, listConditions } from '../../../lib/where.ts';
import type { Context } from '../../../context.ts';
import { hasName, hasText, listByText, type TextRange, textRange } from '../../../foundation/search/index.ts';

/**
 * Kinds of resources, in the order of the contract's enum ResourceType, whose names they are in lower case. A manual type has the trait it was made
 * with; one that an import brought has that whose word is its name, unless somebody chose others for it.
 */
export const traitIds: readonly string[] = [
  'role',
  'group',
  'license',
  'project',
  'catalog',
  'custom',
  'vault',
  'profile_type',
  'session_policy',
  'claw_agent',
];

/** A resource type of an app. */
export interface ResourceTypeRow {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  /** The traits chosen for it, else the one it has by its name in the source. */
  readonly traitIds: readonly string[];
  /** Made manually rather than by an import. */
  readonly isManual: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

/** A resource of an app. */
export interface ResourceRow {
  readonly id: string;
  readonly appId: string;
  readonly resourceTypeId: string;
  readonly externalId: string;
  readonly displayName: string;
  readonly isManual: boolean;
  /** The other writable members of the AppResource message, in canonical wire form; empty where nobody wrote any. */
  readonly document: AppResourceJson;
  /** The resource it lies below, as people say or else its source; '' for none. */
  readonly parentId: string;
  readonly parentTypeId: string;
  /** Open grants of all its entitlements. */
  readonly grantCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

/** The traits of the resource type `t`. */
export const traits: Sql = fixed(`(CASE WHEN t.trait_ids <> '{}' THEN t.trait_ids
  WHEN lower(t.external_id COLLATE "C") IN (${traitIds.map((id) => `'${id}'`).join(', ')}) THEN ARRAY[lower(t.external_id COLLATE "C")] ELSE '{}' END)`);
const typeColumns = sql`t.id, t.app_id AS "appId", t.display_name AS "displayName", ${traits} AS "traitIds", t.is_manual AS "isManual",
  t.created_at AS "createdAt", t.updated_at AS "updatedAt", t.deleted_at AS "deletedAt"`;
const resourceColumns = sql`r.id, r.app_id AS "appId", r.resource_type_id AS "resourceTypeId", r.external_id AS "externalId",
  r.display_name AS "displayName", r.is_manual AS "isManual", r.document, r.parent_id AS "parentId",
  coalesce((SELECT p.resource_type_id FROM resources p WHERE p.tenant_id = r.tenant_id AND p.app_id = r.app_id AND p.id = r.parent_id), '') AS "parentTypeId", r.created_at AS "createdAt", r.updated_at AS "updatedAt",
  r.deleted_at AS "deletedAt",
  (SELECT coalesce(sum(e.grant_count), 0)::bigint FROM entitlements e
   WHERE e.tenant_id = r.tenant_id AND e.app_id = r.app_id AND e.resource_id = r.id) AS "grantCount"`;

/** The resource type with this id in this app. */
export function findResourceType(context: Context, appId: string, id: string): Promise<ResourceTypeRow | undefined> {
  return context.db.maybe<ResourceTypeRow>(
    sql`SELECT ${typeColumns} FROM resource_types t
      WHERE t.tenant_id = ${context.tenantId} AND t.app_id = ${appId} AND t.id = ${id} AND t.deleted_at IS NULL`,
  );
}

/** The resource types with these ids by id, whatever their app. */
export async function listResourceTypesByIds(context: Context, ids: readonly string[]): Promise<Map<string, ResourceTypeRow>> {
  const rows = await context.db.rows<ResourceTypeRow>(
    sql`SELECT ${typeColumns} FROM resource_types t WHERE t.tenant_id = ${context.tenantId} AND t.id = ANY (${[...new Set(ids)]})`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Resource type search; a member that is undefined filters nothing. Deleted ones and those of deleted apps are never among them. */
export interface ResourceTypeFilter {
  readonly appId?: string | undefined;
  readonly appIds?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly excludeIds?: readonly string[] | undefined;
  /** With any of these traits. */
  readonly traitIds?: readonly string[] | undefined;
  /** With none of these traits. */
  readonly excludeTraitIds?: readonly string[] | undefined;
  /** With a resource on which one of these accounts holds an open grant. */
  readonly accountIds?: readonly string[] | undefined;
  /** The whole name, in any case. */
  readonly displayName?: string | undefined;
  /** Its id, or words of the name, or of its name in the source. */
  readonly query?: string | undefined;
}

/**
 * Reads a column of the entitlements on which one of the accounts holds an open grant, by app. Found once, accounts first: looked up for each row
 * anew, a thousand ids took minutes.
 */
const heldBy = (tenantId: string, accountIds: readonly string[], column: 'resource_id' | 'resource_type_id'): Sql => sql`(WITH
  wanted AS MATERIALIZED (SELECT c.app_id, c.id FROM accounts_public c WHERE c.tenant_id = ${tenantId} AND c.id = ANY (${accountIds})),
  held AS MATERIALIZED (
    SELECT DISTINCT e.app_id, e.${fixed(column)} FROM wanted c
    JOIN grants_held g ON g.tenant_id = ${tenantId} AND g.app_id = c.app_id AND g.account_id = c.id
    JOIN entitlements e ON e.tenant_id = ${tenantId} AND e.app_id = g.app_id AND e.id = g.entitlement_id)
  SELECT * FROM held)`;

const ofLiveApp = (tenantId: string, alias: 't' | 'r'): Sql =>
  sql`EXISTS (SELECT FROM apps p WHERE p.tenant_id = ${tenantId} AND p.id = ${fixed(alias)}.app_id AND p.deleted_at IS NULL)`;

const typeConditions = (tenantId: string): Conditions<ResourceTypeFilter> => ({
  appId: (id) => sql`t.app_id = ${id}`,
  appIds: (ids) => sql`t.app_id = ANY (${ids})`,
  ids: (ids) => sql`t.id = ANY (${ids})`,
  excludeIds: (ids) => sql`t.id <> ALL (${ids})`,
  traitIds: (ids) => sql`${traits} && ${ids}::text[]`,
  excludeTraitIds: (ids) => sql`NOT ${traits} && ${ids}::text[]`,
  accountIds: (ids) => sql`(t.app_id, t.id) IN ${heldBy(tenantId, ids, 'resource_type_id')}`,
  displayName: hasName('t'),
  query: hasText('t'),
});

/** A page of resource types by id. */
export function listResourceTypes(context: Context, filter: ResourceTypeFilter, after: string, limit: number): Promise<ResourceTypeRow[]> {
  const { tenantId } = context;
  const where = [
    sql`t.tenant_id = ${tenantId} AND t.id > ${after} AND t.deleted_at IS NULL`,
    ofLiveApp(tenantId, 't'),
    ...listConditions(filter, typeConditions(tenantId)),
  ];
  return context.db.rows<ResourceTypeRow>(
    sql`SELECT ${typeColumns} FROM resource_types t WHERE ${allSql(where)} ORDER BY t.id LIMIT ${limit}`,
  );
}

/** The resource with this id in this app and of this type. */
export function findResource(context: Context, appId: string, resourceTypeId: string, id: string): Promise<ResourceRow | undefined> {
  return context.db.maybe<ResourceRow>(
    sql`SELECT ${resourceColumns} FROM resources r
      WHERE r.tenant_id = ${context.tenantId} AND r.app_id = ${appId} AND r.resource_type_id = ${resourceTypeId} AND r.id = ${id}
        AND r.deleted_at IS NULL`,
  );
}

/** The resources with these ids by id, whatever their app. */
export async function listResourcesByIds(context: Context, ids: readonly string[]): Promise<Map<string, ResourceRow>> {
  const rows = await context.db.rows<ResourceRow>(
    sql`SELECT ${resourceColumns} FROM resources r WHERE r.tenant_id = ${context.tenantId} AND r.id = ANY (${[...new Set(ids)]})`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Resource search; a member that is undefined filters nothing. Deleted ones and those of deleted apps are never among them. */
export interface ResourceFilter {
  readonly appId?: string | undefined;
  readonly appIds?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly excludeIds?: readonly string[] | undefined;
  /** 'app id/resource type id/resource id'; without the type where that is empty. */
  readonly refs?: readonly string[] | undefined;
  readonly resourceTypeId?: string | undefined;
  readonly resourceTypeIds?: readonly string[] | undefined;
  /** Of a type with any of these traits. */
  readonly traitIds?: readonly string[] | undefined;
  /** Of a type with none of these traits. */
  readonly excludeTraitIds?: readonly string[] | undefined;
  /** On which one of these accounts holds an open grant. */
  readonly accountIds?: readonly string[] | undefined;
  /** Owned by one of these people. */
  readonly ownerIds?: readonly string[] | undefined;
  readonly isUnowned?: true | undefined;
  /** Its id, or words of its name, of its name in the source, or of its descriptions. */
  readonly query?: string | undefined;
}

/** An array of ids made once, which an index takes; a join would read every resource. */
const typesWith = (tenantId: string, condition: Sql): Sql =>
  sql`r.resource_type_id = ANY (ARRAY(SELECT t.id FROM resource_types t WHERE t.tenant_id = ${tenantId} AND ${condition}))`;

const resourceConditions = (tenantId: string): Conditions<ResourceFilter & TextRange> => ({
  appId: (id) => sql`r.app_id = ${id}`,
  appIds: (ids) => sql`r.app_id = ANY (${ids})`,
  ids: (ids) => sql`r.id = ANY (${ids})`,
  excludeIds: (ids) => sql`r.id <> ALL (${ids})`,
  refs: (refs) => sql`r.id = ANY (ARRAY(SELECT split_part(f.ref, '/', 3) FROM unnest(${refs}::text[]) AS f (ref)))
      AND (r.app_id || '/' || r.resource_type_id || '/' || r.id = ANY (${refs}) OR r.app_id || '//' || r.id = ANY (${refs}))`,
  resourceTypeId: (id) => sql`r.resource_type_id = ${id}`,
  resourceTypeIds: (ids) => sql`r.resource_type_id = ANY (${ids})`,
  traitIds: (ids) => typesWith(tenantId, sql`${traits} && ${ids}::text[]`),
  excludeTraitIds: (ids) => typesWith(tenantId, sql`NOT ${traits} && ${ids}::text[]`),
  accountIds: (ids) => sql`(r.app_id, r.id) IN ${heldBy(tenantId, ids, 'resource_id')}`,
  ownerIds: (ids) =>
    sql`(r.app_id, r.id) IN (SELECT o.app_id, o.resource_id FROM resource_owners o WHERE o.tenant_id = ${tenantId} AND o.user_id = ANY (${ids}))`,
  isUnowned: () => sql`r.owner_count = 0`,
  query: hasText('r'),
  ...textRange('r'),
});

/** A page of resources by id, upwards or downwards; `after` is '' at the start. */
export function listResources(
  context: Context,
  filter: ResourceFilter,
  after: string,
  limit: number,
  isDescending = false,
): Promise<ResourceRow[]> {
  const isNarrow = (filter.ids ?? filter.refs ?? filter.accountIds ?? filter.ownerIds) !== undefined;
  const search = { kind: 'RESOURCE', query: filter.query, after: isDescending ? undefined : after, limit, isNarrow } as const;
  return listByText(context, search, (range) => listInRange(context, { ...filter, ...range }, { after, limit, isDescending }));
}

function listInRange(
  context: Context,
  filter: ResourceFilter & TextRange,
  { after, limit, isDescending }: { after: string; limit: number; isDescending: boolean },
): Promise<ResourceRow[]> {
  const { tenantId } = context;
  const where = [
    sql`r.tenant_id = ${tenantId} AND r.deleted_at IS NULL`,
    ofLiveApp(tenantId, 'r'),
    ...listConditions(filter, resourceConditions(tenantId)),
    ...(after === '' ? [] : [isDescending ? sql`r.id < ${after}` : sql`r.id > ${after}`]),
  ];
  const direction = fixed(isDescending ? 'DESC' : 'ASC');
  return context.db.rows<ResourceRow>(
    sql`SELECT ${resourceColumns} FROM resources r WHERE ${allSql(where)} ORDER BY r.id ${direction} LIMIT ${limit}`,
  );
}
