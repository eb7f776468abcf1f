/** Templates: what a review is made of again and again, by a schedule or by what happens to people. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/templates',
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'TemplatesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/templates/$id',
    component: lazyRouteComponent(() => import('./page.tsx'), 'TemplatePage'),
  }),
] as const;
