/**
 * From a filter to what is asked of the store: which attributes can be searched, by which comparisons, and with which values. What is not
 * supported is refused by name (RFC 7644 section 3.4.2.2). How a condition is asked in SQL is in store-search.ts.
 */
import { ScimError } from './errors.ts';
import { foldText, textPaths } from './facts.ts';
import { type Filter, FilterError, type FilterOperator, type FilterValue, parseFilter } from './parse-filter.ts';
import type { ResourceKind } from './store-resources.ts';
import type { Column, Condition } from './store-search.ts';

type Compare = Extract<Filter, { kind: 'compare' }>;

const columns: Readonly<Record<ResourceKind, Readonly<Record<string, Column>>>> = {
  USER: {
    id: 'id',
    username: 'name',
    externalid: 'externalId',
    active: 'active',
    emails: 'email',
    'emails.value': 'email',
    'emails.type': 'emailType',
    'meta.created': 'created',
    'meta.lastmodified': 'lastModified',
    ...Object.fromEntries(textPaths.map((path) => [path, 'key'])),
  },
  GROUP: {
    id: 'id',
    displayname: 'name',
    externalid: 'externalId',
    members: 'member',
    'members.value': 'member',
    'meta.created': 'created',
    'meta.lastmodified': 'lastModified',
  },
};

/** What can be searched for, as an error says it. */
const supported: Readonly<Record<ResourceKind, string>> = {
  USER: 'id, userName, externalId, active, displayName, nickName, title, userType, preferredLanguage, locale, timezone, name.formatted, name.familyName, name.givenName, emails, emails.value, emails.type, meta.created, meta.lastModified, and employeeNumber, costCenter, organization, division and department of the enterprise extension',
  GROUP: 'id, displayName, externalId, members.value (eq alone), meta.created and meta.lastModified',
};

const equality: readonly FilterOperator[] = ['eq', 'ne', 'pr'];
const texts: readonly FilterOperator[] = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'];
const order: readonly FilterOperator[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'pr'];
const operators: Readonly<Record<Column, readonly FilterOperator[]>> = {
  id: texts,
  name: texts,
  externalId: texts,
  active: equality,
  email: texts,
  emailType: texts,
  key: texts,
  created: order,
  lastModified: order,
  member: ['eq'],
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

function convertCompare(kind: ResourceKind, { path, operator, value }: Compare): Condition {
  const column = columns[kind][path];
  if (column === undefined) {
    throw refuse(kind, `${path} cannot be searched`);
  }
  if (!operators[column].includes(operator)) {
    throw refuse(kind, `${path} cannot be compared by ${operator}, only by ${operators[column].join(', ')}`);
  }
  return { kind: 'compare', column, path, operator, value: operator === 'pr' ? null : readValue(kind, column, path, value) };
}

/** A filter on the values of one attribute: all of it must hold for the same value. */
function convertValues(kind: ResourceKind, path: string, filter: Filter): Condition {
  if (kind === 'GROUP' && path === 'members' && filter.kind === 'compare' && filter.path === 'value') {
    return convertCompare(kind, { ...filter, path: 'members.value' });
  }
  if (kind !== 'USER' || path !== 'emails') {
    throw refuse(kind, `values of ${path} cannot be searched`);
  }
  const inner = (one: Filter): Condition => {
    if (one.kind === 'compare' && (one.path === 'value' || one.path === 'type')) {
      return convertCompare(kind, { ...one, path: `emails.${one.path}` });
    }
    if (one.kind === 'and' || one.kind === 'or') {
      return { kind: one.kind, parts: [inner(one.left), inner(one.right)] };
    }
    if (one.kind === 'not') {
      return { kind: 'not', part: inner(one.filter) };
    }
    throw refuse(kind, 'emails can be searched by value and type');
  };
  return { kind: 'sameEmail', part: inner(filter) };
}

function readValue(kind: ResourceKind, column: Column, path: string, value: FilterValue): string | boolean | Date {
  if (column === 'active') {
    const word = typeof value === 'string' ? value.toLowerCase() : value;
    if (word === true || word === 'true') {
      return true;
    }
    if (word === false || word === 'false') {
      return false;
    }
    throw refuse(kind, `${path} is true or false`);
  }
  if (typeof value !== 'string') {
    throw refuse(kind, `${path} is compared with a text in double quotes`);
  }
  if (column === 'created' || column === 'lastModified') {
    const date = /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value) : undefined;
    if (date === undefined || Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) {
      throw refuse(kind, `${path} is compared with a time such as "2026-01-31T12:00:00Z"`);
    }
    return date;
  }
  return column === 'id' || column === 'externalId' || column === 'member' ? value : foldText(value);
}

function refuse(kind: ResourceKind, message: string): ScimError {
  return new ScimError(400, 'invalidFilter', `${message}. What can be searched: ${supported[kind]}.`);
}
