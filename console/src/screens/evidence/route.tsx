/** Evidence of reviews: the closed reviews, and of each its reports, its acknowledgement, and what was checked. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { shellRoute } from '~/app/main-route.tsx';
import { readAhead, readPages } from '~/data/query.ts';
import { progressQuery, reviewQuery } from '~/data/reviews/review.ts';

/** The reviews that closed, the newest first. */
export const closedQuery = readPages('ReviewSearchService.Search', {
  states: ['ACCESS_REVIEW_STATE_CLOSED'],
  sort: 'REVIEW_SORT_CLOSED',
  pageSize: 100,
});

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/evidence',
  loader: ({ cause }) => readAhead(cause, closedQuery),
  component: lazyPage(() => import('./list-page.tsx'), 'EvidenceListPage'),
});

export const evidenceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/evidence/$reviewId',
  loader: ({ cause, params }) => readAhead(cause, reviewQuery(params.reviewId), progressQuery(params.reviewId)),
  component: lazyPage(() => import('./page.tsx'), 'EvidencePage'),
});

export const routes = [listRoute, evidenceRoute] as const;
