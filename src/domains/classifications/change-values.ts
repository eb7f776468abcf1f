/**
 * Making and deleting values of attributes. A value is never changed: what entitlements carry under its id would say something else.
 */
import { AppError, invalidField } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { type AttributeTypeRow, findAttributeType } from './attribute-types.ts';
import { requireValue } from './require.ts';
import { type AttributeValueRow, findValue, insertValue, lockValues, removeValue, removeValueFromEntitlements } from './store.ts';

const maxLength = 200;
/** Entitlements an event names; it says how many there were in any case. */
const maxNamed = 100;

/** Makes a value of the type with this id; INVALID_ARGUMENT where there is no such type, and as `createValue` says. */
export function createValueOfType(context: Context, typeId: string, value: string): Promise<AttributeValueRow> {
  const type = findAttributeType(typeId);
  if (type === undefined) {
    throw invalidField('attributeTypeId', 'names no attribute type; GET /api/v1/attributes/types lists them');
  }
  return createValue(context, type, value);
}

/** Makes a value. INVALID_ARGUMENT for an empty or too long one, CONFLICT where the type has it already, in any case. */
export function createValue(context: Context, type: AttributeTypeRow, sent: string): Promise<AttributeValueRow> {
  const value = sent.trim();
  if (value === '' || value.length > maxLength) {
    throw invalidField('value', value === '' ? 'must not be empty' : `must not be longer than ${maxLength} characters`);
  }
  return inTransaction(context, async (inside) => {
    const id = newId(context.now);
    if (!(await insertValue(inside, { id, typeId: type.id, value }))) {
      throw new AppError('CONFLICT', `There is a value ${JSON.stringify(value)} of ${type.name} already.`);
    }
    await recordEvent(inside, {
      kind: 'attribute_value.created',
      targetType: 'attribute_value',
      targetId: id,
      data: { attributeTypeId: type.id, value },
    });
    return requireValue(inside, id);
  });
}

/**
 * Deletes a value and takes it away from the entitlements that carry it, in one transaction; the event says how many those were and
 * names the first. With a type, NOT_FOUND for values of the others.
 */
export function deleteValue(context: Context, id: string, type?: AttributeTypeRow): Promise<void> {
  return inTransaction(context, async (inside) => {
    // Whether there is one is asked before the lock, so that nobody waits for nothing.
    await requireValue(inside, id, type);
    await lockValues(inside, true);
    const row = await findValue(inside, id);
    if (row === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such value.');
    }
    const entitlementIds = await removeValueFromEntitlements(inside, id);
    await removeValue(inside, id);
    await recordEvent(inside, {
      kind: 'attribute_value.deleted',
      targetType: 'attribute_value',
      targetId: id,
      data: {
        attributeTypeId: row.typeId,
        value: row.value,
        entitlementCount: entitlementIds.length,
        entitlementIds: entitlementIds.slice(0, maxNamed),
      },
    });
  });
}
