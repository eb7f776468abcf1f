/**
 * Replies as plain objects of the contract's JSON types, field by field. Slow and plain: for what is stored or compared as JSON, and what
 * `write.ts` is held against. Whether a reply keeps the contract is checked in check-reply.ts.
 */
import type { DescField, DescMessage, JsonObject, JsonValue, MessageJsonType } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { hasPresence } from './plan.ts';
import { enumNames, isPacked, type Packed, type RowOf, timeText, typePrefix } from './row.ts';

/**
 * The message of a row, with the defaults of unset scalars and enums (their zero name), `[]` for lists and `{}` for maps, all the way down.
 * Unset messages, times, oneof members and optional fields stay out. The fields that are always there come first, each kind in the
 * contract's order.
 */
export function shape<D extends DescMessage>(desc: D, row: Partial<RowOf<D>>): MessageJsonType<D> {
  return shapeMessage(desc, row) as MessageJsonType<D>;
}

function shapeMessage(desc: DescMessage, row: object): JsonObject {
  const always: [string, JsonValue][] = [];
  const ifSet: [string, JsonValue][] = [];
  for (const field of desc.fields) {
    const value = (row as Readonly<Record<string, unknown>>)[field.jsonName];
    const empty = emptyOf(field);
    if (empty !== undefined) {
      always.push([field.jsonName, value === undefined || value === null ? empty : shapeField(field, value)]);
    } else if (value !== undefined && value !== null) {
      ifSet.push([field.jsonName, shapeField(field, value)]);
    }
  }
  return Object.fromEntries([...always, ...ifSet]);
}

function shapeField(field: DescField, value: unknown): JsonValue {
  switch (field.fieldKind) {
    case 'list':
      return (value as unknown[]).map((item) => shapeSingle(field, item));
    case 'map':
      return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, shapeSingle(field, item)]));
    default:
      return shapeSingle(field, value);
  }
}

function shapeSingle(field: DescField, value: unknown): JsonValue {
  if (field.message !== undefined) {
    return shapeInner(field.message, value as object);
  }
  if (field.enum !== undefined) {
    return enumNames(field.enum).get(value as string) ?? (value as JsonValue);
  }
  if (field.scalar !== undefined && isWhole(field.scalar)) {
    return String(value);
  }
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : (value as JsonValue);
}

function shapeInner(desc: DescMessage, value: object): JsonValue {
  switch (desc.typeName) {
    case 'google.protobuf.Timestamp':
      return timeText(value as Date);
    case 'google.protobuf.Any': {
      const packed = value as Packed | JsonObject;
      if (!isPacked(packed)) {
        return packed;
      }
      return { '@type': `${typePrefix}${packed.desc.typeName}`, ...shapeMessage(packed.desc, packed.row) };
    }
    default:
      return desc.typeName.startsWith('google.protobuf.') ? (value as JsonObject) : shapeMessage(desc, value);
  }
}

/** True for integers of 64 bits, which JSON spells as texts. */
export function isWhole(scalar: ScalarType): boolean {
  switch (scalar) {
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return true;
    default:
      return false;
  }
}

/** Value written for an unset field; undefined: not at all. */
export function emptyOf(field: DescField): JsonValue | undefined {
  switch (field.fieldKind) {
    case 'list':
      return [];
    case 'map':
      return {};
    case 'message':
      return undefined;
    default:
      return hasPresence(field) ? undefined : defaultOf(field);
  }
}

function defaultOf(field: DescField & { fieldKind: 'scalar' | 'enum' }): JsonValue {
  if (field.fieldKind === 'enum') {
    return field.enum.value[0]?.name ?? field.enum.values[0]?.name ?? '';
  }
  switch (field.scalar) {
    case ScalarType.BOOL:
      return false;
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return '';
    default:
      return isWhole(field.scalar) ? '0' : 0;
  }
}
