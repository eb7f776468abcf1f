/**
 * How attributes look outside.
 */
import {
  type AttributeTypeJson,
  AttributeTypeSchema,
  type AttributeValueJson,
  AttributeValueSchema,
} from '../../gen/c1/api/attribute/v1/attribute_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import type { AttributeTypeRow } from './attribute-types.ts';
import type { AttributeValueRow } from './store.ts';

/** A value as c1.api.attribute.v1.AttributeValue. */
export function shapeValue(row: AttributeValueRow): AttributeValueJson {
  return shape(AttributeValueSchema, {
    id: row.id,
    attributeTypeId: row.typeId,
    value: row.value,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
  });
}

/** A type as c1.api.attribute.v1.AttributeType. */
export function shapeType(row: AttributeTypeRow): AttributeTypeJson {
  return shape(AttributeTypeSchema, { id: row.id, name: row.name });
}
