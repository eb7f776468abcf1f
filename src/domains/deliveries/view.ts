/** How a delivery looks outside. */
import type { JsonObject } from '@bufbuild/protobuf';
import { type DeliveryJson, DeliverySchema } from '../../gen/countersign/v1/deliveries_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import type { ListedDelivery } from './store.ts';

/** A delivery as countersign.v1.Delivery. */
export function shapeDelivery(row: ListedDelivery): DeliveryJson {
  return shape(DeliverySchema, {
    id: row.id,
    kind: row.kind,
    subjectId: row.subjectId,
    idempotencyKey: row.idempotencyKey,
    // A Struct is any JSON object.
    payload: row.payload as JsonObject,
    state: `DELIVERY_STATE_${row.state}`,
    attempts: row.attempts,
    repeats: row.repeats,
    error: row.error,
    receipt: row.receipt as JsonObject,
    discardReason: row.discardReason,
    isRunning: row.isRunning,
    nextAttemptAt: timestamp(row.runAt),
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    endedAt: timestamp(row.endedAt),
  });
}
