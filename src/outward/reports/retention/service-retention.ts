/** The contract's service about how long things are kept: each method calls one rule and shapes the reply. */
import { type RetentionJson, RetentionSchema, RetentionService } from '../../../gen/countersign/v1/retention_pb.js';
import { inTransaction } from '../../../context.ts';
import { compareDocuments } from '../../../lib/compare-documents.ts';
import { lockChanges, refuseStale } from '../../../foundation/audit/index.ts';
import { shapeRequest } from '../../../foundation/second-persons/index.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
import { changeRetention, getRetention, type Retention } from './retention.ts';

/** The service, with what the operator sets as the least for events. */
export function createRetentionService(minimumEventYears: number): BoundService {
  const shapeRetention = (retention: Retention) => ({ ...retention, minimumEventYears });
  return implement(RetentionService, {
    get: async (context) => ({ retention: shapeRetention(await getRetention(context)) }),
    update: (context, _request, call) =>
      inTransaction(context, async (inside) => {
        await lockChanges(inside, 'retention');
        const before: RetentionJson = { ...(await getRetention(inside)) };
        const after: RetentionJson = applyUpdate(RetentionSchema, before, call.sent.retention ?? {}, call.mask);
        const { fields } = compareDocuments(before, after);
        await refuseStale(inside, { member: 'retention', targetId: inside.tenantId, kinds: ['retention.updated'], before, fields });
        const { reportDays = 0, eventYears = 0, reviewYears = 0 } = after;
        const { retention, request } = await changeRetention(inside, { reportDays, eventYears, reviewYears }, minimumEventYears);
        return { retention: shapeRetention(retention), request: request && (await shapeRequest(inside, request)) };
      }),
  });
}
