/** The contract's method about what is asked of the caller: it calls one rule and shapes the reply. */
import type { ReviewSignatureConfigJson } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { ReviewSignatureConfigSchema } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import {
  AskedReasonCountSchema,
  type AskedReasonJson,
  InPlaceOfSchema,
  MyLastReviewSchema,
  MyReviewOwnerSchema,
  MyReviewSchema,
  MyReviewService,
  MyReviewServiceListResponseSchema,
  MyReviewTotalsSchema,
} from '../../gen/countersign/v1/my_reviews_pb.js';
import { ReviewQueueCountsSchema } from '../../gen/countersign/v1/review_queue_pb.js';
import { pageByKey } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { textOf } from './document.ts';
import { keyOfAsked, listMyReviews, type MyReviews, sumCounts } from './my-reviews.ts';
import type { AskedCounts, AskedReviewRow, PlaceCounts } from './store-my-reviews.ts';

function shapeAsked({ total, open, staged }: AskedCounts) {
  return shape(ReviewQueueCountsSchema, {
    total: String(total),
    todo: String(open - staged),
    decided: String(total - open),
    staged: String(staged),
  });
}

function shapePlace(place: PlaceCounts) {
  return shape(InPlaceOfSchema, {
    userId: place.userId,
    displayName: place.displayName,
    until: place.until === null ? undefined : timestamp(new Date(place.until)),
    counts: shapeAsked(place),
  });
}

function shapeMyReview(row: AskedReviewRow, now: Date) {
  const signature = row.document.signatureConfig as ReviewSignatureConfigJson | undefined;
  return shape(MyReviewSchema, {
    accessReviewId: row.id,
    displayName: textOf(row.document, 'displayName'),
    description: textOf(row.document, 'description'),
    reviewInstructions: textOf(row.document, 'reviewInstructions'),
    dueAt: timestamp(row.dueAt),
    isOverdue: row.dueAt !== null && row.dueAt <= now,
    startedAt: timestamp(row.startedAt),
    owners: row.owners.map((owner) => shape(MyReviewOwnerSchema, owner)),
    counts: shapeAsked(sumCounts(row.reasons)),
    reasons: row.reasons.map((counts) =>
      shape(AskedReasonCountSchema, { reason: `ASKED_REASON_${counts.reason}` as AskedReasonJson, counts: shapeAsked(counts) }),
    ),
    appId: row.appId,
    appDisplayName: row.appName,
    inPlace: row.places.map(shapePlace),
    requiresApprovalReason: row.requiresApprovalReason,
    requiresDenialReason: row.requiresDenialReason,
    ...(signature === undefined ? {} : { signatureConfig: shape(ReviewSignatureConfigSchema, signature) }),
  });
}

function shapeTotals({ timeZone, secondsPerDecision, ...counts }: NonNullable<MyReviews['totals']>) {
  return shape(MyReviewTotalsSchema, {
    waiting: String(counts.waiting),
    overdue: String(counts.overdue),
    dueToday: String(counts.dueToday),
    dueTomorrow: String(counts.dueTomorrow),
    staged: String(counts.staged),
    timeZone,
    secondsPerDecision,
  });
}

/** What is asked of the caller. */
export const myReviewService: BoundService = implement(MyReviewService, {
  async list(context, _request, call) {
    let found: MyReviews | undefined;
    const { rows, nextPageToken } = await pageByKey(
      call,
      async (after, limit) => {
        found = await listMyReviews(context, after, limit);
        return [...found.rows];
      },
      keyOfAsked,
    );
    const { totals, places = [], lastReview } = found ?? {};
    return shape(MyReviewServiceListResponseSchema, {
      list: rows.map((row) => shapeMyReview(row, context.now)),
      nextPageToken,
      ...(totals === undefined ? {} : { totals: shapeTotals(totals) }),
      inPlace: places.map(shapePlace),
      ...(lastReview === undefined
        ? {}
        : {
            lastReview: shape(MyLastReviewSchema, {
              accessReviewId: lastReview.id,
              displayName: lastReview.displayName,
              closedAt: timestamp(lastReview.closedAt),
            }),
          }),
    });
  },
});
