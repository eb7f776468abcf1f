/** What is to be removed, and asks me. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/my/removals',
    component: lazyRouteComponent(() => import('./page.tsx'), 'OwnRemovalsPage'),
  }),
] as const;
