/**
 * The contract's methods about submissions. A submission is of a review's tasks, so it lives with the tasks.
 */
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
import { AppError } from '../../errors.ts';
import { shape, timestamp } from '../../wire/reply.ts';
import { type BoundService, implement } from '../../wire/service.ts';
import type { Decision } from './decide.ts';
import type { SubmissionRow } from './store-submit.ts';
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
function readDecisions(decisions: readonly ReviewSubmissionDecision[]): Decision[] {
  const violations = decisions.flatMap(({ decision }, index) =>
    decision === ReviewDecision.UNSPECIFIED
      ? [{ field: `decisions[${index}].decision`, description: 'must be REVIEW_DECISION_CERTIFY or REVIEW_DECISION_DENY' }]
      : [],
  );
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', `${violations[0]?.field} ${violations[0]?.description}`, { violations });
  }
  return decisions.map(({ taskId, decision, comment, policyStepId }) => ({
    taskId,
    comment,
    policyStepId,
    decision: decision === ReviewDecision.CERTIFY ? 'APPROVE' : 'DENY',
  }));
}

/** Submissions as the contract offers them. */
export const submissionService: BoundService = implement(ReviewSubmissionService, {
  async submit(context, request) {
    const { accessReviewId } = request;
    const { submission, results } = await submitDecisions(context, accessReviewId, readDecisions(request.decisions));
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
