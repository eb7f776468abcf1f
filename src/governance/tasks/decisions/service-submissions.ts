/**
 * The contract's methods about submissions and what is staged for them. A submission is of a review's tasks, so it lives with the tasks.
 */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { ReviewDecision, ReviewSubmissionService, type ReviewSubmissionDecision } from '../../../gen/countersign/v1/review_pb.js';
import { MySubmissionService } from '../../../gen/countersign/v1/my_outcomes_pb.js';
import { PendingDecisionService } from '../../../gen/countersign/v1/pending_decisions_pb.js';
import { AppError } from '../../../errors.ts';
import { pageByKey } from '../../../wire/page.ts';
import { unset } from '../../../wire/row.ts';
import { type BoundService, implement } from '../../../wire/service.ts';
import type { Decision } from './decision.ts';
import { listPending, setPending } from './pending.ts';
import type { PendingRow } from './store-pending.ts';
import {
  beginAndView,
  listSignatures,
  mapSubmissionSignatures,
  type Signing,
  viewSignature,
} from '../../../foundation/signatures/index.ts';
import { isPrepared } from './service-signatures.ts';
import { listOwnSubmissions } from './store-submit.ts';
import { shapeSubmission } from './view-submission.ts';
import { listSubmissions, submitDecisions } from './submit.ts';

/** The decisions of a request; 400 names each that says neither certify nor deny. */
function readDecisions(decisions: readonly Omit<ReviewSubmissionDecision, '$typeName'>[]): Decision[] {
  const violations = decisions.flatMap(({ decision }, index) =>
    decision === ReviewDecision.UNSPECIFIED
      ? [{ field: `decisions[${index}].decision`, description: 'must be REVIEW_DECISION_CERTIFY or REVIEW_DECISION_DENY' }]
      : [],
  );
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', `${violations[0]?.field} ${violations[0]?.description}`, { violations });
  }
  return decisions.map(({ taskId, decision, comment, policyStepId, certifyUntil, amend }) => ({
    taskId,
    comment,
    policyStepId,
    amend,
    certifyUntil: certifyUntil === undefined ? undefined : timestampDate(certifyUntil),
    decision: decision === ReviewDecision.CERTIFY ? 'APPROVE' : 'DENY',
  }));
}

function shapePending(row: PendingRow) {
  return { ...row, decision: row.decision === 'APPROVE' ? ('CERTIFY' as const) : ('DENY' as const) };
}

const pendingDecisionService = implement(PendingDecisionService, {
  async listPendingDecisions(context, request, call) {
    const { rows, nextKey, version } = await listPending(context, request.accessReviewId, call.page);
    return { list: rows.map((row) => ({ pendingDecision: shapePending(row) })), nextPageToken: call.nextPageToken(nextKey), version };
  },
  setPendingDecisions(context, request) {
    return setPending(context, request.accessReviewId, readDecisions(request.decisions), request.version);
  },
});

const createReviewSubmissionService = (signing: Signing): BoundService =>
  implement(ReviewSubmissionService, {
    async submit(context, request, call) {
      const { accessReviewId, all, idempotencyKey, pendingVersion } = request;
      const decisions = readDecisions(request.decisions);
      const result = await submitDecisions(context, { reviewId: accessReviewId, decisions, all, idempotencyKey, pendingVersion });
      return isPrepared(result)
        ? {
            signature: await beginAndView(context, call.baseUrl, result.signature, signing),
            results: result.results,
            pendingVersion: '',
            ...unset('submission'),
          }
        : {
            submission: shapeSubmission(accessReviewId, result.submission),
            results: result.results,
            pendingVersion: result.pendingVersion,
            ...unset('signature'),
          };
    },
    async listSubmissions(context, request, call) {
      const { submissions, nextKey } = await listSubmissions(context, request.accessReviewId, call.page);
      const filter = {
        reviewId: request.accessReviewId,
        userId: undefined,
        submissionIds: submissions.map(({ id }) => id),
        state: 'SIGNED',
      } as const;
      const signatures = await listSignatures(context, filter, '', submissions.length);
      const signatureOf = new Map(signatures.map((row) => [row.submissionId, viewSignature(row, context.now)]));
      return {
        list: submissions.map((row) => ({
          submission: shapeSubmission(request.accessReviewId, row),
          signature: signatureOf.get(row.id),
        })),
        nextPageToken: call.nextPageToken(nextKey),
      };
    },
  });

const mySubmissionService = implement(MySubmissionService, {
  async list(context, _request, call) {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listOwnSubmissions(context, after?.[0], limit),
      (row) => [row.id],
    );
    const signatures = await mapSubmissionSignatures(
      context,
      rows.map(({ id }) => id),
    );
    const list = rows.map((row) => ({
      ...row,
      signatureId: signatures.get(row.id)?.id ?? '',
      submission: shapeSubmission(row.reviewId, row),
      accessReviewId: row.reviewId,
      reviewDisplayName: row.reviewName,
    }));
    return { list, nextPageToken };
  },
});

/** Submissions, and what is staged for them, as the contract offers them. */
export function createSubmissionServices(signing: Signing): readonly BoundService[] {
  return [createReviewSubmissionService(signing), mySubmissionService, pendingDecisionService];
}
