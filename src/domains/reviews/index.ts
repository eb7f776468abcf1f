/** The door of the room of reviews: finding them, who may see them, how they look. */
import type { JobKind } from '../../jobs/index.ts';
import type { BoundService } from '../../wire/service.ts';
import { endDeletedJob, endDeletedKind } from './end-deleted.ts';
import { recordServices } from './service.ts';
import { reviewActionsService, reviewSelectionService } from './service-run.ts';

/** The contract's services this room offers. */
export const services: readonly BoundService[] = [...recordServices, reviewActionsService, reviewSelectionService];

/** The background work of this room by the name of its kind. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([[endDeletedKind, endDeletedJob]]);

export { recordServices };
export { jobKinds } from './jobs.ts';
export { maySeeReview, requireReview } from './permit.ts';
export { findReview, listReviewsByIds, type ReviewRow, type ReviewState } from './store.ts';
export { shapeReview } from './view.ts';
