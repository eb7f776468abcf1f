/** Shows a submission as the contract has it. */
import type { SubmissionRow } from './store-submit.ts';

/** The row of the reply. */
export function shapeSubmission(reviewId: string, row: SubmissionRow) {
  return { ...row, accessReviewId: reviewId, submittedAt: row.createdAt };
}
