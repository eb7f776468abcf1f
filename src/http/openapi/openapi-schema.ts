/** From message descriptors to JSON Schema, as OpenAPI 3.1 has it. Paths and operations are in openapi.ts. */
import { type DescEnum, type DescField, type DescMessage, type DescOneof, getOption, ScalarType } from '@bufbuild/protobuf';
import { prefix_optional } from '../../gen/countersign/options_pb.js';
import { serverOwnedNames } from '../../wire/plan.ts';
import { noteOfField, noteOfMessage } from './field-notes.ts';

/** A JSON Schema; only ever written, never read. */
export type Schema = Record<string, unknown>;

/** Schemas of the messages and enums that have been referred to, by full name. */
export interface SchemaBook {
  /** The schema to put where a message stands: a reference, or for well-known types the schema itself. */
  refer(desc: DescMessage): Schema;
  /** The schema of one field's value. */
  ofField(field: DescField): Schema;
  /** A message written out, without some of its fields: a body whose path parameters stand in the path. */
  inline(desc: DescMessage, without: ReadonlySet<string>): Schema;
  /** All schemas that were referred to. */
  readonly schemas: Readonly<Record<string, Schema>>;
}

const wellKnown: Readonly<Record<string, Schema>> = {
  'google.protobuf.Timestamp': { type: 'string', format: 'date-time' },
  'google.protobuf.Duration': { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]{1,9})?s$', examples: ['3600s'] },
  'google.protobuf.FieldMask': {
    type: 'string',
    description: 'Field paths separated by commas; * for all.',
    examples: ['displayName,policyId'],
  },
  'google.protobuf.Struct': { type: 'object', additionalProperties: true },
  'google.protobuf.Value': {},
  'google.protobuf.ListValue': { type: 'array', items: {} },
  'google.protobuf.Any': {
    type: 'object',
    properties: {
      '@type': { type: 'string', description: 'type.googleapis.com/ and the name of one of these schemas, whose members follow.' },
    },
    required: ['@type'],
    additionalProperties: true,
  },
};

/** An empty book. */
export function openSchemaBook(): SchemaBook {
  const schemas: Record<string, Schema> = {};

  const refer = (desc: DescMessage): Schema => {
    const known = wellKnown[desc.typeName];
    if (known !== undefined) {
      return known;
    }
    if (schemas[desc.typeName] === undefined) {
      const schema: Schema = {};
      // Before its members, which may lead back here.
      schemas[desc.typeName] = schema;
      Object.assign(schema, inline(desc, new Set()));
    }
    return { $ref: `#/components/schemas/${desc.typeName}` };
  };

  const referEnum = (desc: DescEnum): Schema => {
    schemas[desc.typeName] ??= { type: 'string', enum: desc.values.map(({ name }) => name) };
    return { $ref: `#/components/schemas/${desc.typeName}` };
  };

  const ofSingle = (field: DescField): Schema => {
    if (field.message !== undefined) {
      return refer(field.message);
    }
    return field.enum === undefined ? ofScalar(field.scalar ?? ScalarType.STRING) : referEnum(field.enum);
  };

  const ofField = (field: DescField): Schema => {
    switch (field.fieldKind) {
      case 'list':
        return { type: 'array', items: ofSingle(field) };
      case 'map':
        return { type: 'object', additionalProperties: ofSingle(field) };
      default:
        return ofSingle(field);
    }
  };

  const inline = (desc: DescMessage, without: ReadonlySet<string>): Schema => {
    const owned = serverOwnedNames(desc);
    const properties: Record<string, Schema> = {};
    for (const field of desc.fields) {
      if (without.has(field.name)) {
        continue;
      }
      const note = noteOfField(field);
      const notes: Schema = note === undefined ? {} : { description: note };
      if (owned.has(field.jsonName)) {
        notes['readOnly'] = true;
      }
      if (field.enum !== undefined && getOption(field, prefix_optional)) {
        const accepted = 'Accepted with or without the prefix of its names, answered as listed.';
        notes['description'] = note === undefined ? accepted : `${note} ${accepted}`;
      }
      properties[field.jsonName] = { ...ofField(field), ...notes };
    }
    const note = noteOfMessage(desc);
    return { type: 'object', ...(note === undefined ? {} : { description: note }), properties, ...exclusive(desc.oneofs) };
  };

  return { refer, ofField, inline, schemas };
}

/** "At most one of", for each oneof. */
function exclusive(oneofs: readonly DescOneof[]): Schema {
  const rules = oneofs
    .filter((oneof) => oneof.fields.length > 1)
    .map((oneof) => {
      const each = oneof.fields.map((field) => ({ required: [field.jsonName] }));
      return { oneOf: [...each, { not: { anyOf: each } }] };
    });
  return rules.length === 0 ? {} : { allOf: rules };
}

function ofScalar(scalar: ScalarType): Schema {
  switch (scalar) {
    case ScalarType.STRING:
      return { type: 'string' };
    case ScalarType.BOOL:
      return { type: 'boolean' };
    case ScalarType.BYTES:
      return { type: 'string', contentEncoding: 'base64' };
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return { type: 'number' };
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return { type: 'string', pattern: '^-?[0-9]+$', description: 'A whole number of 64 bits; numbers are accepted too.' };
    default:
      return { type: 'integer', format: 'int32' };
  }
}
