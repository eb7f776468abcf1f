/**
 * The contract's methods about submissions and what is staged for them. A submission is of a review's tasks, so it lives with the tasks.
 */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  ReviewDecision,
  ReviewSubmissionResultSchema,
  ReviewSubmissionSchema,
  ReviewSubmissionService,
  ReviewSubmissionServiceListSubmissionsResponseSchema,
  ReviewSubmissionServiceSubmitResponseSchema,
  ReviewSubmissionViewSchema,
  type ReviewSubmissionDecision,
} from '../../gen/countersign/v1/review_pb.js';
import { MySubmissionSchema, MySubmissionService, MySubmissionServiceListResponseSchema } from '../../gen/countersign/v1/my_outcomes_pb.js';
import {
  PendingDecisionSchema,
  PendingDecisionService,
  PendingDecisionServiceListPendingDecisionsResponseSchema,
  PendingDecisionServiceSetPendingDecisionsResponseSchema,
  PendingDecisionViewSchema,
} from '../../gen/countersign/v1/pending_decisions_pb.js';
import { AppError } from '../../errors.ts';
import { pageByKey } from '../../wire/page.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import type { Decision } from './decide.ts';
import { listPending, setPending } from './pending.ts';
import type { PendingRow } from './store-pending.ts';
import { listOwnSubmissions, type SubmissionRow } from './store-submit.ts';
import { listSubmissions, submitDecisions } from './submit.ts';

function shapeSubmission(reviewId: string, row: SubmissionRow) {
  return shape(ReviewSubmissionSchema, {
    id: row.id,
    accessReviewId: reviewId,
    userId: row.userId,
    submittedAt: timestamp(row.createdAt),
    submitted: String(row.submitted),
    certified: String(row.certified),
    denied: String(row.denied),
    refused: String(row.refused),
  });
}

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
  const { taskId, comment, policyStepId, amend } = row;
  return shape(PendingDecisionSchema, {
    taskId,
    decision: row.decision === 'APPROVE' ? 'REVIEW_DECISION_CERTIFY' : 'REVIEW_DECISION_DENY',
    comment,
    policyStepId,
    certifyUntil: timestamp(row.certifyUntil),
    amend,
    stagedAt: timestamp(row.stagedAt),
  });
}

const pendingDecisionService = implement(PendingDecisionService, {
  async listPendingDecisions(context, request, call) {
    const { rows, nextKey } = await listPending(context, request.accessReviewId, call.page);
    return shape(PendingDecisionServiceListPendingDecisionsResponseSchema, {
      list: rows.map((row) => shape(PendingDecisionViewSchema, { pendingDecision: shapePending(row) })),
      nextPageToken: call.nextPageToken(nextKey),
    });
  },
  async setPendingDecisions(context, request) {
    const count = await setPending(context, request.accessReviewId, readDecisions(request.decisions));
    return shape(PendingDecisionServiceSetPendingDecisionsResponseSchema, { count: String(count) });
  },
});

const reviewSubmissionService = implement(ReviewSubmissionService, {
  async submit(context, request) {
    const { accessReviewId } = request;
    const { all, idempotencyKey } = request;
    const decisions = readDecisions(request.decisions);
    const { submission, results } = await submitDecisions(context, { reviewId: accessReviewId, decisions, all, idempotencyKey });
    return shape(ReviewSubmissionServiceSubmitResponseSchema, {
      submission: shapeSubmission(accessReviewId, submission),
      results: results.map((result) => shape(ReviewSubmissionResultSchema, result)),
    });
  },
  async listSubmissions(context, request, call) {
    const { submissions, nextKey } = await listSubmissions(context, request.accessReviewId, call.page);
    return shape(ReviewSubmissionServiceListSubmissionsResponseSchema, {
      list: submissions.map((row) => shape(ReviewSubmissionViewSchema, { submission: shapeSubmission(request.accessReviewId, row) })),
      nextPageToken: call.nextPageToken(nextKey),
    });
  },
});

const mySubmissionService = implement(MySubmissionService, {
  async list(context, _request, call) {
    const { rows, nextPageToken } = await pageByKey(
      call,
      (after, limit) => listOwnSubmissions(context, after?.[0], limit),
      (row) => [row.id],
    );
    const list = rows.map((row) =>
      shape(MySubmissionSchema, {
        submission: shapeSubmission(row.reviewId, row),
        accessReviewId: row.reviewId,
        reviewDisplayName: row.reviewName,
        isOpen: row.isOpen,
        dueAt: timestamp(row.dueAt),
        closedAt: timestamp(row.closedAt),
      }),
    );
    return shape(MySubmissionServiceListResponseSchema, { list, nextPageToken });
  },
});

/** Submissions, and what is staged for them, as the contract offers them. */
export const submissionServices: readonly BoundService[] = [reviewSubmissionService, mySubmissionService, pendingDecisionService];
