/**
 * The JSON of a SCIM request. Attributes nobody here knows are kept as they are sent, so what could not be stored, or would be read as
 * something else, is refused before anybody looks at it.
 */
import { isUtf8 } from 'node:buffer';
import type { JsonValue } from '@bufbuild/protobuf';
import { ScimError } from '../../inventory/scim/index.ts';

/** Deeper than any schema, and shallow enough for whoever walks through it by recursion. */
const maxDepth = 32;

/** The JSON of a body, undefined for an empty one; 400 for one that is none, is nested too deep, or holds texts that cannot be stored. */
export function parseScimBody(body: Buffer): JsonValue | undefined {
  if (!isUtf8(body)) {
    throw new ScimError(400, 'invalidSyntax', 'The body is not valid UTF-8.');
  }
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') {
    return undefined;
  }
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    throw new ScimError(400, 'invalidSyntax', 'The body is not JSON.');
  }
  requireStorable(value);
  return value;
}

/** Without recursion: a megabyte of brackets is half a million levels. */
function requireStorable(root: JsonValue): void {
  let level: JsonValue[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) {
      throw new ScimError(400, 'invalidSyntax', `The body is nested more than ${maxDepth} deep.`);
    }
    const next: JsonValue[] = [];
    for (const value of level) {
      if (typeof value === 'string') {
        requireText(value);
      } else if (typeof value === 'object' && value !== null) {
        for (const [key, member] of Object.entries(value)) {
          requireName(key);
          next.push(member);
        }
      }
    }
    level = next;
  }
}

function requireText(text: string): void {
  if (!text.isWellFormed() || text.includes('\0')) {
    throw new ScimError(400, 'invalidValue', 'A text holds a character that cannot be stored (U+0000, or half of a surrogate pair).');
  }
}

function requireName(name: string): void {
  requireText(name);
  if (name === '__proto__') {
    throw new ScimError(400, 'invalidSyntax', '__proto__ cannot be the name of an attribute.');
  }
}
