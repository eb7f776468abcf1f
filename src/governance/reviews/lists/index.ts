/** Reviews as lists: pages, tombstones, searches, what is asked of the caller, what is at work. */
export { readReviews } from './list.ts';
export { reviewLoader } from './load-reviews.ts';
export { myReviewService } from './service-my.ts';
export { searchAllService } from './service-search-all.ts';
export { reviewSearchService } from './service-search-reviews.ts';
export { countOpenWork } from './store-open-work.ts';
export { readTombstone, readTombstones } from './tombstones.ts';
