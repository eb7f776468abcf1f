/** The start of an empty tenant: how people and their access come in. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '~/app/main-route.tsx';
import { readAhead } from '~/data/query.ts';
import { firstStepsQuery } from '~/data/inventory/is-empty.ts';

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/start',
    loader: ({ cause }) => readAhead(cause, firstStepsQuery),
    component: lazyRouteComponent(() => import('./page.tsx'), 'StartPage'),
  }),
] as const;
