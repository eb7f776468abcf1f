/** Policies: who decides an item of a review, and in which order. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/policies',
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'PoliciesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/policies/$id',
    component: lazyRouteComponent(() => import('./page.tsx'), 'PolicyPage'),
  }),
] as const;
