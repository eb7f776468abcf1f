/** The contract's service about how long things are kept: each method calls one rule and shapes the reply. */
import {
  RetentionSchema,
  RetentionService,
  RetentionServiceGetResponseSchema,
  RetentionServiceUpdateResponseSchema,
} from '../../gen/countersign/v1/retention_pb.js';
import type { JsonObject } from '@bufbuild/protobuf';
import { applyUpdate } from '../../wire/mask.ts';
import { shape } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { changeRetention, getRetention, type Retention } from './retention.ts';

/** The service, with what the operator sets as the least for events. */
export function createRetentionService(minimumEventYears: number): BoundService {
  const shapeRetention = (retention: Retention) => shape(RetentionSchema, { ...retention, minimumEventYears });
  return implement(RetentionService, {
    get: async (context) => shape(RetentionServiceGetResponseSchema, { retention: shapeRetention(await getRetention(context)) }),
    update: async (context, _request, call) => {
      const before = await getRetention(context);
      const { reportDays = 0, eventYears = 0 } = applyUpdate(
        RetentionSchema,
        { ...before },
        (call.sent.retention ?? {}) as JsonObject,
        call.mask,
      ) as Partial<Retention>;
      const after = await changeRetention(context, { reportDays, eventYears }, minimumEventYears);
      return shape(RetentionServiceUpdateResponseSchema, { retention: shapeRetention(after) });
    },
  });
}
