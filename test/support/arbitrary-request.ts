/**
 * Arbitrary requests that keep the contract, for property tests: in the one spelling `sent` has, and the same ones respelled as clients
 * may send them.
 */
import { type DescField, type DescMessage, getOption, type JsonObject, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { prefix_optional } from '../../src/gen/countersign/options_pb.js';

const maxDepth = 4;

/** Text PostgreSQL can store. */
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => value.replaceAll('\0', ''));
const key = text.filter((value) => value !== '__proto__');
const float = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const free = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const timestamp = fc
  .tuple(
    fc.date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
    fc.integer({ min: 0, max: 999_999 }),
  )
  .map(([date, micros]) => {
    const digits = String(micros).padStart(6, '0');
    const fraction = micros === 0 ? '' : micros % 1000 === 0 ? `.${digits.slice(0, 3)}` : `.${digits}`;
    return `${date.toISOString().slice(0, 19)}${fraction}Z`;
  });

const wellKnown: Readonly<Record<string, fc.Arbitrary<JsonValue> | undefined>> = {
  'google.protobuf.Timestamp': timestamp,
  'google.protobuf.Duration': fc.integer({ min: -1_000_000, max: 1_000_000 }).map((seconds) => `${seconds}s`),
  'google.protobuf.FieldMask': fc
    .uniqueArray(fc.constantFrom('displayName', 'scopeV2.userCriteria', 'id', '*'), { maxLength: 3 })
    .map((paths) => paths.join(',')),
  'google.protobuf.Struct': fc.dictionary(key, free, { maxKeys: 3, noNullPrototype: true }),
  'google.protobuf.Value': free,
  'google.protobuf.ListValue': fc.array(free, { maxLength: 3 }),
};

const bigint = (min: bigint, max: bigint): fc.Arbitrary<JsonValue> => fc.bigInt({ min, max }).map(String);

function scalarOf(field: DescField, scalar: ScalarType): fc.Arbitrary<JsonValue> {
  switch (scalar) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.BYTES:
      return fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    case ScalarType.FLOAT:
      return fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    case ScalarType.DOUBLE:
      return float;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return bigint(-(2n ** 63n), 2n ** 63n - 1n);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return bigint(0n, 2n ** 64n - 1n);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return fc.integer({ min: 0, max: 2 ** 32 - 1 });
    default:
      return field.name === 'page_size' ? fc.integer({ min: -1, max: 1_000_000 }) : fc.integer();
  }
}

function singleOf(field: DescField, depth: number): fc.Arbitrary<JsonValue> | undefined {
  if (field.message !== undefined) {
    return field.message.typeName.startsWith('google.protobuf.') ? wellKnown[field.message.typeName] : requestOf(field.message, depth + 1);
  }
  return field.enum === undefined
    ? scalarOf(field, field.scalar ?? ScalarType.STRING)
    : fc.constantFrom(...field.enum.values.map(({ name }) => name));
}

function fieldOf(field: DescField, depth: number): fc.Arbitrary<JsonValue> | undefined {
  const single = singleOf(field, depth);
  switch (field.fieldKind) {
    case 'list':
      return single && fc.array(single, { maxLength: 3 });
    case 'map':
      return single && fc.dictionary(key, single, { maxKeys: 3, noNullPrototype: true });
    default:
      return single;
  }
}

const known = new Map<string, fc.Arbitrary<JsonObject>>();

/** Any request of this message, as `sent` spells it; each field may be absent, of a oneof at most one member is there. */
export function requestOf(desc: DescMessage, depth = 0): fc.Arbitrary<JsonObject> {
  if (depth > maxDepth) {
    return fc.constant({});
  }
  const name = `${desc.typeName}/${depth}`;
  let arbitrary = known.get(name);
  if (arbitrary === undefined) {
    // Chosen first and built afterwards: some messages have hundreds of fields below them.
    arbitrary = fc.subarray([...desc.fields], { maxLength: Math.min(6, desc.fields.length) }).chain((fields) => {
      const chosen = fields.filter(
        (field, index) => field.oneof === undefined || fields.findIndex((other) => other.oneof === field.oneof) === index,
      );
      const members = chosen.flatMap((field) => {
        const value = fieldOf(field, depth);
        return value === undefined ? [] : [[field.jsonName, value] as const];
      });
      return fc.record(Object.fromEntries(members), { noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
    });
    known.set(name, arbitrary);
  }
  return arbitrary;
}

/** The same request in other words: snake_case names, short enum names, numbers for decimal strings, offsets instead of Z, nulls and unknown fields. */
export function respell(desc: DescMessage, json: JsonObject): JsonObject {
  const other: JsonObject = { some_unknown_member: { a: 1 } };
  for (const field of desc.fields) {
    const value = json[field.jsonName];
    if (value === undefined) {
      if (field.message?.typeName !== 'google.protobuf.Value' || field.fieldKind !== 'message') {
        other[field.name] = null;
      }
      continue;
    }
    if (field.fieldKind === 'list') {
      other[field.name] = (value as JsonValue[]).map((item) => respellSingle(field, item));
    } else if (field.fieldKind === 'map') {
      other[field.name] = Object.fromEntries(Object.entries(value as JsonObject).map(([name, item]) => [name, respellSingle(field, item)]));
    } else {
      other[field.name] = respellSingle(field, value);
    }
  }
  return other;
}

function respellSingle(field: DescField, value: JsonValue): JsonValue {
  if (field.message?.typeName === 'google.protobuf.Timestamp') {
    return (value as string).replace('Z', '+00:00');
  }
  if (field.message?.typeName === 'google.protobuf.FieldMask') {
    return (value as string).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll(',', ' , ');
  }
  if (field.message !== undefined) {
    return field.message.typeName.startsWith('google.protobuf.') ? value : respell(field.message, value as JsonObject);
  }
  if (field.enum !== undefined) {
    const prefix = field.enum.sharedPrefix?.toUpperCase() ?? '';
    return getOption(field, prefix_optional) && prefix !== ''
      ? (value as string).replace(prefix, '')
      : (field.enum.values.find(({ name }) => name === value)?.number ?? value);
  }
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) && isWhole(field.scalar) ? Number(value) : value;
}

function isWhole(scalar: ScalarType | undefined): boolean {
  return scalar !== undefined && scalar !== ScalarType.STRING && scalar !== ScalarType.BYTES && scalar !== ScalarType.BOOL;
}
