/** Policies: who decides an item of a review, and in which order. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { shellRoute } from '~/app/main-route.tsx';
import { read, readAhead, readPages } from '~/data/query.ts';

/** All policies. */
export const policiesQuery = readPages('PolicyService.List', { pageSize: 100 });

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/policies',
  loader: ({ cause }) => readAhead(cause, policiesQuery),
  component: lazyPage(() => import('./list-page.tsx'), 'PoliciesPage'),
});

/** One policy. */
export const policyQuery = (id: string) => read('PolicyService.Get', { id });

export const policyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/policies/$id',
  loader: ({ cause, params }) => readAhead(cause, policyQuery(params.id)),
  component: lazyPage(() => import('./page.tsx'), 'PolicyPage'),
});

export const routes = [listRoute, policyRoute] as const;
