/** All reviews, by state; and the address of one review, which leads to where the caller works on it. */
import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { type InferOutput, object } from 'valibot';
import { shellRoute } from '~/app/main-route.tsx';
import { oneWord, word } from '~/app/search.ts';
import { call, queries, readAhead, readPages } from '~/data/query.ts';
import { reviewPlace, reviewQuery, reviewStage } from '~/data/reviews/review.ts';
import { sessionQuery } from '~/data/session/session.ts';
import { groupQueries } from './group-query.ts';

/** Reviews shown; the newest first where no order is said. */
const listSearch = object({
  state: oneWord(['running', 'prepared', 'draft', 'closed']),
  owner: oneWord(['me']),
  app: word,
  q: word,
  sort: oneWord(['due', 'name']),
});

export type ListSearch = InferOutput<typeof listSearch>;

export const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reviews',
  validateSearch: listSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ cause, deps }) => readAhead(cause, ...groupQueries(deps, (await queries.ensureQueryData(sessionQuery)).userId)),
  component: lazyPage(() => import('./page.tsx'), 'ReviewsPage'),
});

/** Mails link here: whoever is asked comes to the questions, everybody else to where the review stands. */
const oneRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reviews/$reviewId',
  beforeLoad: async ({ params: { reviewId } }) => {
    const asked = await call('MyReviewService.List', { pageSize: 100 });
    if ((asked.list ?? []).some(({ accessReviewId }) => accessReviewId === reviewId)) {
      throw redirect({ to: '/r/$review', params: { review: reviewId }, replace: true });
    }
    const { accessReview } = await queries.fetchQuery(reviewQuery(reviewId));
    throw redirect({ ...reviewPlace(reviewId, reviewStage(accessReview?.accessReview ?? {})), replace: true });
  },
});

/** The reviews that were deleted. */
export const deletedQuery = readPages('ReviewTombstoneService.List', { pageSize: 50 });

/** The words of its address come before an id. */
const deletedRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reviews/deleted',
  loader: ({ cause }) => readAhead(cause, deletedQuery),
  component: lazyPage(() => import('./deleted-page.tsx'), 'DeletedReviewsPage'),
});

export const routes = [listRoute, deletedRoute, oneRoute] as const;
