/** What I submitted, and what was recorded of it. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/my/submissions',
    component: lazyRouteComponent(() => import('./page.tsx'), 'SubmissionsPage'),
  }),
] as const;
