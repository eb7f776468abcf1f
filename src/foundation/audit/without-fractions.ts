/** Documents of clients as events take them: any JSON in, JSON of whole numbers out. */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/**
 * The document with every number that is not whole, or beyond 2^53 - 1, as text. Such numbers are written differently in other languages, so
 * no hash may rest on them; clients may put them into free-form members such as `config`.
 */
export function withoutFractions(document: JsonObject): JsonObject;
export function withoutFractions(document: JsonValue): JsonValue;
export function withoutFractions(document: JsonValue): JsonValue {
  if (Array.isArray(document)) {
    return document.map((item) => withoutFractions(item));
  }
  if (typeof document === 'object' && document !== null) {
    return Object.fromEntries(Object.entries(document).map(([name, member]) => [name, withoutFractions(member)]));
  }
  return typeof document === 'number' && !Number.isSafeInteger(document) ? String(document) : document;
}
