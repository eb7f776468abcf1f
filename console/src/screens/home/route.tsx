/** My reviews: what is asked, by when, and what came of it. */
import { createRoute } from '@tanstack/react-router';
import { shellRoute } from '~/app/main-route.tsx';
import { readAhead } from '~/data/query.ts';
import { HomePage } from './page.tsx';
import { ownReviewsQuery } from './queries.ts';

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/home',
    loader: ({ cause }) => readAhead(cause, ownReviewsQuery),
    component: HomePage,
  }),
] as const;
