/** The contract's service about erasing people's data: it calls one rule and shapes the reply. */
import { UserErasureService } from '../../gen/countersign/v1/erasure_pb.js';
import { implement } from '../../wire/service.ts';
import { shapeRequest } from '../../foundation/second-persons/index.ts';
import { askErasure } from './ask-erasure.ts';

const erasureService = implement(UserErasureService, {
  erase: async (context, { userId, reason }) => ({ request: await shapeRequest(context, await askErasure(context, userId, reason)) }),
});

/** Services of the module. */
export const services = [erasureService];
