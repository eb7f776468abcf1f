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
import type { Scope } from '../../scope.ts';
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

async function shapeProgress(scope: Scope, review: ReviewRow): Promise<ReviewProgressJson> {
  const progress = await readProgress(scope, review);
  return shape(ReviewProgressSchema, {
    ...progress,
    done: String(progress.done),
    total: String(progress.total),
    updatedAt: timestamp(progress.updatedAt),
  });
}

async function shapeMoved(scope: Scope, review: ReviewRow) {
  return { accessReview: shapeReviewView(scope.actor, review, noPath), progress: await shapeProgress(scope, review) };
}

/** Prepare, start, close, reset, and how far they are. */
export const reviewActionsService = implement(ReviewActionsService, {
  async prepare(scope, request) {
    return shapeMoved(scope, await prepareReview(scope, request.accessReviewId));
  },
  async start(scope, request) {
    return shapeMoved(scope, await startReview(scope, request.accessReviewId));
  },
  async close(scope, request) {
    return shapeMoved(scope, await closeReview(scope, request.accessReviewId, CloseDecision[request.decision] ?? ''));
  },
  async reset(scope, request) {
    return shapeMoved(scope, await resetReview(scope, request.accessReviewId));
  },
  async getProgress(scope, request) {
    return { progress: await shapeProgress(scope, await requireReview(scope, request.accessReviewId, 'read')) };
  },
});

/** Preview and selections. */
export const reviewSelectionService = implement(ReviewSelectionService, {
  async preview(scope, request) {
    const counts = await previewReview(scope, request.accessReviewId);
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
  async listSelections(scope, request, call) {
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => readSelections(scope, request.accessReviewId, after, limit),
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
