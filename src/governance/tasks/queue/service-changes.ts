/** The contract's method about what others did to the caller's tasks: it calls one rule and shapes the reply. */
import { ReviewChangeService } from '../../../gen/countersign/v1/review_changes_pb.js';
import { type BoundService, implement } from '../../../wire/service.ts';
import { readChanges } from './changes.ts';

/** Changes in a queue. */
export const changeService: BoundService = implement(ReviewChangeService, {
  async list(context, { accessReviewId, since, includeOwn }) {
    const { rows, ...rest } = await readChanges(context, accessReviewId, since, includeOwn);
    return { ...rest, list: rows.map((row) => ({ ...row, actorUserId: row.actorId })) };
  },
});
