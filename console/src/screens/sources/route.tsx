/** Sources: the list, and one source with its files and how they are read. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { object } from 'valibot';
import { shellRoute } from '~/app/main-route.tsx';
import { word } from '~/app/search.ts';
import { read, readAhead, readPages } from '~/data/query.ts';

/** All sources. */
export const sourcesQuery = readPages('SourceService.List', { pageSize: 50 });

const sourcesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/sources',
  loader: ({ cause }) => readAhead(cause, sourcesQuery),
  component: lazyPage(() => import('./list-page.tsx'), 'SourcesPage'),
});

/** A new source that fetches: which kind, and of which system. */
export const newSourceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/sources/new',
  validateSearch: object({ kind: word, of: word }),
  component: lazyPage(() => import('./new-page.tsx'), 'NewSourcePage'),
});

/** One source. */
export const sourceQuery = (id: string) => read('SourceService.Get', { id });

export const sourceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/sources/$source',
  validateSearch: object({ sync: word }),
  loader: ({ cause, params }) => readAhead(cause, sourceQuery(params.source)),
  component: lazyPage(() => import('./source-page.tsx'), 'SourcePage'),
});

export const routes = [sourcesRoute, newSourceRoute, sourceRoute] as const;
