/** Settings: what belongs to the person who is signed in, and what belongs to the company. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

/** Whose sessions the page shows, as the address says it. */
export interface SignedInSearch {
  readonly person?: string | undefined;
}

/** Which credentials the page of all of them shows. */
export interface AllCredentialsSearch {
  readonly q?: string | undefined;
  readonly kind?: 'people' | 'programs' | undefined;
  readonly show?: 'soon' | 'endless' | 'unused' | 'ended' | undefined;
}

const word = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A page of its own file each, so that nobody loads all settings for one. */
export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings',
    // A narrow window shows the menu by itself; a wide one has it beside the first page.
    beforeLoad: () => {
      if (matchMedia('(width >= 900px)').matches) {
        throw redirect({ href: '/settings/profile', replace: true });
      }
    },
    component: lazyRouteComponent(() => import('./menu-page.tsx'), 'MenuPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/profile',
    component: lazyRouteComponent(() => import('./profile/page.tsx'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/sessions',
    component: lazyRouteComponent(() => import('./sessions/page.tsx'), 'SessionsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/credentials',
    component: lazyRouteComponent(() => import('./credentials/page.tsx'), 'CredentialsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/mails',
    component: lazyRouteComponent(() => import('./mails/page.tsx'), 'MailsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/display',
    component: lazyRouteComponent(() => import('./display/page.tsx'), 'DisplayPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/providers',
    component: lazyRouteComponent(() => import('./tenant/providers/page.tsx'), 'ProvidersPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/roles',
    component: lazyRouteComponent(() => import('./tenant/roles/page.tsx'), 'RolesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/signed-in',
    validateSearch: (search: Record<string, unknown>): SignedInSearch => ({ person: word(search['person']) }),
    component: lazyRouteComponent(() => import('./tenant/signed-in/page.tsx'), 'SignedInPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/credentials',
    validateSearch: (search: Record<string, unknown>): AllCredentialsSearch => ({
      q: word(search['q']),
      kind: (['people', 'programs'] as const).find((one) => one === search['kind']),
      show: (['soon', 'endless', 'unused', 'ended'] as const).find((one) => one === search['show']),
    }),
    component: lazyRouteComponent(() => import('./tenant/all-credentials/page.tsx'), 'AllCredentialsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/sessions',
    component: lazyRouteComponent(() => import('./tenant/networks/page.tsx'), 'NetworksPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/retention',
    component: lazyRouteComponent(() => import('./tenant/retention/page.tsx'), 'RetentionPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/principals',
    component: lazyRouteComponent(() => import('./tenant/principals/page.tsx'), 'PrincipalsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/notifications',
    component: lazyRouteComponent(() => import('./tenant/notifications/page.tsx'), 'NotificationsPage'),
  }),
] as const;
