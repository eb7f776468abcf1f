/** The public interface of the module tasks: certify tasks, decisions and submissions. What a review does to its tasks as a whole is in bulk.ts. */
import type { BoundService } from '../../wire/service.ts';
import { changeService } from './service-changes.ts';
import { commentService } from './service-comments.ts';
import { delegateService } from './service-delegates.ts';
import { personGrantService } from './service-person-grants.ts';
import { policyTestService } from './service-policy-test.ts';
import { queueService } from './service-queue.ts';
import { taskServices } from './service.ts';
import { submissionServices } from './service-submissions.ts';

/** The contract's services this module offers. */
export const services: readonly BoundService[] = [
  ...taskServices,
  ...submissionServices,
  queueService,
  policyTestService,
  delegateService,
  personGrantService,
  changeService,
  commentService,
];

export { explainEnd, type EndReason, type PrincipalKind, type TaskOutcome } from './task.ts';
export type { Step } from './policy-steps.ts';
export { assignTasks } from './assign.ts';
export { cancelTasks, endUndecided, fillTasks } from './bulk.ts';
export { checkTaskKind, endGone, type GonePlace, goneStart } from './end-gone.ts';
export { handOver } from './hand-over.ts';
export { findStaleBatch } from './store-hand-over.ts';
export { type BeginPlace, beginStart, beginTasks } from './begin.ts';
export { jobKinds } from './jobs.ts';
export type { AccountKey, HeldGrants } from './store-fill.ts';
export type { Before } from './store-judge.ts';
export { insightLoader } from './load-insights.ts';
export { decideUnlessRemoval, type Decision } from './decide.ts';
export { resolveTaskId } from './get-task.ts';
export { refuseUnserved } from './process.ts';
export { decideRemovalStep, noteRemovalClaim, requireRemovalRetry, restartRemovalTask } from './removal-steps.ts';
export { openRemovalTasks } from './removal-tasks.ts';
export { viewOne } from './service.ts';
export { keepRoutes, listMachineRoutes, readPlans } from './routes.ts';
export { getHolds, getObjectPick, getRoutePick, type ItemConditions, type Within } from './store-routes.ts';
export { foldKind, foldWhereMany } from './fold-progress.ts';
export {
  countDecisions,
  countOutcomes,
  countUnassigned,
  listCounts,
  listDays,
  listReviewerCounts,
  type DayCounts,
  type KeyCounts,
  type OpenKey,
  type ReviewerCounts,
  type TaskCounts,
} from './store-progress.ts';
export {
  type FigureKey,
  type FlaggedReviewer,
  listFlaggedReviewers,
  listReviewerFigures,
  type ReviewerFigureRow,
  type ReviewerFlag,
} from './store-figures.ts';
export { listAskedReviews } from './store-asked.ts';
export { countAsked, listDecidedReviews, listDecisionDigests, lockTaskChanges } from './store-decisions.ts';
export { standsFor } from './permit.ts';
export {
  countTasks,
  insertTaskReview,
  removeTasks,
  updateTaskManagers,
  updateTasksState,
} from './store-bulk.ts';
export { findPace } from './store-pace.ts';
export { countDroppedPending } from './store-pending.ts';
export { findStandings } from './relations.ts';
export { listTerms } from './store-terms.ts';
export { maxCommentLength } from './comment.ts';
export { countRelations, listRelatedDecisions, type RelatedDecision, type Relation, type RelationCount } from './store-relations.ts';
export { nameResidual } from './view-removal.ts';
export { endHashJoins, setHashJoins } from './store-hash-joins.ts';
