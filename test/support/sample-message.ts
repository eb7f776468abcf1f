/**
 * Sample JSON for every field of a message, and every path of its update mask: made from the contract, so that a new field is tested
 * without anybody thinking of it.
 */
import type { DescField, DescMessage, JsonObject, JsonValue } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { isOpenMessage, serverOwnedNames } from '../../src/wire/plan.ts';

/** Values for fields whose text has a form of its own, by name. */
export type Samples = Readonly<Record<string, JsonValue>>;

function sampleScalar(type: ScalarType, name: string, samples: Samples): JsonValue {
  switch (type) {
    case ScalarType.BOOL:
      return true;
    case ScalarType.STRING:
      return samples[name] ?? `some ${name}`;
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return '7';
    default:
      return 7;
  }
}

function sampleMessage(desc: DescMessage, samples: Samples, depth: number): JsonValue {
  switch (desc.typeName) {
    case 'google.protobuf.Timestamp':
      return '2036-05-01T08:30:00Z';
    case 'google.protobuf.Duration':
      return '3600s';
    case 'google.protobuf.Struct':
      return { key: 'value' };
    default:
      return depth > 6 ? {} : sampleOf(desc, samples, depth + 1);
  }
}

/** A sample value of one field, all of it set. */
export function sampleField(field: DescField, samples: Samples, depth = 0): JsonValue {
  const name = field.jsonName;
  switch (field.fieldKind) {
    case 'scalar':
      return sampleScalar(field.scalar, name, samples);
    case 'enum':
      return field.enum.values[1]?.name ?? '';
    case 'message':
      return sampleMessage(field.message, samples, depth);
    case 'list':
      return [
        field.listKind === 'message'
          ? sampleMessage(field.message, samples, depth)
          : field.listKind === 'enum'
            ? (field.enum.values[1]?.name ?? '')
            : sampleScalar(field.scalar, name, samples),
      ];
    case 'map':
      return {
        key:
          field.mapKind === 'message'
            ? sampleMessage(field.message, samples, depth)
            : field.mapKind === 'enum'
              ? (field.enum.values[1]?.name ?? '')
              : sampleScalar(field.scalar, name, samples),
      };
  }
}

/** The fields of a message that a client writes. */
export function writableFields(desc: DescMessage): DescField[] {
  return desc.fields.filter((field) => !serverOwnedNames(desc).has(field.jsonName));
}

/** Sample JSON with every writable field set, of a oneof its first member. */
export function sampleOf(desc: DescMessage, samples: Samples, depth = 0): JsonObject {
  const sample: JsonObject = {};
  for (const field of writableFields(desc)) {
    if (field.oneof === undefined || field.oneof.fields[0] === field) {
      sample[field.jsonName] = sampleField(field, samples, depth);
    }
  }
  return sample;
}

/** A path of an update mask and the field it ends in. */
export interface MaskPath {
  readonly path: string;
  readonly field: DescField;
}

/** Every path an update mask of this message may name, save `*`. */
export function listMaskPaths(desc: DescMessage, prefix = '', depth = 0): MaskPath[] {
  if (depth > 6) {
    return [];
  }
  return writableFields(desc).flatMap((field) => {
    const path = `${prefix}${field.jsonName}`;
    const inner = isOpenMessage(field) ? listMaskPaths(field.message, `${path}.`, depth + 1) : [];
    return [{ path, field }, ...inner];
  });
}

/** JSON with this value at this path and nothing else. */
export function jsonAt(path: string, value: JsonValue): JsonObject {
  const [first = '', ...rest] = path.split('.');
  return { [first]: rest.length === 0 ? value : jsonAt(rest.join('.'), value) };
}

/** The value at this path, undefined where there is none. */
export function valueAt(json: JsonValue | undefined, path: string): JsonValue | undefined {
  return path.split('.').reduce<JsonValue | undefined>((value, name) => (value as JsonObject | undefined)?.[name], json);
}
