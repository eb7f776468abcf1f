/** All reviews, by state; and the address of one review, which leads to where the caller works on it. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';
import { call, queries } from '../../data/query.ts';
import { placeOf, reviewQuery, stageOf } from '../../data/review.ts';

/** What the list shows, as the address says it. */
export interface ListSearch {
  readonly state?: 'running' | 'prepared' | 'draft' | 'closed';
  readonly owner?: 'me';
  readonly app?: string;
  readonly q?: string;
  /** The newest first where absent. */
  readonly sort?: 'due' | 'name';
}

const states: readonly unknown[] = ['running', 'prepared', 'draft', 'closed'];

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reviews',
  validateSearch: (search: Record<string, unknown>): ListSearch => ({
    ...(states.includes(search['state']) ? { state: search['state'] as NonNullable<ListSearch['state']> } : {}),
    ...(search['owner'] === 'me' ? { owner: 'me' } : {}),
    ...(typeof search['app'] === 'string' ? { app: search['app'] } : {}),
    ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
    ...(search['sort'] === 'due' || search['sort'] === 'name' ? { sort: search['sort'] } : {}),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'ReviewsPage'),
});

/** Mails link here: whoever is asked comes to the questions, everybody else to where the review stands. */
const oneRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reviews/$reviewId',
  beforeLoad: async ({ params: { reviewId } }) => {
    const asked = await call('MyReviewService.List', { pageSize: 100 });
    if ((asked.list ?? []).some(({ accessReviewId }) => accessReviewId === reviewId)) {
      throw redirect({ href: `/r/${reviewId}`, replace: true });
    }
    const { accessReview } = await queries.fetchQuery(reviewQuery(reviewId));
    throw redirect({ href: placeOf(reviewId, stageOf(accessReview?.accessReview ?? {})), replace: true });
  },
});

export const routes = [listRoute, oneRoute] as const;
