/**
 * The contract's service about deliveries: each method calls one rule and shapes the reply.
 */
import {
  DeliveryService,
  DeliveryServiceDiscardResponseSchema,
  DeliveryServiceGetResponseSchema,
  DeliveryServiceListResponseSchema,
  DeliveryServiceRepeatDeadResponseSchema,
  DeliveryServiceRepeatResponseSchema,
  DeliveryState as WireState,
} from '../../gen/countersign/v1/deliveries_pb.js';
import { pageOf } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { discardDelivery, repeatDeadDeliveries, repeatDelivery, requireDelivery } from './manage-deliveries.ts';
import { listDeliveries } from './store.ts';
import type { DeliveryState } from './types.ts';
import { shapeDelivery } from './view.ts';

const deliveryService = implement(DeliveryService, {
  list: async (context, request, call) => {
    const filter = {
      state: request.state === WireState.UNSPECIFIED ? undefined : (WireState[request.state] as DeliveryState),
      kind: request.kind === '' ? undefined : request.kind,
    };
    const { rows, nextPageToken } = await pageOf(
      call,
      (before, limit) => listDeliveries(context, filter, before, limit),
      (row) => row.id,
    );
    return shape(DeliveryServiceListResponseSchema, { list: rows.map(shapeDelivery), nextPageToken });
  },
  get: async (context, request) =>
    shape(DeliveryServiceGetResponseSchema, { delivery: shapeDelivery(await requireDelivery(context, request.id)) }),
  repeat: async (context, request) =>
    shape(DeliveryServiceRepeatResponseSchema, { delivery: shapeDelivery(await repeatDelivery(context, request.id)) }),
  repeatDead: async (context, request) =>
    shape(DeliveryServiceRepeatDeadResponseSchema, { repeatedCount: await repeatDeadDeliveries(context, request.kind) }),
  discard: async (context, request) =>
    shape(DeliveryServiceDiscardResponseSchema, { delivery: shapeDelivery(await discardDelivery(context, request.id, request.reason)) }),
});

/** What the module deliveries serves. */
export const services = [deliveryService];
