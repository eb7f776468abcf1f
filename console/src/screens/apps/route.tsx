/** Apps: the list, and one app with what it has. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';
import { accountKinds, readTab } from './tabs.ts';
import type { AppSearch } from './use-app.ts';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/apps',
    validateSearch: (search: Record<string, unknown>): { q?: string | undefined } => ({ q: text(search['q']) }),
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'AppsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/apps/$app',
    beforeLoad: ({ params }) => {
      throw redirect({ href: `/apps/${params.app}/entitlements`, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/apps/$app/$tab',
    params: { parse: ({ app, tab }) => ({ app, tab: readTab(tab) }), stringify: ({ app, tab }) => ({ app, tab }) },
    validateSearch: (search: Record<string, unknown>): AppSearch => ({
      q: text(search['q']),
      asof: /^\d{4}-\d\d-\d\d$/.test(String(search['asof'])) ? String(search['asof']) : undefined,
      sync: text(search['sync']),
      ended: search['ended'] === true ? true : undefined,
      bare: search['bare'] === true ? true : undefined,
      right: text(search['right']),
      kind: accountKinds.find((kind) => kind === search['kind']),
    }),
    component: lazyRouteComponent(() => import('./app-page.tsx'), 'AppPage'),
  }),
] as const;
