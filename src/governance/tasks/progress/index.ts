/** The counts of tasks and decisions, kept and folded. */
export { foldJob, foldKind, foldWhereMany } from './fold-progress.ts';
export { listAskedReviews } from './store-asked.ts';
export { countAsked, listAskedPeople, listDecidedReviews, listDecisionDigests, lockTaskChanges } from './store-decisions.ts';
export {
  type FigureKey,
  type FlaggedReviewer,
  type ReviewerFigureRow,
  type ReviewerFlag,
  listFlaggedReviewers,
  listReviewerFigures,
} from './store-figures.ts';
export { findPace } from './store-pace.ts';
export {
  type DayCounts,
  type KeyCounts,
  type OpenKey,
  type ReviewerCounts,
  type TaskCounts,
  countDecisions,
  countOutcomes,
  countRevokedAtClose,
  countUnassigned,
  getAskedSql,
  getOutcomesSql,
  listCounts,
  listDays,
  listReviewerCounts,
  listReviewersById,
} from './store-progress.ts';
export { listUnsigned, type Unsigned } from './store-unsigned.ts';
export {
  countHeldItems,
  countItemOutcomes,
  countSigned,
  endReasonsOfClose,
  findFrozenTerms,
  type OutcomeCount,
  type SignedCounts,
} from './store-outcomes.ts';
