/**
 * Adding a delivery in the transaction of the change that asks for it. Making it is make-deliveries.ts.
 */
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { enqueueEffects } from '../../jobs/index.ts';
import { newId } from '../../wire/ids.ts';
import { findDeliveryIdByKey, insertDelivery } from './store.ts';
import type { DeliveryData } from './types.ts';

const maxKeyLength = 200;
const maxPayloadLength = 16_384;

/** Delivery to be made, and when (at once unless given). */
export interface DeliveryRequest {
  readonly kind: string;
  readonly subjectId: string;
  /** Says which effect this is: asking twice for the same one adds one delivery. At most 200 characters. */
  readonly idempotencyKey: string;
  /** References alone, never a secret; at most 16 KiB as JSON. */
  readonly payload?: DeliveryData;
  readonly runAt?: Date;
}

/**
 * Adds a delivery in the caller's transaction: it exists if and only if that commits. Returns its id, or that of the delivery of this kind
 * that has the key already, in whatever state. INTERNAL outside a transaction, and for a key or payload that is too long.
 */
export async function enqueueDelivery(context: Context, request: DeliveryRequest): Promise<string> {
  const { kind, subjectId, idempotencyKey, payload = {}, runAt = context.now } = request;
  requireSound(context, kind, idempotencyKey, payload);
  for (;;) {
    const id = newId(context.now);
    if (await insertDelivery(context, { id, kind, subjectId, idempotencyKey, payload })) {
      await enqueueEffects(context.db, { tenantId: context.tenantId, ids: [id], kind, runAt }, context.now);
      return id;
    }
    const known = await findDeliveryIdByKey(context, kind, idempotencyKey);
    if (known !== undefined) {
      return known;
    }
    // It was removed between the two statements.
  }
}

function requireSound(context: Context, kind: string, idempotencyKey: string, payload: DeliveryData): void {
  const fault = !context.db.inTransaction
    ? 'outside a transaction'
    : idempotencyKey === '' || idempotencyKey.length > maxKeyLength
      ? `with a key of ${idempotencyKey.length} characters`
      : JSON.stringify(payload).length > maxPayloadLength
        ? 'with too long a payload'
        : undefined;
  if (fault !== undefined) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: `a delivery of kind ${kind} was added ${fault}` });
  }
}
