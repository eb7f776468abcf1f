/** A second opinion on what others decided. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/second-opinions/$review',
    component: lazyRouteComponent(() => import('./page.tsx'), 'SecondOpinionPage'),
  }),
] as const;
