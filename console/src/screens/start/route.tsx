/** The start of an empty tenant: how people and their access come in. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { shellRoute } from '~/app/main-route.tsx';
import { readAhead } from '~/data/query.ts';
import { firstStepsQuery } from '~/data/inventory/is-empty.ts';

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/start',
    loader: ({ cause }) => readAhead(cause, firstStepsQuery),
    component: lazyPage(() => import('./page.tsx'), 'StartPage'),
  }),
] as const;
