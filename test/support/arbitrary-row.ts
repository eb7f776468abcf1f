/** Arbitrary rows of a message, for property tests: as services answer them, with nothing, null or something for each field. */
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { isWhole } from '../../src/wire/reply.ts';

const maxDepth = 3;
/** Texts with what JSON escapes: quotes, control characters, halves of surrogate pairs; short and long. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('"', '\\', '\n', '\ud800'),
);
const key = text.filter((value) => value !== '__proto__');
const date = fc.date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true });
const time = fc.oneof(
  date,
  date.map((value) => value.toISOString()),
  date.map((value) => value.toISOString().replace('Z', '+00:00')),
);
const whole = fc.oneof(fc.integer(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt().map(String));
const anything = fc.jsonValue();
const nothing = fc.constantFrom(undefined, null);

const wellKnown: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'google.protobuf.Timestamp': time,
  'google.protobuf.Duration': fc.integer({ min: 0 }).map((seconds) => `${seconds}s`),
  'google.protobuf.FieldMask': text,
  'google.protobuf.Struct': fc.dictionary(key, anything),
  'google.protobuf.Value': anything.filter((value) => value !== null),
  'google.protobuf.ListValue': fc.array(anything),
};

function scalarOf(scalar: ScalarType): fc.Arbitrary<unknown> {
  switch (scalar) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.BYTES:
      return fc.uint8Array();
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return fc.double();
    default:
      return isWhole(scalar) ? whole : fc.integer();
  }
}

function singleOf(field: DescField, depth: number, packed: DescMessage): fc.Arbitrary<unknown> {
  if (field.message?.typeName === 'google.protobuf.Any') {
    const stored = fc.constant({ '@type': 'type.googleapis.com/a.B', some: ['thing'] });
    return fc.oneof(
      rowOf(packed, packed, depth + 1).map((row) => ({ desc: packed, row })),
      stored,
    );
  }
  if (field.message !== undefined) {
    return wellKnown[field.message.typeName] ?? rowOf(field.message, packed, depth + 1);
  }
  if (field.enum === undefined) {
    return scalarOf(field.scalar ?? ScalarType.STRING);
  }
  const prefix = field.enum.sharedPrefix?.toUpperCase() ?? '';
  return fc.constantFrom(...field.enum.values.flatMap(({ name }) => [name, name.startsWith(prefix) ? name.slice(prefix.length) : name]));
}

function fieldOf(field: DescField, depth: number, packed: DescMessage): fc.Arbitrary<unknown> {
  const single = singleOf(field, depth, packed);
  switch (field.fieldKind) {
    case 'list':
      return fc.array(single, { maxLength: 3 });
    case 'map':
      return fc.dictionary(key, single, { maxKeys: 3 });
    default:
      return single;
  }
}

/** Any row of this message; messages of any type are of the type `packed`. */
export function rowOf(desc: DescMessage, packed: DescMessage, depth = 0): fc.Arbitrary<object> {
  if (depth > maxDepth || desc.fields.length === 0) {
    return fc.constant({ besides: true });
  }
  return fc.subarray([...desc.fields], { maxLength: Math.min(8, desc.fields.length) }).chain((fields) =>
    fc.record({
      besides: fc.constant('not of the message'),
      ...Object.fromEntries(
        fields.map((field) => [field.jsonName, fc.oneof({ weight: 4, arbitrary: fieldOf(field, depth, packed) }, nothing)]),
      ),
    }),
  );
}
