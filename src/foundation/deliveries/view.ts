/** Deliveries as clients see them. */
import type { Delivery } from '../../gen/countersign/v1/deliveries_pb.js';
import type { Row } from '../../wire/row.ts';
import type { ListedDelivery } from './manage-deliveries.ts';

/** A delivery as countersign.v1.Delivery. */
export function shapeDelivery(row: ListedDelivery): Row<Delivery> {
  return { ...row, nextAttemptAt: row.runAt };
}
