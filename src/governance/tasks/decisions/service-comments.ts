/** The contract's method about comments of a review: it calls one rule and shapes the reply. */
import { type ReviewCommentKindJson, ReviewCommentService } from '../../../gen/countersign/v1/review_comments_pb.js';
import { pageByKey } from '../../../wire/page.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
import { readComments } from './comments.ts';
import type { ActionKind } from '../task/index.ts';

const kinds: Partial<Readonly<Record<ActionKind, ReviewCommentKindJson>>> = {
  COMMENTED: 'REVIEW_COMMENT_KIND_COMMENT',
  APPROVED: 'REVIEW_COMMENT_KIND_CERTIFIED',
  DENIED: 'REVIEW_COMMENT_KIND_DENIED',
  REASSIGNED: 'REVIEW_COMMENT_KIND_REASSIGNED',
};

/** Comments of a review. */
export const commentService: BoundService = implement(ReviewCommentService, {
  async list(context, { accessReviewId, userId }, call) {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => readComments(context, { reviewId: accessReviewId, userId }, after?.[0], limit),
      (row) => [row.id],
    );
    const list = rows.map((row) => ({
      ...row,
      kind: kinds[row.kind] ?? 'REVIEW_COMMENT_KIND_OTHER',
      displayName: row.userName,
      appDisplayName: row.appName,
      appEntitlementId: row.entitlementId,
      entitlementDisplayName: row.entitlement,
      subjectDisplayName: row.subject,
      issuerDisplayName: row.issuerName,
    }));
    return { list, nextPageToken };
  },
});
