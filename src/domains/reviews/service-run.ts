/**
 * The contract's methods that move a review and show what it asks: each calls one rule and shapes the reply.
 */
import {
  type ReviewProgressJson,
  ReviewActionsService,
  ReviewPreviewAppSchema,
  ReviewPreviewErrorSchema,
  ReviewPreviewItemSchema,
  ReviewPreviewPersonSchema,
  ReviewPreviewReviewerSchema,
  ReviewProgressSchema,
  ReviewRemovalsSchema,
  ReviewSelectionSchema,
  ReviewSelectionService,
  ReviewSelectionServicePreviewResponseSchema,
} from '../../gen/countersign/v1/review_pb.js';
import {
  ReviewPreviewDifferenceSchema,
  ReviewPreviewEntitlementSchema,
  ReviewPreviewFilterSchema,
} from '../../gen/countersign/v1/review_scope_pb.js';
import { type AccessReviewViewJson, CloseDecision } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import type { Context } from '../../context.ts';
import { countRemovals } from '../revocations/index.ts';
import type { PrincipalKind } from '../tasks/index.ts';
import { pageOf } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import { acknowledgeReview } from './acknowledge.ts';
import { closeReview } from './close.ts';
import { readFigures } from './figures.ts';
import { requireReview } from './permit.ts';
import { listPossible } from './possible.ts';
import { prepareReview } from './prepare.ts';
import { type Preview, previewReview, readSelections } from './preview.ts';
import { readCounts, readProgress } from './progress.ts';
import { remindReview } from './remind.ts';
import { resetReview } from './reset.ts';
import { shapeAcknowledgement, shapeSource } from './service-evidence.ts';
import { shapeCounts, shapeFigures } from './service-progress.ts';
import { startReview } from './start.ts';
import type { ReviewRow } from './store.ts';
import { noPath, shapeReviewView } from './view.ts';
import { listMailWarnings, listSourceWarnings } from './warnings.ts';

async function shapeProgress(context: Context, review: ReviewRow): Promise<ReviewProgressJson> {
  const progress = await readProgress(context, review);
  return shape(ReviewProgressSchema, {
    ...progress,
    done: String(progress.done),
    total: String(progress.total),
    updatedAt: timestamp(progress.updatedAt),
  });
}

/** What became of what the review denied; whoever reads a review reads that. */
async function shapeRemovals(context: Context, { id }: ReviewRow) {
  const { total, held, open, overdue, proven } = await countRemovals(context, id);
  return shape(ReviewRemovalsSchema, {
    total: String(total),
    held: String(held),
    open: String(open),
    overdue: String(overdue),
    proven: String(proven),
  });
}

async function shapeAfter(context: Context, review: ReviewRow): Promise<AccessReviewViewJson> {
  const possible = await listPossible(context, [review]);
  return shapeReviewView(context.actor, review, possible.get(review.id), noPath);
}

async function shapeMoved(context: Context, review: ReviewRow) {
  return { accessReview: await shapeAfter(context, review), progress: await shapeProgress(context, review) };
}

/** Prepare, start, close, reset, remind, acknowledge, and how far they are; `sendsMail`: whether this installation does. */
export function createActionsService(sendsMail: boolean): BoundService {
  return implement(ReviewActionsService, {
    async prepare(context, request) {
      const review = await prepareReview(context, request.accessReviewId);
      return { ...(await shapeMoved(context, review)), warnings: listMailWarnings(review, sendsMail) };
    },
    async start(context, request) {
      const review = await startReview(context, request.accessReviewId);
      return { ...(await shapeMoved(context, review)), warnings: [...listSourceWarnings(review), ...listMailWarnings(review, sendsMail)] };
    },
    async close(context, request) {
      return shapeMoved(context, await closeReview(context, request.accessReviewId, CloseDecision[request.decision] ?? ''));
    },
    async reset(context, request) {
      return shapeMoved(context, await resetReview(context, request.accessReviewId));
    },
    async remind(context, request) {
      const { review, people } = await remindReview(context, request.accessReviewId, request.userIds);
      return { accessReview: await shapeAfter(context, review), people: String(people) };
    },
    async acknowledge(context, request) {
      return { acknowledgement: shapeAcknowledgement(await acknowledgeReview(context, request.accessReviewId, request.comment)) };
    },
    async getProgress(context, request) {
      const review = await requireReview(context, request.accessReviewId, 'read');
      return {
        progress: await shapeProgress(context, review),
        ...shapeFigures(await readFigures(context, review)),
        removals: await shapeRemovals(context, review),
      };
    },
    async getCounts(context, request) {
      return { counts: shapeCounts(await readCounts(context, request.accessReviewId)) };
    },
  });
}

/** Who holds an item: an account, or a resource that passes it on. */
function shapePrincipal({ accountId, principalKind }: { readonly accountId: string; readonly principalKind: PrincipalKind }) {
  return principalKind === 'A' ? { appUserId: accountId } : { principalResourceId: accountId };
}

function shapeDifference({ predecessorId, ...counts }: NonNullable<Preview['difference']>) {
  const texts = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]));
  return shape(ReviewPreviewDifferenceSchema, { predecessorId, ...texts });
}

/** Preview and selections; `sendsMail`: whether this installation does. */
export function createSelectionService(sendsMail: boolean): BoundService {
  return implement(ReviewSelectionService, {
    async preview(context, request) {
      const counts = await previewReview(context, request.accessReviewId, request.sampleSeed);
      return shape(ReviewSelectionServicePreviewResponseSchema, {
        items: String(counts.items),
        accounts: String(counts.accounts),
        linkItems: String(counts.linkItems),
        undescribedEntitlements: String(counts.undescribedEntitlements),
        undescribedItems: String(counts.undescribedItems),
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
            ...shapePrincipal(person),
            items: String(person.items),
          }),
        ),
        acceptedItems: String(counts.acceptedItems),
        rejectedItems: String(counts.rejectedItems),
        waitingItems: String(counts.waitingItems),
        expressionErrors: counts.expressionErrors.map(({ accountId, ...error }) =>
          shape(ReviewPreviewErrorSchema, { ...error, appUserId: accountId }),
        ),
        fallbackItems: String(counts.fallbackItems),
        funnel: counts.funnel.map((stage) =>
          shape(ReviewPreviewFilterSchema, { filter: stage.filter, grants: String(stage.grants), samples: [...stage.samples] }),
        ),
        sampleItems: counts.samples.map((item) =>
          shape(ReviewPreviewItemSchema, {
            appId: item.appId,
            appDisplayName: item.appName,
            appEntitlementId: item.entitlementId,
            entitlementDisplayName: item.entitlement,
            ...shapePrincipal(item),
            userId: item.userId ?? '',
            displayName: item.name,
            grantedAt: timestamp(item.grantedAt),
          }),
        ),
        topEntitlements: counts.topEntitlements.map((one) => shape(ReviewPreviewEntitlementSchema, { ...one, items: String(one.items) })),
        staleSources: counts.staleSources.map(shapeSource),
        difference: counts.difference === undefined ? undefined : shapeDifference(counts.difference),
        warnings: listMailWarnings(counts.review, sendsMail),
      });
    },
    async listSelections(context, request, call) {
      const review = await requireReview(context, request.accessReviewId, 'read');
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
            ...shapePrincipal(row),
            identityUserId: row.userId ?? '',
            reviewerIds: [...row.reviewerIds],
            reviewerReason: row.reason,
            policyId: row.policyId,
            grantedAt: timestamp(row.grantedAt),
            lastUsedAt: timestamp(row.lastUsedAt),
          }),
        })),
        nextPageToken,
        inputHash: review.scopeHash,
        itemsHash: review.itemsHash,
      };
    },
  });
}
