/** Sources: the list, and one source with its files and how they are read. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/sources',
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'SourcesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/sources/$source',
    validateSearch: (search: Record<string, unknown>): { sync?: string | undefined } => ({ sync: text(search['sync']) }),
    component: lazyRouteComponent(() => import('./source-page.tsx'), 'SourcePage'),
  }),
] as const;
