/** Query strings: from text to the JSON that read.ts checks. Only GET and streamed methods take their fields from the query. */
import type { DescField, DescMessage, JsonObject, JsonValue } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { type FieldViolation, maxViolations } from '../errors.ts';
import { fieldsByName } from './plan.ts';
import type { UnknownMember } from './read-scalar.ts';
import { refusal } from './read.ts';

/** Values of a query string. */
export interface ReadQuery {
  readonly json: JsonObject;
  /** Parameters that the contract does not know. */
  readonly unknown: readonly UnknownMember[];
}

/**
 * The fields of `desc` that a query string names, in either spelling, and the parameters that are none. INVALID_ARGUMENT for one that is
 * given several times and is no list. Messages are taken as JSON text.
 */
export function readQuery(desc: DescMessage, query: string): ReadQuery {
  const json: JsonObject = {};
  const unknown: UnknownMember[] = [];
  if (query === '') {
    return { json, unknown };
  }
  const fields = fieldsByName(desc);
  const violations: FieldViolation[] = [];
  for (const [key, text] of new URLSearchParams(query)) {
    const field = fields.get(key);
    if (field === undefined) {
      if (unknown.length < maxViolations) {
        unknown.push({ path: key, desc });
      }
      continue;
    }
    // What is not UTF-8 has been replaced by now; nobody meant that.
    if (text.includes('\uFFFD') && !/%EF%BF%BD/i.test(query)) {
      violations.push({ field: field.jsonName, description: 'is not valid UTF-8' });
      continue;
    }
    const value = queryValue(field, text);
    const before = json[field.jsonName];
    if (field.fieldKind === 'list') {
      json[field.jsonName] = [...((before as JsonValue[] | undefined) ?? []), value];
    } else if (before === undefined) {
      json[field.jsonName] = value;
    } else {
      violations.push({ field: field.jsonName, description: 'is given more than once' });
    }
  }
  if (violations.length > 0) {
    throw refusal(violations);
  }
  return { json, unknown };
}

/** Everything in a query is text: true and false become what they say, numbers are understood as text anyway. */
function queryValue(field: DescField, text: string): JsonValue {
  if (field.scalar === ScalarType.BOOL) {
    return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
  }
  if (field.message !== undefined && /^\s*\{/.test(text)) {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      return text;
    }
  }
  return text;
}
