/** Reading JSON whose shape nobody promised: what is not of the wanted kind counts as empty. What is wrong with it is said elsewhere. */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/** True if a value is an object: neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object itself; an empty one for anything else. */
export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The list itself; an empty one for anything else. */
export function asList(value: unknown): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The texts in a list, anything else in it left out; none for what is no list. */
export function asTexts(value: unknown): string[] {
  return asList(value).filter((item) => typeof item === 'string');
}
