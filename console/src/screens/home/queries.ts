/** Queries of the first page: my reviews, and what came of those that closed. */
import { read, readPages } from '~/data/query.ts';

export const ownReviewsQuery = readPages('MyReviewService.List', { pageSize: 50 });
export const outcomesQuery = read('MyOutcomeService.List', { pageSize: 5 });
