/** The contract's method about what is asked of the caller: it calls one rule and shapes the reply. */
import type { ReviewSignatureConfig } from '../../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { MyReviewService } from '../../../gen/countersign/v1/my_reviews_pb.js';
import { pageByKey } from '../../../wire/page.ts';
import type { Row } from '../../../wire/row.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
import { keyOfAsked, listMyReviews, type MyReviews, sumCounts } from './my-reviews.ts';
import { mapMySignatures, type MySignature } from './my-signatures.ts';
import type { AskedCounts, AskedReviewRow, PlaceCounts } from './store-my-reviews.ts';

function shapeAsked({ total, open, staged }: AskedCounts) {
  return { total, todo: open - staged, decided: total - open, staged };
}

function shapePlace(place: PlaceCounts) {
  return { ...place, until: place.until === null ? undefined : new Date(place.until), counts: shapeAsked(place) };
}

function shapeMyReview(row: AskedReviewRow, now: Date, signature: MySignature | undefined) {
  return {
    ...row,
    accessReviewId: row.id,
    displayName: row.document.displayName,
    description: row.document.description,
    reviewInstructions: row.document.reviewInstructions,
    isOverdue: row.dueAt !== null && row.dueAt <= now,
    counts: shapeAsked(sumCounts(row.reasons)),
    reasons: row.reasons.map((counts) => ({ reason: counts.reason, counts: shapeAsked(counts) })),
    appDisplayName: row.appName,
    inPlace: row.places.map(shapePlace),
    signatureConfig: row.document.signatureConfig as Row<ReviewSignatureConfig> | undefined,
    signature,
  };
}

/** Work asked of the caller. */
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
    const signatures = await mapMySignatures(context, rows);
    return {
      list: rows.map((row) => shapeMyReview(row, context.now, signatures.get(row.id))),
      nextPageToken,
      totals,
      inPlace: places.map(shapePlace),
      lastReview: lastReview && { ...lastReview, accessReviewId: lastReview.id },
    };
  },
});
