/** The public interface of the module reviews: finding them, who may see them, how they look. */
import type { BoundService } from '../../wire/service.ts';
import { recordServices } from './service.ts';
import { reviewActionsService, reviewSelectionService } from './service-run.ts';

/** The contract's services this module offers. */
export const services: readonly BoundService[] = [...recordServices, reviewActionsService, reviewSelectionService];

export { accessKind, peopleKind } from './follow.ts';
export { jobKinds } from './jobs.ts';
export { maySeeReview, requireReview } from './permit.ts';
export { findReview, listReviewsByIds, type ReviewRow } from './store.ts';
export { changesDates, timersKind } from './timers.ts';
export { shapeReview } from './view.ts';
