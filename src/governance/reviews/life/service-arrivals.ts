/** The contract's methods about what came after the snapshot of a review: each calls one rule and shapes the reply. */
import { ReviewArrivalService } from '../../../gen/countersign/v1/review_arrivals_pb.js';
import { pageByKey } from '../../../wire/page.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
import { type ArrivalKey, type ArrivalRow, readArrivalCounts, readArrivalPage } from '../arrivals/index.ts';
import { supplementReview } from './supplement.ts';

function shapeArrival(row: ArrivalRow) {
  return {
    ...row,
    appUserId: row.accountId,
    appEntitlementId: row.entitlementId,
    appDisplayName: row.appName,
    appUserDisplayName: row.accountName,
    appEntitlementDisplayName: row.entitlementName,
    userDisplayName: row.userName,
    supplementAccessReviewId: row.supplementId,
  };
}

function keyOf(after: readonly string[] | undefined): ArrivalKey | undefined {
  return after === undefined ? undefined : { appId: after[0] ?? '', accountId: after[1] ?? '', entitlementId: after[2] ?? '' };
}

/** Counts and lists what came after the snapshot, and makes the supplementary review. */
export const arrivalService: BoundService = implement(ReviewArrivalService, {
  get: async (context, request) => ({ counts: await readArrivalCounts(context, request.accessReviewId) }),
  async list(context, request, call) {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => readArrivalPage(context, request.accessReviewId, keyOf(after), limit),
      ({ appId, accountId, entitlementId }) => [appId, accountId, entitlementId],
    );
    return { list: rows.map(shapeArrival), nextPageToken };
  },
  async supplement(context, request) {
    const { id, ...made } = await supplementReview(context, request.accessReviewId);
    return { accessReviewId: id, ...made };
  },
});
