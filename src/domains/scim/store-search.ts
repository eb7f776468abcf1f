/**
 * SQL of pages of users and groups. The RFC pages by offset: a page steps over as many entries of the index scim_resources_live as lie before
 * it, and its number of results is a count of that index; 10,000 users are a few milliseconds of either. Equality of userName, externalId, id
 * and a group's displayName is answered by an index; every other filter reads the connector's users, or groups, once.
 */
import type { Context } from '../../context.ts';
import type { FilterOperator } from './parse-filter.ts';
import { resourceColumns, type ResourceKind, type ResourceRow } from './store-resources.ts';

/** What filters look in: columns, `key` for a text and `list` for a multi-valued attribute of `keys`, and who is in which group. */
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

/** Which resources. */
export interface ResourceFilter {
  readonly sourceId: string;
  readonly appId: string;
  readonly kind: ResourceKind;
  readonly condition: Condition | undefined;
}

/** How many there are. */
export async function countResources(context: Context, filter: ResourceFilter): Promise<number> {
  const values: unknown[] = [context.tenantId];
  const { count } = await context.db.one<{ count: number }>(
    `SELECT count(*) AS count FROM scim_resources r WHERE ${getWhere(filter, values)}`,
    values,
  );
  return count;
}

/**
 * Some of them by id, after the first `offset`. Their ids first, so that what is stepped over is not read; then they by their ids, which is a
 * lookup whatever the planner believes of a connector that is new.
 */
export async function listResources(context: Context, filter: ResourceFilter, offset: number, limit: number): Promise<ResourceRow[]> {
  const { sql, values } = getPageSql(context.tenantId, filter, offset, limit);
  const ids = (await context.db.rows<{ id: string }>(sql, values)).map((row) => row.id);
  return ids.length === 0
    ? []
    : context.db.rows<ResourceRow>(
        `SELECT ${resourceColumns} FROM scim_resources r
         WHERE r.tenant_id = $1 AND r.source_id = $2 AND r.kind = $3 AND r.id = ANY ($4) AND r.deleted_at IS NULL ORDER BY r.id`,
        [context.tenantId, filter.sourceId, filter.kind, ids],
      );
}

/** The statement of the ids of a page. */
export function getPageSql(tenantId: string, filter: ResourceFilter, offset: number, limit: number): { sql: string; values: unknown[] } {
  const values: unknown[] = [tenantId];
  const where = getWhere(filter, values);
  const [skipped, taken] = [values.push(offset), values.push(limit)];
  return { sql: `SELECT r.id FROM scim_resources r WHERE ${where} ORDER BY r.id OFFSET $${skipped} LIMIT $${taken}`, values };
}

function getWhere(filter: ResourceFilter, values: unknown[]): string {
  values.push(filter.sourceId, filter.kind);
  const add: Add = (value) => `$${values.push(value)}`;
  const where = ['r.tenant_id = $1', 'r.source_id = $2', 'r.kind = $3', 'r.deleted_at IS NULL'];
  return [...where, ...(filter.condition === undefined ? [] : [getCondition(filter.condition, filter.appId, add)])].join(' AND ');
}

type Add = (value: unknown) => string;

function getCondition(condition: Condition, appId: string, add: Add, inValue = false): string {
  const inner = (part: Condition): string => getCondition(part, appId, add, inValue);
  switch (condition.kind) {
    case 'and':
    case 'or':
      return `(${condition.parts.map(inner).join(condition.kind === 'and' ? ' AND ' : ' OR ')})`;
    case 'not':
      return `(NOT ${inner(condition.part)})`;
    case 'sameValue':
      return getOneOf(condition.key, getCondition(condition.part, appId, add, true), add);
    default:
      return getComparison(condition, appId, add, inValue);
  }
}

/** That one of the values of a list is so. */
function getOneOf(key: string, isSo: string, add: Add): string {
  return `EXISTS (SELECT FROM jsonb_array_elements(r.keys -> ${add(key)}::text) AS e WHERE ${isSo})`;
}

type Comparison = Extract<Condition, { kind: 'compare' }>;

function getComparison(compared: Comparison, appId: string, add: Add, inValue: boolean): string {
  const { column, key, sub, operator, value } = compared;
  switch (column) {
    case 'member':
    case 'group': {
      // Asked for once and not for each resource: the group's members, or the user's groups, are a set to look in.
      const [own, others, kind] =
        column === 'member' ? ['entitlement_id', 'account_id', 'USER'] : ['account_id', 'entitlement_id', 'GROUP'];
      return `(r.${own} IS NOT NULL AND r.${own} IN (SELECT g.${own} FROM scim_resources o
        JOIN grants g ON g.tenant_id = $1 AND g.app_id = ${add(appId)} AND g.${others} = o.${others} AND g.removed_revision IS NULL
        WHERE o.tenant_id = $1 AND o.source_id = $2 AND o.id = ${add(value)} AND o.kind = '${kind}' AND o.deleted_at IS NULL))`;
    }
    case 'list': {
      const found = compare(`e ->> ${add(sub)}::text`, operator, value, add, 'emptiable');
      return inValue ? found : getOneOf(key, found, add);
    }
    case 'key':
      return compare(`r.keys ->> ${add(key)}::text`, operator, value, add, 'emptiable');
    case 'externalId':
      return getExternalId(operator, value, add);
    default:
      return compare(plainColumns[column], operator, value, add, column === 'created' || column === 'lastModified' ? 'time' : 'there');
  }
}

/** '' is nothing: only `ne` holds of it. That it is none must be said for the index, too, which has those alone that have one. */
function getExternalId(operator: FilterOperator, value: Comparison['value'], add: Add): string {
  if (operator === 'ne') {
    return `(r.external_id = '' OR r.external_id <> ${add(value)}::text)`;
  }
  const isThere = `r.external_id <> ''`;
  return operator === 'pr' ? `(${isThere})` : `(${isThere} AND ${compare('r.external_id', operator, value, add)})`;
}

const plainColumns = {
  id: 'r.id',
  name: 'r.name_key',
  active: 'r.is_active',
  created: 'r.created_at',
  lastModified: 'r.updated_at',
} as const;

/** One comparison. What can be absent is never unknown: without a value nothing but `ne` holds, and neither does its negation fail. */
function compare(
  expression: string,
  operator: FilterOperator,
  value: string | boolean | Date | null,
  add: Add,
  nature: 'there' | 'emptiable' | 'time' = 'there',
): string {
  if (operator === 'pr') {
    return nature === 'emptiable' ? `(coalesce(${expression}, '') <> '')` : 'true';
  }
  const type = typeof value === 'boolean' ? '::boolean' : nature === 'time' ? '::timestamptz' : '::text';
  const sought = `${add(value)}${type}`;
  if (operator === 'ne') {
    return `(${expression} IS DISTINCT FROM ${sought})`;
  }
  const text = `(${expression}) COLLATE "C"`;
  const found: Readonly<Record<Exclude<FilterOperator, 'pr' | 'ne'>, string>> = {
    eq: `${expression} = ${sought}`,
    co: `position(${sought} IN ${expression}) > 0`,
    sw: `left(${expression}, length(${sought})) = ${sought}`,
    ew: `right(${expression}, length(${sought})) = ${sought}`,
    gt: `${nature === 'time' ? expression : text} > ${sought}`,
    ge: `${nature === 'time' ? expression : text} >= ${sought}`,
    lt: `${nature === 'time' ? expression : text} < ${sought}`,
    le: `${nature === 'time' ? expression : text} <= ${sought}`,
  };
  return nature === 'emptiable' ? `coalesce(${found[operator]}, false)` : `(${found[operator]})`;
}
