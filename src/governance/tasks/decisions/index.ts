/** Decisions about tasks: one by one, staged, submitted together, amended; and the comments beside them. */
export { checkComment, maxCommentLength } from './comment.ts';
export type { FollowRemoval, RemovalTurn } from './decision.ts';
export { findStandings } from './relations.ts';
export { endProvision, noteRemovalClaim, restartRemovalTask } from './removal-steps.ts';
export { commentService } from './service-comments.ts';
export { createDecisionServices } from './service-decisions.ts';
export { createSignatureServices, type SignAcknowledgement } from './service-signatures.ts';
export { createSubmissionServices } from './service-submissions.ts';
export { countDroppedPending, readPendingVersion, removePendingOf } from './store-pending.ts';
export { getTaskReview } from './submit.ts';
