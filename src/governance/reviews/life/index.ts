/** The life of a review: created, changed, prepared, started, reminded of, closed, reset, deleted, by people and by date. */
export { certifiedUntilKind } from './certified-until.ts';
export { createReview, insertDraft } from './create.ts';
export { deleteReview } from './delete.ts';
export { accessKind, peopleKind } from './follow.ts';
export { jobKinds } from './jobs.ts';
export { listPossible } from './possible.ts';
export { createPrepareJob, prepareKind } from './prepare.ts';
export { arrivalService } from './service-arrivals.ts';
export { createActionsService, createSelectionService } from './service-run.ts';
export { changesDates, heldKind, timerEvents, timersKind } from './timers.ts';
export { changeReview, forEvent } from './update.ts';
export {
  type PathOf,
  noPath,
  shapeOwner,
  shapeReview,
  shapeReviewForReviewers,
  shapeReviewView,
  shapeReviewViewForReviewers,
  shapeTombstone,
} from './view.ts';
