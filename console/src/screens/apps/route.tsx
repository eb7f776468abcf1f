/** Apps: the list, and one app with what it has. */
import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { type InferOutput, object } from 'valibot';
import { shellRoute } from '~/app/main-route.tsx';
import { day, flag, oneWord, word } from '~/app/search.ts';
import { accountKinds, readTab } from './tabs.ts';
import { read, readAhead, readPages } from '~/data/query.ts';

/** The apps that a word finds; all where it is empty. */
export const appsQuery = (query = '') => readPages('AppService.Search', { query, pageSize: 50 });

export const appsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/apps',
  validateSearch: object({ q: word }),
  loaderDeps: ({ search }) => search,
  loader: ({ cause, deps }) => readAhead(cause, appsQuery(deps.q)),
  component: lazyPage(() => import('./list-page.tsx'), 'AppsPage'),
});

const startRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/apps/$app',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/apps/$app/$tab', params: { app: params.app, tab: 'entitlements' }, replace: true });
  },
});

const appSearch = object({
  q: word,
  /** Access held on a day. */
  asof: day,
  /** The sync that is open. */
  sync: word,
  /** Shows ended grants, too. */
  ended: flag,
  /** Shows grants alone whose reported end has passed. */
  past: flag,
  /** The id of an entitlement: who holds it. */
  right: word,
  /** Only rights that nobody described. */
  bare: flag,
  /** Accounts of one kind. */
  kind: oneWord(accountKinds),
});

export type AppSearch = InferOutput<typeof appSearch>;

/** One app. */
export const appQuery = (appId: string) => read('AppService.Get', { id: appId });

export const appRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/apps/$app/$tab',
  params: { parse: ({ app, tab }) => ({ app, tab: readTab(tab) }), stringify: (params) => params },
  validateSearch: appSearch,
  loader: ({ cause, params }) => readAhead(cause, appQuery(params.app)),
  component: lazyPage(() => import('./app-page.tsx'), 'AppPage'),
});

export const routes = [appsRoute, startRoute, appRoute] as const;
