/**
 * Matches a JSON object with a filter: for the value filters of paths (emails[type eq "work"]), which pick values of one resource. Searches over
 * many resources are SQL (store-search.ts).
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { Filter, FilterValue } from './parse-filter.ts';

/** The member with this name in any case, as attribute names are (RFC 7643 section 2.1). */
export function findMember(object: JsonObject, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.keys(object).find((key) => key.toLowerCase() === wanted);
}

/** True if a value is a JSON object and no list. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(value: JsonValue, path: string): JsonValue | undefined {
  if (!isObject(value)) {
    // A value that is no object is its own `value`: members ["a"] and members [{"value": "a"}] are filtered alike.
    return path === 'value' ? value : undefined;
  }
  const member = findMember(value, path);
  return member === undefined ? undefined : value[member];
}

/** True if this value of a multi-valued attribute meets the filter. Texts are compared in any case. */
export function matchesValue(value: JsonValue, filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return matchesValue(value, filter.left) && matchesValue(value, filter.right);
    case 'or':
      return matchesValue(value, filter.left) || matchesValue(value, filter.right);
    case 'not':
      return !matchesValue(value, filter.filter);
    case 'values':
      return false;
    default:
      return compare(valueAt(value, filter.path), filter.operator, filter.value);
  }
}

function compare(found: JsonValue | undefined, operator: string, wanted: FilterValue): boolean {
  if (operator === 'pr') {
    return found !== undefined && found !== null && found !== '';
  }
  const left = typeof found === 'string' ? found.toLowerCase() : (found ?? null);
  const right = typeof wanted === 'string' ? wanted.toLowerCase() : wanted;
  switch (operator) {
    case 'eq':
      return left === right;
    case 'ne':
      return left !== right;
    default:
      return typeof left === 'string' && typeof right === 'string' && compareTexts(left, operator, right);
  }
}

function compareTexts(left: string, operator: string, right: string): boolean {
  switch (operator) {
    case 'co':
      return left.includes(right);
    case 'sw':
      return left.startsWith(right);
    case 'ew':
      return left.endsWith(right);
    case 'gt':
      return left > right;
    case 'ge':
      return left >= right;
    case 'lt':
      return left < right;
    default:
      return left <= right;
  }
}
