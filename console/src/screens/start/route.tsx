/** The start of an empty tenant: how people and their access come in. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/start',
    component: lazyRouteComponent(() => import('./page.tsx'), 'StartPage'),
  }),
] as const;
