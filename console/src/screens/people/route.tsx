/** People: the list, one person with what they may do, and oneself. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';
import { readTab } from './tabs.ts';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people',
    validateSearch: (search: Record<string, unknown>): { q?: string | undefined; gone?: boolean | undefined } => ({
      q: text(search['q']),
      gone: search['gone'] === true ? true : undefined,
    }),
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'PeoplePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people/$person',
    beforeLoad: ({ params }) => {
      throw redirect({ href: `/people/${params.person}/time`, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/people/$person/$tab',
    params: { parse: ({ person, tab }) => ({ person, tab: readTab(tab) }), stringify: ({ person, tab }) => ({ person, tab }) },
    component: lazyRouteComponent(() => import('./person-page.tsx'), 'PersonPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/my/access',
    validateSearch: (search: Record<string, unknown>): { view?: 'time' | undefined } => ({
      view: search['view'] === 'time' ? 'time' : undefined,
    }),
    component: lazyRouteComponent(() => import('./my-access-page.tsx'), 'MyAccessPage'),
  }),
] as const;
