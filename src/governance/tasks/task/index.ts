/** A task: its record and states, the policy steps it stands on, and permission to act on it. */
export { callTimers, taskTimersKind } from './call-timers.ts';
export { type ChangeEvent, changeTask } from './change-task.ts';
export { getTask, resolveTaskId } from './get-task.ts';
export { type PlannedChange, lockTaskFor, refuseUnserved, runAction, throwRefusal } from './locked-task.ts';
export { accessGone, listAllowedActions, refuseAction, refuseBlank, refuseRemoved, refuseStep, refuseUnsigned } from './permit-actions.ts';
export {
  type Refusal,
  findDelegator,
  isListedFor,
  managesTask,
  maySeeTask,
  refusalError,
  refuseAmender,
  refuseDecider,
  refuseReassigner,
  refuseTasksState,
  seesAllTasks,
  standsFor,
  taskNotFound,
} from './permit.ts';
export {
  type ApprovalStep,
  type Escalation,
  type Step,
  type WaitStep,
  rawSteps,
  readApprovalAt,
  readStepAt,
  remediatesAtOnce,
} from './policy-steps.ts';
export {
  type RelatedDecision,
  type Relation,
  type RelationCount,
  countRelations,
  listRelatedDecisions,
  listStandings,
} from './store-relations.ts';
export {
  type Advice,
  type Flag,
  type Term,
  changedMask,
  denyFrom,
  flagBits,
  getAdvice,
  getMask,
  hasFlag,
  listTerms,
  points,
  reviewFrom,
} from './store-terms.ts';
export { getDecidersSql, getIsOwnAccessSql, getMayDecideSql } from './store-deciders.ts';
export { listRows, lockTasks, readTasks } from './store-many.ts';
export { getReviewJoinSql } from './store-review.ts';
export { type ItemSignature, judgeSigned } from './signed.ts';
export { getLastSignatureSql, getSignedStateSql } from './store-signed.ts';
export {
  type Moment,
  type NewAction,
  openState,
  type TaskChange,
  getIsOneOfSql,
  getLookupSql,
  getRemovalSql,
  getTaskColumnsSql,
  getTaskJoinsSql,
  findFormerAssignment,
  findTask,
  getForActorSql,
  listInOrder,
  listTasksByIds,
  lockTask,
  getTaskIdByNumberSql,
} from './store.ts';
export {
  type ActionData,
  type ActionKind,
  type AssignmentReason,
  type EndReason,
  type PastAction,
  type ReviewerReason,
  type TaskKind,
  type TaskRemoval,
  type TaskOutcome,
  type Task,
  type TasksState,
  currentDecisions,
  explainEnd,
  stepId,
} from './task.ts';
export {
  type ActionLine,
  actionBy,
  commitComment,
  describeSigned,
  digestActions,
  isCommentKept,
  lineOfAction,
  lineOfFormerAction,
  lineOfSubmission,
  nobody,
  type SubmissionLine,
} from './evidence.ts';
export { noteAction } from './note-action.ts';
export { taskSlot } from './slots.ts';
