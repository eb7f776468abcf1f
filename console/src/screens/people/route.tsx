/** People: the list, one person with what they may do, and oneself. */
import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { object } from 'valibot';
import { shellRoute } from '~/app/main-route.tsx';
import { flag, oneWord, word } from '~/app/search.ts';
import { readTab } from './tabs.ts';
import { read, readAhead, readPages } from '~/data/query.ts';

/** The people that a search finds: those who are here, or those who left. */
export const peopleQuery = ({ q = '', gone = false }: { readonly q?: string | undefined; readonly gone?: boolean | undefined }) =>
  readPages('UserService.Search', {
    query: q,
    expandMask: { paths: ['manager_ids'] },
    userStatuses: gone ? ['DISABLED'] : [],
    excludeTypes: ['USER_TYPE_SYSTEM'],
    sort: 'USER_SORT_NAME',
    pageSize: 100,
  });

export const peopleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/people',
  validateSearch: object({ q: word, gone: flag }),
  loaderDeps: ({ search }) => search,
  loader: ({ cause, deps }) => readAhead(cause, peopleQuery(deps)),
  component: lazyPage(() => import('./list-page.tsx'), 'PeoplePage'),
});

const startRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/people/$person',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/people/$person/$tab', params: { person: params.person, tab: 'time' }, replace: true });
  },
});

/** One person. */
export const personQuery = (id: string) => read('UserService.Get', { id });

export const personRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/people/$person/$tab',
  params: { parse: ({ person, tab }) => ({ person, tab: readTab(tab) }), stringify: (params) => params },
  loader: ({ cause, params }) => readAhead(cause, personQuery(params.person)),
  component: lazyPage(() => import('./person-page.tsx'), 'PersonPage'),
});

export const ownAccessRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/my/access',
  validateSearch: object({ view: oneWord(['time']) }),
  component: lazyPage(() => import('./my-access-page.tsx'), 'MyAccessPage'),
});

export const routes = [peopleRoute, startRoute, personRoute, ownAccessRoute] as const;
