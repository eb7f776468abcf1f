/** My submissions, and the record of them. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { shellRoute } from '~/app/main-route.tsx';
import { readAhead, readPages } from '~/data/query.ts';

/** My submissions. */
export const submissionsQuery = readPages('MySubmissionService.List', { pageSize: 50 });

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/my/submissions',
    loader: ({ cause }) => readAhead(cause, submissionsQuery),
    component: lazyPage(() => import('./page.tsx'), 'SubmissionsPage'),
  }),
] as const;
