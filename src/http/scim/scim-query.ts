/**
 * The parameters of SCIM requests: which page, which filter, which attributes; in the address, or in the body of a search.
 */
import type { JsonValue } from '@bufbuild/protobuf';
import { type ListQuery, type Projection, ScimError } from '../../inventory/scim/index.ts';

/** The attributes asked for in an address. */
export function readProjection(query: URLSearchParams): Projection {
  const listOf = (name: string): string[] =>
    (query.get(name) ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  return { attributes: listOf('attributes'), excluded: listOf('excludedAttributes') };
}

/** The page and the filter asked for in an address; 400 for numbers that are none. */
export function readListQuery(query: URLSearchParams): ListQuery {
  const numberOf = (name: string): number | undefined => {
    const text = query.get(name);
    return text === null || text === '' ? undefined : toNumber(name, Number(text));
  };
  return { filter: query.get('filter') ?? undefined, startIndex: numberOf('startIndex'), count: numberOf('count') };
}

/** Reads the body of a search (RFC 7644 section 3.4.3). */
export function readSearch(body: JsonValue | undefined): { readonly query: ListQuery; readonly projection: Projection } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ScimError(400, 'invalidSyntax', 'A search needs a JSON object.');
  }
  const numberOf = (name: string): number | undefined => {
    const value = body[name] ?? undefined;
    return value === undefined ? undefined : toNumber(name, value);
  };
  const listOf = (name: string): string[] => {
    const value = body[name] ?? [];
    if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) {
      throw new ScimError(400, 'invalidValue', `${name} must be a list of texts.`);
    }
    return value as string[];
  };
  const filter = body.filter ?? undefined;
  if (filter !== undefined && typeof filter !== 'string') {
    throw new ScimError(400, 'invalidFilter', 'filter must be a text.');
  }
  return {
    query: { filter, startIndex: numberOf('startIndex'), count: numberOf('count') },
    projection: { attributes: listOf('attributes'), excluded: listOf('excludedAttributes') },
  };
}

function toNumber(name: string, value: JsonValue): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    throw new ScimError(400, 'invalidValue', `${name} must be a whole number.`);
  }
  return value;
}
