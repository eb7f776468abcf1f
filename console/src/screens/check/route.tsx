/** Looking at a review before it starts: what it would ask whom, what it rests on, and what deserves a look. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { shellRoute } from '~/app/main-route.tsx';
import { readAhead } from '~/data/query.ts';
import { progressQuery, reviewQuery } from '~/data/reviews/review.ts';

export const checkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reviews/$reviewId/check',
  loader: ({ cause, params }) => readAhead(cause, reviewQuery(params.reviewId), progressQuery(params.reviewId)),
  component: lazyPage(() => import('./page.tsx'), 'CheckPage'),
});

export const routes = [checkRoute] as const;
