/**
 * The contract's service about deliveries: each method calls one rule and shapes the reply.
 */
import { DeliveryService, DeliveryState as WireState } from '../../gen/countersign/v1/deliveries_pb.js';
import { readPage } from '../../wire/page.ts';
import { implement } from '../../wire/service.ts';
import { discardDelivery, listPlacedDeliveries, repeatDeadDeliveries, repeatDelivery, requireDelivery } from './manage-deliveries.ts';
import type { DeliveryState } from './types.ts';
import { shapeDelivery } from './view.ts';

const deliveryService = implement(DeliveryService, {
  list: async (context, request, call) => {
    const filter = {
      state: request.state === WireState.UNSPECIFIED ? undefined : (WireState[request.state] as DeliveryState),
      kind: request.kind === '' ? undefined : request.kind,
    };
    const { rows, nextPageToken } = await readPage(call, (before, limit) => listPlacedDeliveries(context, filter, before, limit));
    return { list: rows.map(shapeDelivery), nextPageToken };
  },
  get: async (context, request) => ({ delivery: shapeDelivery(await requireDelivery(context, request.id)) }),
  repeat: async (context, request) => ({ delivery: shapeDelivery(await repeatDelivery(context, request.id)) }),
  repeatDead: async (context, request) => ({ repeatedCount: await repeatDeadDeliveries(context, request.kind) }),
  discard: async (context, request) => ({ delivery: shapeDelivery(await discardDelivery(context, request.id, request.reason)) }),
});

/** Services of the module deliveries. */
export const services = [deliveryService];
