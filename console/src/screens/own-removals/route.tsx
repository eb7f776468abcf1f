/** Removals that ask me. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { shellRoute } from '~/app/main-route.tsx';
import { readAhead, readPages, type RequestOf } from '~/data/query.ts';

/** Removals that ask me, narrowed by some words. */
export const ownRemovalsQuery = (request: RequestOf<'RevocationService.List'>) =>
  readPages('RevocationService.List', { ...request, pageSize: 50 });

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/my/removals',
    loader: ({ cause }) => readAhead(cause, ownRemovalsQuery({ asksMe: true })),
    component: lazyPage(() => import('./page.tsx'), 'OwnRemovalsPage'),
  }),
] as const;
