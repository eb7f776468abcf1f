/**
 * The contract's methods that move a review and show what it asks: each calls one rule and shapes the reply.
 */
import { type ReviewProgress, ReviewActionsService, ReviewSelectionService } from '../../../gen/countersign/v1/review_pb.js';
import { type AccessReviewView, CloseDecision } from '../../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import type { Context } from '../../../context.ts';
import { countRemovals } from '../../revocations/index.ts';
import { readPage } from '../../../wire/page.ts';
import type { Row } from '../../../wire/row.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
import {
  acknowledgeReview,
  readCounts,
  readFigures,
  readProgress,
  shapeAcknowledgement,
  shapeCounts,
  shapeFigures,
  shapeSource,
} from '../evidence/index.ts';
import { hasProvider, readMailSignIn } from '../../../foundation/sessions/index.ts';
import { beginAndView, countBySigned, findTermsProblems, type Signing } from '../../../foundation/signatures/index.ts';
import { findFrozenTerms } from '../../tasks/index.ts';
import { closeReview } from './close.ts';
import { findSignatureTerms, type ReviewRow, requireReview } from '../record/index.ts';
import { listPossible } from './possible.ts';
import { prepareReview } from './prepare.ts';
import { listSignatureWarnings, previewReview, readSelections } from '../scope/index.ts';
import { remindReview } from './remind.ts';
import { resetReview } from './reset.ts';
import { startReview } from './start.ts';
import { listTimeStampWarnings, requireTimeStamps } from './try-time-stamps.ts';
import { noPath, shapeReviewView } from './view.ts';
import { listMailWarnings, listSourceWarnings, remindsNobody } from './warnings.ts';
import type { PrincipalKind } from '../../snapshots/index.ts';

async function shapeProgress(context: Context, review: ReviewRow): Promise<Row<ReviewProgress>> {
  const progress = await readProgress(context, review);
  return { ...progress };
}

/** Shapes what became of what the review denied; whoever reads a review reads that. */
async function shapeRemovals(context: Context, { id }: ReviewRow) {
  const { total, held, open, overdue, proven, withdrawn } = await countRemovals(context, id);
  return {
    total,
    held,
    open,
    overdue,
    proven,
    withdrawn,
  };
}

async function shapeAfter(context: Context, review: ReviewRow): Promise<Row<AccessReviewView>> {
  const possible = await listPossible(context, [review]);
  return shapeReviewView(context.actor, review, possible.get(review.id), noPath);
}

async function shapeMoved(context: Context, review: ReviewRow) {
  return { accessReview: await shapeAfter(context, review), progress: await shapeProgress(context, review) };
}

/** Prepare, start, close, reset, remind, acknowledge, and how far they are; `sendsMail`: whether this installation does. */
export function createActionsService(sendsMail: boolean, signing: Signing): BoundService {
  return implement(ReviewActionsService, {
    async prepare(context, request) {
      const review = await prepareReview(context, request.accessReviewId);
      return {
        ...(await shapeMoved(context, review)),
        warnings: [
          ...(await listSignatureWarnings(context, review)),
          ...(await listTimeStampWarnings(context, review, signing)),
          ...listMailWarnings(review, sendsMail),
        ],
      };
    },
    async start(context, request) {
      const unstamped = await requireTimeStamps(context, await requireReview(context, request.accessReviewId, 'manage'), signing);
      const review = await startReview(context, request.accessReviewId);
      const warnings = [
        ...unstamped,
        ...listSourceWarnings(review),
        ...(await listSignatureWarnings(context, review)),
        ...listMailWarnings(review, sendsMail),
      ];
      return { ...(await shapeMoved(context, review)), warnings };
    },
    async close(context, request) {
      return shapeMoved(context, await closeReview(context, request.accessReviewId, CloseDecision[request.decision] ?? ''));
    },
    async reset(context, request) {
      return shapeMoved(context, await resetReview(context, request.accessReviewId));
    },
    async remind(context, request) {
      const { review, ...counts } = await remindReview(context, request.accessReviewId, request.userIds);
      return { accessReview: await shapeAfter(context, review), ...counts, warnings: sendsMail ? [] : [remindsNobody] };
    },
    async acknowledge(context, request, call) {
      const { signature, ...view } = await acknowledgeReview(context, request.accessReviewId, request.comment);
      return {
        acknowledgement: shapeAcknowledgement(view),
        signature: signature && (await beginAndView(context, call.baseUrl, signature, signing)),
      };
    },
    async getProgress(context, request) {
      const review = await requireReview(context, request.accessReviewId, 'read');
      return {
        progress: await shapeProgress(context, review),
        ...shapeFigures(await readFigures(context, review)),
        removals: await shapeRemovals(context, review),
        signatures: (await findFrozenTerms(context, review.id)) === undefined ? undefined : await countBySigned(context, review.id),
      };
    },
    async getCounts(context, request) {
      return { counts: shapeCounts(await readCounts(context, request.accessReviewId)) };
    },
  });
}

/** True if people sign in without an administrator: through a provider, or by a link in a mail. */
async function canSignIn(context: Context, sendsMail: boolean): Promise<boolean> {
  return (await hasProvider(context)) || (sendsMail && (await readMailSignIn(context)).now !== 'NOBODY');
}

/** Shapes an item's holder: an account, or a resource that passes it on. */
function shapePrincipal({ accountId, principalKind }: { readonly accountId: string; readonly principalKind: PrincipalKind }) {
  const isAccount = principalKind === 'A';
  return { appUserId: isAccount ? accountId : '', principalResourceId: isAccount ? '' : accountId };
}

/** Preview and selections; `sendsMail`: whether this installation does. */
export function createSelectionService(sendsMail: boolean): BoundService {
  return implement(ReviewSelectionService, {
    async preview(context, request) {
      const counts = await previewReview(context, request.accessReviewId, request.sampleSeed);
      const terms = findSignatureTerms(counts.review.document);
      const problems = terms === undefined ? [] : await findTermsProblems(context, terms);
      return {
        ...counts,
        unassigned: counts.unassigned.map((person) => ({ ...shapePrincipal(person), ...person })),
        expressionErrors: counts.expressionErrors.map(({ accountId, ...error }) => ({ ...error, appUserId: accountId })),
        sampleItems: counts.samples.map((item) => ({
          ...item,
          appDisplayName: item.appName,
          appEntitlementId: item.entitlementId,
          entitlementDisplayName: item.entitlement,
          ...shapePrincipal(item),
          displayName: item.name,
        })),
        staleSources: counts.staleSources.map(shapeSource),
        warnings: [...(await listSignatureWarnings(context, counts.review)), ...listMailWarnings(counts.review, sendsMail)],
        reach: {
          sendsMail,
          signsIn: await canSignIn(context, sendsMail),
          withoutAddress: counts.withoutAddress,
          withoutAddressNames: counts.withoutAddressNames,
        },
        signatureProblems: problems.map(({ code }) => code),
      };
    },
    async listSelections(context, request, call) {
      const review = await requireReview(context, request.accessReviewId, 'read');
      const { rows, nextPageToken } = await readPage(call, (after, limit) => readSelections(context, request.accessReviewId, after, limit));
      return {
        list: rows.map((row) => ({
          selection: {
            ...row,
            taskId: row.id,
            appEntitlementId: row.entitlementId,
            ...shapePrincipal(row),
            identityUserId: row.userId,
            reviewerReason: row.reason,
          },
        })),
        nextPageToken,
        inputHash: review.scopeHash,
        itemsHash: review.itemsHash,
      };
    },
  });
}
