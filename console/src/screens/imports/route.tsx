/** Importing a file. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/import',
    validateSearch: (search: Record<string, unknown>): { app?: string | undefined; source?: string | undefined } => ({
      app: text(search['app']),
      source: text(search['source']),
    }),
    component: lazyRouteComponent(() => import('./page.tsx'), 'ImportPage'),
  }),
] as const;
