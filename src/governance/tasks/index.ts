/** The public interface of the module tasks: certify tasks, decisions and submissions. What a review does to its tasks as a whole is in bulk.ts. */
import type { BoundService } from '../../wire/service.ts';
import type { JobKind } from '../../jobs/index.ts';
import { checkTaskJob, checkTaskKind } from './batches/index.ts';
import {
  commentService,
  createDecisionServices,
  createSignatureServices,
  createSubmissionServices,
  type FollowRemoval,
  type SignAcknowledgement,
} from './decisions/index.ts';
import type { Signing } from '../../foundation/signatures/index.ts';
import { foldJob, foldKind } from './progress/index.ts';
import { changeService, personGrantService, queueService, taskService } from './queue/index.ts';
import { delegateService, steeringServices } from './steering/index.ts';
import { taskTimersKind } from './task/index.ts';
import { policyTestService, taskTimersJob } from './policy-engine/index.ts';

/**
 * The contract's services that this module offers. The module that keeps removals registers what follows from decisions about them, and the one that
 * keeps reviews what follows from a signed acknowledgement.
 */
export function createServices(
  followRemoval: FollowRemoval,
  signing: Signing,
  signAcknowledgement: SignAcknowledgement,
): readonly BoundService[] {
  return [
    taskService,
    ...createDecisionServices(followRemoval),
    ...steeringServices,
    ...createSubmissionServices(signing),
    ...createSignatureServices(signing, signAcknowledgement),
    queueService,
    policyTestService,
    delegateService,
    personGrantService,
    changeService,
    commentService,
  ];
}

/** The background work of this module, by the names that the queue knows it by. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([
  [checkTaskKind, checkTaskJob],
  [foldKind, foldJob],
  [taskTimersKind, taskTimersJob],
]);

export { evidence } from './evidence.ts';
export { listReviewActions, type ReviewAction } from './store-evidence.ts';
export {
  explainEnd,
  type ItemSignature,
  judgeSigned,
  getLastSignatureSql,
  type ActionData,
  type ActionKind,
  type EndReason,
  type TaskOutcome,
  standsFor,
  listTerms,
  countRelations,
  getDecidersSql,
  getIsOwnAccessSql,
  getMayDecideSql,
  listRelatedDecisions,
  type RelatedDecision,
  type Relation,
  type RelationCount,
} from './task/index.ts';
export {
  assignTasks,
  keepRoutes,
  listMachineRoutes,
  getHolds,
  getObjectPickSql,
  getRoutePickSql,
} from './policy-engine/index.ts';
export {
  cancelTasks,
  endUndecided,
  fillTasks,
  openRemovalTasks,
  checkTaskKind,
  endGone,
  type GonePlace,
  goneStart,
  type BeginPlace,
  beginStart,
  beginTasks,
  type Before,
  getDecidedSinceSql,
  getItemsAskedSql,
  getItemsMadeSql,
  getAccountItemsSql,
  countTasks,
  insertTaskReview,
  listItemLines,
  listRemovalBatches,
  openTasks,
  removalBatchMark,
  removeTasks,
  updateSignatureTerms,
  updateTaskManagers,
  updateTasksState,
} from './batches/index.ts';
export { countOpenTasks, findReminded, handOver, findStaleBatch, moveManaged } from './steering/index.ts';
export { countPastEnds, getReportedEndSql, insightLoader, nameResidual, type ReportedEnd, viewOne } from './views/index.ts';
export {
  countDroppedPending,
  findStandings,
  type FollowRemoval,
  type RemovalTurn,
  maxCommentLength,
  endProvision,
  noteRemovalClaim,
  restartRemovalTask,
} from './decisions/index.ts';
export {
  foldKind,
  foldWhereMany,
  countDecisions,
  type OutcomeCount,
  countHeldItems,
  countItemOutcomes,
  countSigned,
  findFrozenTerms,
  listUnsigned,
  type Unsigned,
  type SignedCounts,
  countOutcomes,
  endReasonsOfClose,
  countRevokedAtClose,
  countUnassigned,
  getAskedSql,
  getOutcomesSql,
  listCounts,
  listDays,
  listReviewerCounts,
  listReviewersById,
  type DayCounts,
  type KeyCounts,
  type OpenKey,
  type ReviewerCounts,
  type TaskCounts,
  type FigureKey,
  type FlaggedReviewer,
  listFlaggedReviewers,
  listReviewerFigures,
  type ReviewerFigureRow,
  type ReviewerFlag,
  listAskedReviews,
  countAsked,
  listAskedPeople,
  listDecidedReviews,
  listDecisionDigests,
  lockTaskChanges,
  findPace,
} from './progress/index.ts';
export { getIsAskedSql, getIsCertifiedSql } from './reads.ts';
export { taskSlot } from './task/index.ts';
export { emptyComments, emptyItemKeys, listReviewsAsked, removePending } from './store-empty.ts';
