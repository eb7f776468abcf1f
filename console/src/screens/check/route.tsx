/** Looking at a review before it starts: what it would ask whom, what it rests on, and what deserves a look. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reviews/$reviewId/check',
    component: lazyRouteComponent(() => import('./page.tsx'), 'CheckPage'),
  }),
] as const;
