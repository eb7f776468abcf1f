/** The door of the room of reviews: finding them, who may see them, how they look. */
export { maySeeReview, requireReview } from './permit.ts';
export { recordServices } from './service.ts';
export { findReview, listReviewsByIds, type ReviewRow, type ReviewState } from './store.ts';
export { shapeReview } from './view.ts';
