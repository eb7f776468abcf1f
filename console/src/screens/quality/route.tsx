/** Data quality: what is wrong with the inventory, list by list. */
import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { object } from 'valibot';
import { shellRoute } from '~/app/main-route.tsx';
import { flag, word } from '~/app/search.ts';
import { readTab } from './tabs.ts';

const startRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/quality',
  beforeLoad: () => {
    throw redirect({ to: '/quality/$tab', params: { tab: 'leavers' }, replace: true });
  },
});

export const qualityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/quality/$tab',
  params: { parse: ({ tab }) => ({ tab: readTab(tab) }), stringify: (params) => params },
  validateSearch: object({ app: word, ignored: flag, source: word }),
  component: lazyPage(() => import('./page.tsx'), 'QualityPage'),
});

export const routes = [startRoute, qualityRoute] as const;
