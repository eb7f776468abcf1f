/**
 * From a filter to what is asked of the store: which attributes can be searched, by which comparisons, and with which values. What is not
 * supported is refused by name (RFC 7644 section 3.4.2.2). How a condition is asked in SQL is in store-search.ts.
 */
import { getAddressKey, getCaselessNameKey } from '../../lib/names/same-name.ts';
import {
  type Filter,
  FilterError,
  type FilterOperator,
  type FilterValue,
  type ResourceKind,
  ScimError,
  type Searchable,
  foldText,
  parseFilter,
  searchables,
  searchablesByPath,
} from './document/index.ts';
import type { Column, Condition } from './store-search.ts';

type Compare = Extract<Filter, { kind: 'compare' }>;
type PlainColumn = Exclude<Column, 'key' | 'list'>;

/** Attributes of both kinds with a column of their own. */
const common = { id: 'id', externalid: 'externalId', 'meta.created': 'created', 'meta.lastmodified': 'lastModified' } as const;
const columns: Readonly<Record<ResourceKind, Readonly<Record<string, PlainColumn>>>> = {
  USER: { ...common, username: 'name', active: 'active', groups: 'group', 'groups.value': 'group' },
  GROUP: { ...common, displayname: 'name', members: 'member', 'members.value': 'member' },
};

/** Searchable attributes, as an error names them. */
const supported: Readonly<Record<ResourceKind, string>> = {
  USER: `id, userName, externalId, active, schemas, groups.value (eq alone), meta.created, meta.lastModified, ${searchables.map(({ name }) => name).join(', ')}`,
  GROUP: 'id, displayName, externalId, members.value (eq alone), meta.created and meta.lastModified',
};

const equality: readonly FilterOperator[] = ['eq', 'ne', 'pr'];
const texts: readonly FilterOperator[] = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'];
const order: readonly FilterOperator[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'pr'];
const operators: Readonly<Record<PlainColumn, readonly FilterOperator[]>> = {
  id: texts,
  name: texts,
  externalId: texts,
  active: equality,
  created: order,
  lastModified: order,
  member: ['eq'],
  group: ['eq'],
};

/** The condition a filter stands for; 400 invalidFilter for one that cannot be read or is not supported. Undefined for no filter. */
export function readFilter(kind: ResourceKind, text: string | undefined): Condition | undefined {
  if (text === undefined) {
    return undefined;
  }
  try {
    return convert(kind, parseFilter(text));
  } catch (error) {
    if (error instanceof FilterError) {
      throw new ScimError(400, 'invalidFilter', `The filter ${error.message}.`);
    }
    throw error;
  }
}

function convert(kind: ResourceKind, filter: Filter): Condition {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, parts: [convert(kind, filter.left), convert(kind, filter.right)] };
    case 'not':
      return { kind: 'not', part: convert(kind, filter.filter) };
    case 'values':
      return convertValues(kind, filter.path, filter.filter);
    default:
      return convertCompare(kind, filter);
  }
}

function convertCompare(kind: ResourceKind, filter: Compare): Condition {
  const { path, operator, value } = filter;
  if (value === null && (operator === 'eq' || operator === 'ne')) {
    // Null is what an attribute is that has no value (RFC 7643 section 2.5).
    const present = convertCompare(kind, { ...filter, operator: 'pr', value: null });
    return operator === 'eq' ? { kind: 'not', part: present } : present;
  }
  const column = Object.hasOwn(columns[kind], path) ? columns[kind][path] : undefined;
  if (column !== undefined) {
    requireOperator(kind, path, operator, operators[column]);
    return { kind: 'compare', column, key: '', sub: '', operator, value: operator === 'pr' ? null : readValue(kind, column, filter) };
  }
  const searchable = kind === 'USER' ? searchablesByPath.get(path) : undefined;
  if (searchable === undefined) {
    throw refuse(kind, `${path} cannot be searched`);
  }
  const { key, sub, isMany, isFlag } = searchable;
  requireOperator(kind, path, operator, isFlag ? equality : texts);
  const sought = operator === 'pr' ? null : isFlag ? String(toFlag(kind, path, value)) : toText(kind, path, value, searchable);
  return { kind: 'compare', column: isMany ? 'list' : 'key', key, sub, operator, value: sought };
}

function requireOperator(kind: ResourceKind, path: string, operator: FilterOperator, possible: readonly FilterOperator[]): void {
  if (!possible.includes(operator)) {
    throw refuse(kind, `${path} cannot be compared by ${operator}, only by ${possible.join(', ')}`);
  }
}

/** A filter on the values of one attribute: all of it must hold for the same value. */
function convertValues(kind: ResourceKind, path: string, filter: Filter): Condition {
  if (columns[kind][`${path}.value`] !== undefined && filter.kind === 'compare' && filter.path === 'value') {
    return convertCompare(kind, { ...filter, path: `${path}.value` });
  }
  const isList = kind === 'USER' && searchables.some((one) => one.isMany && one.key === path);
  if (!isList) {
    throw refuse(kind, `values of ${path} cannot be searched`);
  }
  const inner = (one: Filter): Condition => {
    switch (one.kind) {
      case 'and':
      case 'or':
        return { kind: one.kind, parts: [inner(one.left), inner(one.right)] };
      case 'not':
        return { kind: 'not', part: inner(one.filter) };
      case 'values':
        throw refuse(kind, `values of ${path} have no values of their own`);
      default:
        return convertCompare(kind, { ...one, path: `${path}.${one.path}` });
    }
  };
  return { kind: 'sameValue', key: path, part: inner(filter) };
}

function readValue(kind: ResourceKind, column: PlainColumn, { path, operator, value }: Compare): string | boolean | Date {
  if (column === 'active') {
    return toFlag(kind, path, value);
  }
  if (column === 'created' || column === 'lastModified') {
    const date = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value) : undefined;
    if (date === undefined || Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) {
      throw refuse(kind, `${path} is compared with a time such as "2026-01-31T12:00:00Z"`);
    }
    return date;
  }
  const text = toText(kind, path, value, { caseExact: column !== 'name' });
  if (column !== 'name' || (operator !== 'eq' && operator !== 'ne')) {
    return text;
  }
  return kind === 'USER' ? getAddressKey(text) : getCaselessNameKey(text);
}

function toFlag(kind: ResourceKind, path: string, value: FilterValue): boolean {
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === true || word === 'true') {
    return true;
  }
  if (word === false || word === 'false') {
    return false;
  }
  throw refuse(kind, `${path} is true or false`);
}

function toText(kind: ResourceKind, path: string, value: FilterValue, { caseExact }: Pick<Searchable, 'caseExact'>): string {
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) {
    throw refuse(kind, `${path} is compared with a text in double quotes`);
  }
  return caseExact ? value : foldText(value);
}

function refuse(kind: ResourceKind, message: string): ScimError {
  return new ScimError(400, 'invalidFilter', `${message}. What can be searched: ${supported[kind]}.`);
}
