/** The record of a review: what is stored of it, who may see and manage it, and what is possible in which state. */
export {
  type Stage,
  changeableGroups,
  changesSchedule,
  isChangeable,
  nameStage,
  requireChangeable,
  changeStage,
} from './changeable.ts';
export { readSettings, setupAppIds } from './document.ts';
export { deletableBy, insteadOfDelete, mayDeleteReview } from './lifecycle.ts';
export {
  groupOfMember,
  type MemberGroup,
  type MemberOf,
  members,
  pickMembers,
  type ReviewMember,
  type ReviewSettings,
  type TemplateMember,
  templateMembers,
} from './members.ts';
export { type Move, isPossible, judgeMove } from './moves.ts';
export { readOwners, setOwners } from './owners.ts';
export {
  isAcknowledger,
  listSights,
  mayManageReview,
  mayReadEvidence,
  maySeeReview,
  noSuchReview,
  requireEvidence,
  requireLockedReview,
  requireReview,
  requireSight,
  visibleReviews,
} from './permit.ts';
export { findSignatureTerms } from './signature-terms.ts';
export { findScheduledStart, hasCome } from './schedule.ts';
export { moveReviews, renameInReviews } from './store-merge.ts';
export { listOwners, type OwnerRow, updateOwners } from './store-owners.ts';
export { findLatestOfTemplate, findPredecessorId, findRunningBefore } from './store-predecessor.ts';
export {
  type Accuracy,
  type AccuracyFlag,
  type Acknowledgement,
  type CloseDecision,
  type ReviewRow,
  type ReviewState,
  type SourceAccuracy,
  type Visible,
  findNextMoment,
  findOutdatedReview,
  findReview,
  freshSchedule,
  insertReview,
  isReviewDue,
  listDeletedReviews,
  listDueReviews,
  listReviews,
  listReviewsByIds,
  lockReview,
  updateAccessRevision,
  updateHeldDrafts,
  updateReview,
} from './store.ts';
export { listOwnerViolations, maxOwners } from './validate-owners.ts';
export { listViolations, maxListLength, refuseViolations } from './validate-review.ts';
export { reviewSlot, type SecondReviewCounts } from './slots.ts';
export { findOldReview, listFullReviews, updateEmptied as emptyReviewRow } from './store-empty.ts';
