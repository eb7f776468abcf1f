/**
 * Deleting a classification: a risk level or a compliance framework. It stands here, since it is taken away from entitlements with it.
 */
import { orThrow } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { type AttributeTypeRow, findValue, lockValues, removeValue, requireValue } from '../../classifications/index.ts';
import { updateDeclassified } from './store-classified.ts';

/** Entitlements an event names; it says how many there were in any case. */
const maxNamed = 100;

/**
 * Deletes a value and takes it away from the entitlements that carry it, in one transaction; the event says how many those were and
 * names the first. With a type, NOT_FOUND for values of the others.
 */
export function deleteValue(context: Context, id: string, type?: AttributeTypeRow): Promise<void> {
  return inTransaction(context, async (inside) => {
    // Whether there is one is asked before the lock, so that nobody waits for nothing.
    await requireValue(inside, id, type);
    await lockValues(inside, true);
    const row = orThrow(await findValue(inside, id), 'NOT_FOUND', 'There is no such value.');
    const entitlementIds = await updateDeclassified(inside, id);
    await removeValue(inside, id);
    await recordEvent(inside, {
      kind: 'attribute_value.deleted',
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
