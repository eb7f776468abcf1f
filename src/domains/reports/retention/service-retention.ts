/** The contract's service about how long things are kept: each method calls one rule and shapes the reply. */
import { RetentionSchema, RetentionService } from '../../../gen/countersign/v1/retention_pb.js';
import type { JsonObject } from '@bufbuild/protobuf';
import { shapeRequest } from '../../second-persons/index.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
import { changeRetention, getRetention, type Retention } from './retention.ts';

/** The service, with what the operator sets as the least for events. */
export function createRetentionService(minimumEventYears: number): BoundService {
  const shapeRetention = (retention: Retention) => ({ ...retention, minimumEventYears });
  return implement(RetentionService, {
    get: async (context) => ({ retention: shapeRetention(await getRetention(context)) }),
    update: async (context, _request, call) => {
      const before = await getRetention(context);
      const {
        reportDays = 0,
        eventYears = 0,
        reviewYears = 0,
      } = applyUpdate(RetentionSchema, { ...before }, (call.sent.retention ?? {}) as JsonObject, call.mask) as Partial<Retention>;
      const { retention, request } = await changeRetention(context, { reportDays, eventYears, reviewYears }, minimumEventYears);
      return { retention: shapeRetention(retention), request: request && (await shapeRequest(context, request)) };
    },
  });
}
