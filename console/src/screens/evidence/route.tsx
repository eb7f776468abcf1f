/** What proves a review: the closed reviews, and of each its reports, its acknowledgement, and what was checked. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/evidence',
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'EvidenceListPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/evidence/$reviewId',
    component: lazyRouteComponent(() => import('./page.tsx'), 'EvidencePage'),
  }),
] as const;
