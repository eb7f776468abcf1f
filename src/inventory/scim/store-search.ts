/**
 * SQL of pages of users and groups. The RFC pages by offset: a page steps over as many entries of the index scim_resources_live as lie before
 * it, and its number of results is a count of that index; 10,000 users are a few milliseconds of either. Equality of userName, externalId, id
 * and a group's displayName is answered by an index; every other filter reads the connector's users, or groups, once.
 */
import { allSql, anyOf, fixed, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { type FilterOperator, type ResourceKind, type ResourceRow, resourceColumns } from './document/index.ts';

/** Places that filters look in: columns, `key` for a text and `list` for a multi-valued attribute of `keys`, and who is in which group. */
export type Column = 'id' | 'name' | 'externalId' | 'active' | 'created' | 'lastModified' | 'key' | 'list' | 'member' | 'group';

/** A filter whose attributes are known and whose values are of their types; texts are in lower case where case does not matter. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly [Condition, Condition] }
  | { readonly kind: 'not'; readonly part: Condition }
  /** All of it holds for one and the same value of the list `key`. */
  | { readonly kind: 'sameValue'; readonly key: string; readonly part: Condition }
  | {
      readonly kind: 'compare';
      readonly column: Column;
      /** Of `key` and `list`: which of them; '' otherwise. */
      readonly key: string;
      /** Of `list`: which part of its values. */
      readonly sub: string;
      readonly operator: FilterOperator;
      readonly value: string | boolean | Date | null;
    };

/** Resources wanted. */
export interface ResourceFilter {
  readonly sourceId: string;
  readonly appId: string;
  readonly kind: ResourceKind;
  readonly condition: Condition | undefined;
}

/** Counts those that pass the filter. */
export function countResources(context: Context, filter: ResourceFilter): Promise<number> {
  return context.db.value<number>(sql`SELECT count(*) AS count FROM scim_resources r WHERE ${getWhere(context.tenantId, filter)}`);
}

/**
 * Some of them by id, after the first `offset`. Their ids first, so that what is stepped over is not read; then they by their ids, which is a
 * lookup whatever the planner believes of a connector that is new.
 */
export async function listResources(context: Context, filter: ResourceFilter, offset: number, limit: number): Promise<ResourceRow[]> {
  const ids = (await context.db.rows<{ id: string }>(getPageSql(context.tenantId, filter, offset, limit))).map((row) => row.id);
  return ids.length === 0
    ? []
    : context.db.rows<ResourceRow>(
        `SELECT ${resourceColumns} FROM scim_resources r
         WHERE r.tenant_id = $1 AND r.source_id = $2 AND r.kind = $3 AND r.id = ANY ($4) AND r.deleted_at IS NULL ORDER BY r.id`,
        [context.tenantId, filter.sourceId, filter.kind, ids],
      );
}

/** The statement of the ids of a page. */
export function getPageSql(tenantId: string, filter: ResourceFilter, offset: number, limit: number): Sql {
  return sql`SELECT r.id FROM scim_resources r WHERE ${getWhere(tenantId, filter)} ORDER BY r.id OFFSET ${offset} LIMIT ${limit}`;
}

/** Place of a comparison: of which connector, and inside a list of values or not. */
interface Place {
  readonly tenantId: string;
  readonly sourceId: string;
  readonly appId: string;
  readonly inValue: boolean;
}

function getWhere(tenantId: string, { sourceId, appId, kind, condition }: ResourceFilter): Sql {
  return allSql([
    sql`r.tenant_id = ${tenantId} AND r.source_id = ${sourceId} AND r.kind = ${kind} AND r.deleted_at IS NULL`,
    ...(condition === undefined ? [] : [getCondition(condition, { tenantId, sourceId, appId, inValue: false })]),
  ]);
}

function getCondition(condition: Condition, place: Place): Sql {
  switch (condition.kind) {
    case 'and':
      return sql`(${allSql(condition.parts.map((part) => getCondition(part, place)))})`;
    case 'or':
      return anyOf(condition.parts.map((part) => getCondition(part, place)));
    case 'not':
      return sql`(NOT ${getCondition(condition.part, place)})`;
    case 'sameValue':
      return getOneOf(condition.key, getCondition(condition.part, { ...place, inValue: true }));
    default:
      return getComparison(condition, place);
  }
}

/** Condition that one of the values of a list is so. */
function getOneOf(key: string, isSo: Sql): Sql {
  return sql`EXISTS (SELECT FROM jsonb_array_elements(r.keys -> ${key}::text) AS e WHERE ${isSo})`;
}

type Comparison = Extract<Condition, { kind: 'compare' }>;

function getComparison(compared: Comparison, place: Place): Sql {
  const { column, key, sub, operator, value } = compared;
  switch (column) {
    case 'member':
      return getMembership(place, { own: 'entitlement_id', other: 'account_id', otherKind: 'USER' }, value);
    case 'group':
      return getMembership(place, { own: 'account_id', other: 'entitlement_id', otherKind: 'GROUP' }, value);
    case 'list': {
      const found = compare(sql`e ->> ${sub}::text`, operator, value, 'emptiable');
      return place.inValue ? found : getOneOf(key, found);
    }
    case 'key':
      return compare(sql`r.keys ->> ${key}::text`, operator, value, 'emptiable');
    case 'externalId':
      return getExternalId(operator, value);
    default:
      return compare(plainColumns[column], operator, value, column === 'created' || column === 'lastModified' ? 'time' : 'there');
  }
}

/** Asked for once and not for each resource: the group's members, or the user's groups, are a set to look in. */
function getMembership(
  { tenantId, sourceId, appId }: Place,
  { own, other, otherKind }: Readonly<Record<'own' | 'other' | 'otherKind', string>>,
  value: Comparison['value'],
): Sql {
  const column = fixed(own);
  return sql`(r.${column} IS NOT NULL AND r.${column} IN (SELECT g.${column} FROM scim_resources o
    JOIN grants_public g ON g.tenant_id = ${tenantId} AND g.app_id = ${appId} AND ${fixed(`g.${other} = o.${other}`)} AND g.removed_revision IS NULL
    WHERE o.tenant_id = ${tenantId} AND o.source_id = ${sourceId} AND o.id = ${value} AND o.kind = ${fixed(`'${otherKind}'`)}
      AND o.deleted_at IS NULL))`;
}

/** '' is nothing: only `ne` holds of it. That it is none must be said for the index, too, which has those alone that have one. */
function getExternalId(operator: FilterOperator, value: Comparison['value']): Sql {
  if (operator === 'ne') {
    return sql`(r.external_id = '' OR r.external_id <> ${value}::text)`;
  }
  const isThere = sql`r.external_id <> ''`;
  return operator === 'pr' ? sql`(${isThere})` : sql`(${isThere} AND ${compare(sql`r.external_id`, operator, value)})`;
}

const plainColumns = {
  id: sql`r.id`,
  name: sql`r.name_key`,
  active: sql`r.is_active`,
  created: sql`r.created_at`,
  lastModified: sql`r.updated_at`,
} as const;

const signs = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

/** One comparison. What can be absent is never unknown: without a value nothing but `ne` holds, and neither does its negation fail. */
function compare(
  expression: Sql,
  operator: FilterOperator,
  value: Comparison['value'],
  nature: 'there' | 'emptiable' | 'time' = 'there',
): Sql {
  if (operator === 'pr') {
    return nature === 'emptiable' ? sql`(coalesce(${expression}, '') <> '')` : sql`true`;
  }
  const type = fixed(typeof value === 'boolean' ? 'boolean' : nature === 'time' ? 'timestamptz' : 'text');
  const sought = sql`${value}::${type}`;
  if (operator === 'ne') {
    return sql`(${expression} IS DISTINCT FROM ${sought})`;
  }
  const found = getFound(expression, operator, sought, nature === 'time');
  return nature === 'emptiable' ? sql`coalesce(${found}, false)` : sql`(${found})`;
}

function getFound(expression: Sql, operator: Exclude<FilterOperator, 'pr' | 'ne'>, sought: Sql, isTime: boolean): Sql {
  switch (operator) {
    case 'eq':
      return sql`${expression} = ${sought}`;
    case 'co':
      return sql`position(${sought} IN ${expression}) > 0`;
    case 'sw':
      return sql`left(${expression}, length(${sought})) = ${sought}`;
    case 'ew':
      return sql`right(${expression}, length(${sought})) = ${sought}`;
    default: {
      const ordered = isTime ? expression : sql`(${expression}) COLLATE "C"`;
      return sql`${ordered} ${fixed(signs[operator])} ${sought}`;
    }
  }
}
