/** The public interface of the module second-reviews: its services, and drawing items by a seed. */
export { services } from './service.ts';
export {
  findSecondReviewCounts,
  getAnswersGivenSql,
  getSecondReviewersAskedSql,
  getSecondReviewNamesSql,
  hasEndedSecondReview,
} from './reads.ts';
export { emptySecondComments } from './store-empty.ts';
export { digestPopulation, findSecondReview, rankSql } from './store.ts';
export { listCompared } from './store-items.ts';
