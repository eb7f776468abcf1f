/** The contract's method about what others did to the caller's tasks: it calls one rule and shapes the reply. */
import {
  ReviewChangeSchema,
  ReviewChangeService,
  ReviewChangeServiceListResponseSchema,
} from '../../gen/countersign/v1/review_changes_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { readChanges } from './changes.ts';

/** What changed in a queue. */
export const changeService: BoundService = implement(ReviewChangeService, {
  async list(context, { accessReviewId, since }) {
    const { rows, ...rest } = await readChanges(context, accessReviewId, since);
    return shape(ReviewChangeServiceListResponseSchema, {
      ...rest,
      list: rows.map((row) =>
        shape(ReviewChangeSchema, {
          taskId: row.taskId,
          kind: `REVIEW_CHANGE_KIND_${row.kind}`,
          at: timestamp(row.at),
          actorUserId: row.actorId ?? '',
          actor: row.actor ?? '',
          outcome: row.outcome,
          endReason: row.endReason,
          asked: [...row.asked],
        }),
      ),
    });
  },
});
