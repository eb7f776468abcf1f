/** Importing a file. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { object } from 'valibot';
import { shellRoute } from '~/app/main-route.tsx';
import { word } from '~/app/search.ts';

export const importRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/import',
  validateSearch: object({ app: word, source: word }),
  component: lazyPage(() => import('./page.tsx'), 'ImportPage'),
});

export const routes = [importRoute] as const;
