/** Attributes for clients. */
import type { AttributeValue } from '../../gen/c1/api/attribute/v1/attribute_pb.js';
import { type Row, unset } from '../../wire/row.ts';
import type { AttributeValueRow } from './store.ts';

/** A value as c1.api.attribute.v1.AttributeValue. */
export function shapeValue(row: AttributeValueRow): Row<AttributeValue> {
  return { ...row, attributeTypeId: row.typeId, ...unset('deletedAt') };
}
