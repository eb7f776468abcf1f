/**
 * Making values of attributes. A value is never changed: what entitlements carry under its id would say something else. Deleting one is in the
 * catalog, whose entitlements carry it.
 */
import { AppError, invalidField } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { hasHiddenControl } from '../../lib/names/visible-text.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { type AttributeTypeRow, findAttributeType } from './attribute-types.ts';
import { requireValue } from './require.ts';
import { type AttributeValueRow, insertValue } from './store.ts';

const maxLength = 200;

/** Makes a value of the type with this id; INVALID_ARGUMENT where there is no such type, and as `createValue` says. */
export function createValueOfType(context: Context, typeId: string, value: string): Promise<AttributeValueRow> {
  const type = findAttributeType(typeId);
  if (type === undefined) {
    throw invalidField('attributeTypeId', 'names no attribute type; GET /api/v1/attributes/types lists them');
  }
  return createValue(context, type, value);
}

/** Makes a value. INVALID_ARGUMENT for one that is empty, too long or no line of text, CONFLICT where the type has it already, in any case. */
export function createValue(context: Context, type: AttributeTypeRow, sent: string): Promise<AttributeValueRow> {
  const value = sent.trim();
  if (value === '' || value.length > maxLength) {
    throw invalidField('value', value === '' ? 'must not be empty' : `must not be longer than ${maxLength} characters`);
  }
  if (hasHiddenControl(value)) {
    throw invalidField('value', 'must not contain line breaks, control characters, or characters that turn the direction of writing');
  }
  return inTransaction(context, async (inside) => {
    const id = newId(context.now);
    if (!(await insertValue(inside, { id, typeId: type.id, value }))) {
      throw new AppError('CONFLICT', `There is a value ${JSON.stringify(value)} of ${type.name} already.`);
    }
    await recordEvent(inside, {
      kind: 'attribute_value.created',
      targetId: id,
      data: { attributeTypeId: type.id, value },
    });
    return requireValue(inside, id);
  });
}
