/**
 * SQL of pages of users and groups. The RFC pages by offset: a page steps over as many entries of the index scim_resources_live as lie before
 * it, and its number of results is a count of that index; 10,000 users are a few milliseconds of either. Equality of userName, externalId, id
 * and a group's displayName is answered by an index; every other filter reads the connector's users, or groups, once.
 */
import type { Scope } from '../../scope.ts';
import type { FilterOperator } from './parse-filter.ts';
import { resourceColumns, type ResourceKind, type ResourceRow } from './store-resources.ts';

/** What filters look in. */
export type Column = 'id' | 'name' | 'externalId' | 'active' | 'email' | 'emailType' | 'key' | 'created' | 'lastModified' | 'member';

/** A filter whose attributes are known and whose values are of their types; texts are in lower case where case does not matter. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly [Condition, Condition] }
  | { readonly kind: 'not'; readonly part: Condition }
  /** All of it holds for one and the same address. */
  | { readonly kind: 'sameEmail'; readonly part: Condition }
  | {
      readonly kind: 'compare';
      readonly column: Column;
      /** Of `key`: which of them. */
      readonly path: string;
      readonly operator: FilterOperator;
      readonly value: string | boolean | Date | null;
    };

/** Which resources. */
export interface ResourceFilter {
  readonly connectorId: string;
  readonly appId: string;
  readonly kind: ResourceKind;
  readonly condition: Condition | undefined;
}

/** How many there are. */
export async function countResources(scope: Scope, filter: ResourceFilter): Promise<number> {
  const values: unknown[] = [scope.tenantId];
  const { count } = await scope.db.one<{ count: number }>(
    `SELECT count(*) AS count FROM scim_resources r WHERE ${getWhere(filter, values)}`,
    values,
  );
  return count;
}

/** Some of them by id, after the first `offset`. */
export function listResources(scope: Scope, filter: ResourceFilter, offset: number, limit: number): Promise<ResourceRow[]> {
  const { sql, values } = getPageSql(scope.tenantId, filter, offset, limit);
  return scope.db.rows<ResourceRow>(sql, values);
}

/** The statement of a page: the ids first, so that what is stepped over is not read. */
export function getPageSql(tenantId: string, filter: ResourceFilter, offset: number, limit: number): { sql: string; values: unknown[] } {
  const values: unknown[] = [tenantId];
  const where = getWhere(filter, values);
  const [skipped, taken] = [values.push(offset), values.push(limit)];
  const sql = `SELECT ${resourceColumns}
     FROM (SELECT r.id FROM scim_resources r WHERE ${where} ORDER BY r.id OFFSET $${skipped} LIMIT $${taken}) AS n
     JOIN scim_resources r ON r.tenant_id = $1 AND r.connector_id = $2 AND r.id = n.id
     ORDER BY r.id`;
  return { sql, values };
}

function getWhere(filter: ResourceFilter, values: unknown[]): string {
  values.push(filter.connectorId, filter.kind);
  const add = (value: unknown): string => `$${values.push(value)}`;
  const where = ['r.tenant_id = $1', 'r.connector_id = $2', 'r.kind = $3', 'r.deleted_at IS NULL'];
  return [...where, ...(filter.condition === undefined ? [] : [getCondition(filter.condition, filter.appId, add)])].join(' AND ');
}

function getCondition(condition: Condition, appId: string, add: (value: unknown) => string, inEmail = false): string {
  const inner = (part: Condition): string => getCondition(part, appId, add, inEmail);
  switch (condition.kind) {
    case 'and':
    case 'or':
      return `(${condition.parts.map(inner).join(condition.kind === 'and' ? ' AND ' : ' OR ')})`;
    case 'not':
      return `(NOT ${inner(condition.part)})`;
    case 'sameEmail':
      return `EXISTS (SELECT FROM jsonb_array_elements(r.keys -> 'emails') AS e WHERE ${getCondition(condition.part, appId, add, true)})`;
    default:
      return getComparison(condition, appId, add, inEmail);
  }
}

type Comparison = Extract<Condition, { kind: 'compare' }>;

function getComparison(compared: Comparison, appId: string, add: (value: unknown) => string, inEmail: boolean): string {
  const { column, operator, value } = compared;
  switch (column) {
    case 'member':
      return `EXISTS (SELECT FROM scim_resources u
        JOIN grants g ON g.tenant_id = $1 AND g.app_id = ${add(appId)} AND g.entitlement_id = r.entitlement_id AND g.account_id = u.account_id
          AND g.removed_revision IS NULL
        WHERE u.tenant_id = $1 AND u.connector_id = $2 AND u.id = ${add(value)} AND u.kind = 'USER' AND u.deleted_at IS NULL)`;
    case 'email':
    case 'emailType': {
      const found = compare(`e ->> '${column === 'email' ? 'value' : 'type'}'`, operator, value, add, 'emptiable');
      return inEmail ? found : `EXISTS (SELECT FROM jsonb_array_elements(r.keys -> 'emails') AS e WHERE ${found})`;
    }
    case 'key':
      return compare(`r.keys ->> ${add(compared.path)}::text`, operator, value, add, 'emptiable');
    case 'externalId':
      return operator === 'pr' ? `(r.external_id <> '')` : compare('r.external_id', operator, value, add);
    default:
      return compare(plainColumns[column], operator, value, add, column === 'created' || column === 'lastModified' ? 'time' : 'there');
  }
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
  add: (value: unknown) => string,
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
