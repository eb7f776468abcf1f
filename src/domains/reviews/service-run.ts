/**
 * The contract's methods that move a review and show what it asks: each calls one rule and shapes the reply.
 */
import {
  type ReviewProgressJson,
  ReviewActionsService,
  ReviewPreviewAppSchema,
  ReviewPreviewPersonSchema,
  ReviewPreviewReviewerSchema,
  ReviewProgressSchema,
  ReviewSelectionSchema,
  ReviewSelectionService,
  ReviewSelectionServicePreviewResponseSchema,
} from '../../gen/countersign/v1/review_pb.js';
import { CloseDecision } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import type { Context } from '../../context.ts';
import { pageOf } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { closeReview } from './close.ts';
import { requireReview } from './permit.ts';
import { prepareReview } from './prepare.ts';
import { previewReview, readSelections } from './preview.ts';
import { readProgress } from './progress.ts';
import { resetReview } from './reset.ts';
import { startReview } from './start.ts';
import type { ReviewRow } from './store.ts';
import { noPath, shapeReviewView } from './view.ts';

async function shapeProgress(context: Context, review: ReviewRow): Promise<ReviewProgressJson> {
  const progress = await readProgress(context, review);
  return shape(ReviewProgressSchema, {
    ...progress,
    done: String(progress.done),
    total: String(progress.total),
    updatedAt: timestamp(progress.updatedAt),
  });
}

async function shapeMoved(context: Context, review: ReviewRow) {
  return { accessReview: shapeReviewView(context.actor, review, noPath), progress: await shapeProgress(context, review) };
}

/** Prepare, start, close, reset, and how far they are. */
export const reviewActionsService = implement(ReviewActionsService, {
  async prepare(context, request) {
    return shapeMoved(context, await prepareReview(context, request.accessReviewId));
  },
  async start(context, request) {
    return shapeMoved(context, await startReview(context, request.accessReviewId));
  },
  async close(context, request) {
    return shapeMoved(context, await closeReview(context, request.accessReviewId, CloseDecision[request.decision] ?? ''));
  },
  async reset(context, request) {
    return shapeMoved(context, await resetReview(context, request.accessReviewId));
  },
  async getProgress(context, request) {
    return { progress: await shapeProgress(context, await requireReview(context, request.accessReviewId, 'read')) };
  },
});

/** Preview and selections. */
export const reviewSelectionService = implement(ReviewSelectionService, {
  async preview(context, request) {
    const counts = await previewReview(context, request.accessReviewId);
    return shape(ReviewSelectionServicePreviewResponseSchema, {
      items: String(counts.items),
      accounts: String(counts.accounts),
      people: String(counts.people),
      entitlements: String(counts.entitlements),
      appCount: String(counts.appCount),
      apps: counts.apps.map((app) => shape(ReviewPreviewAppSchema, { ...app, items: String(app.items) })),
      reviewerCount: String(counts.reviewerCount),
      reviewers: counts.reviewers.map((reviewer) => shape(ReviewPreviewReviewerSchema, { ...reviewer, items: String(reviewer.items) })),
      unassignedItems: String(counts.unassignedItems),
      unassigned: counts.unassigned.map((person) =>
        shape(ReviewPreviewPersonSchema, {
          userId: person.userId ?? '',
          displayName: person.displayName,
          appId: person.appId,
          appUserId: person.accountId,
          items: String(person.items),
        }),
      ),
      fallbackItems: String(counts.fallbackItems),
    });
  },
  async listSelections(context, request, call) {
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => readSelections(context, request.accessReviewId, after, limit),
      (row) => row.id,
    );
    return {
      list: rows.map((row) => ({
        selection: shape(ReviewSelectionSchema, {
          id: row.id,
          taskId: row.id,
          appId: row.appId,
          appEntitlementId: row.entitlementId,
          appUserId: row.accountId,
          identityUserId: row.userId ?? '',
          reviewerIds: [...row.reviewerIds],
          reviewerReason: row.reason,
          policyId: row.policyId,
          grantedAt: timestamp(row.grantedAt),
          lastUsedAt: timestamp(row.lastUsedAt),
        }),
      })),
      nextPageToken,
    };
  },
});
