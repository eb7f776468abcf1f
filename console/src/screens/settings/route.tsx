/** Settings: what belongs to the person who is signed in, and what belongs to the company. */
import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { type InferOutput, object } from 'valibot';
import { shellRoute } from '~/app/main-route.tsx';
import { oneWord, word } from '~/app/search.ts';
import { read, readAhead, readPages } from '~/data/query.ts';

/** Credentials that the page of all of them shows. */
const credentialsSearch = object({
  q: word,
  kind: oneWord(['people', 'programs']),
  show: oneWord(['soon', 'endless', 'unused', 'ended']),
});

export type AllCredentialsSearch = InferOutput<typeof credentialsSearch>;

export const signedInRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/tenant/signed-in',
  // Whose sessions.
  validateSearch: object({ person: word }),
  component: lazyPage(() => import('./tenant/signed-in/page.tsx'), 'SignedInPage'),
});

export const allCredentialsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/tenant/credentials',
  validateSearch: credentialsSearch,
  component: lazyPage(() => import('./tenant/all-credentials/page.tsx'), 'AllCredentialsPage'),
});

export const stepUpRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings/step-up',
  // The test that somebody comes back from.
  validateSearch: object({ transaction: word }),
  component: lazyPage(() => import('./tenant/step-up/page.tsx'), 'StepUpPage'),
});

/** My profile, with my manager: nobody but administrators reads another person by themselves. */
export const profileQuery = read('UserService.Introspect', { expandMask: { paths: ['manager_ids'] } });

/** One's own credentials. */
export const ownCredentialsQuery = readPages('PersonalClientService.List', { pageSize: 100 });

/** One's own sessions. */
export const ownSessionsQuery = readPages('SessionService.List', { pageSize: 100 });

/** My mail settings. */
export const ownMailsQuery = read('UserNotificationSettingsService.Get', {});

/** A page of its own file each, so that nobody loads all settings for one. */
export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings',
    // A narrow window shows the menu by itself; a wide one has it beside the first page.
    beforeLoad: () => {
      if (matchMedia('(width >= 900px)').matches) {
        throw redirect({ to: '/settings/profile', replace: true });
      }
    },
    component: lazyPage(() => import('./menu-page.tsx'), 'MenuPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/profile',
    loader: ({ cause }) => readAhead(cause, profileQuery),
    component: lazyPage(() => import('./profile/page.tsx'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/sessions',
    loader: ({ cause }) => readAhead(cause, ownSessionsQuery),
    component: lazyPage(() => import('./sessions/page.tsx'), 'SessionsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/credentials',
    loader: ({ cause }) => readAhead(cause, ownCredentialsQuery),
    component: lazyPage(() => import('./credentials/page.tsx'), 'CredentialsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/mails',
    loader: ({ cause }) => readAhead(cause, ownMailsQuery),
    component: lazyPage(() => import('./mails/page.tsx'), 'MailsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/display',
    component: lazyPage(() => import('./display/page.tsx'), 'DisplayPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/providers',
    component: lazyPage(() => import('./tenant/providers/page.tsx'), 'ProvidersPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/company',
    component: lazyPage(() => import('./tenant/company/page.tsx'), 'CompanyPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/roles',
    component: lazyPage(() => import('./tenant/roles/page.tsx'), 'RolesPage'),
  }),
  stepUpRoute,
  signedInRoute,
  allCredentialsRoute,
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/sessions',
    component: lazyPage(() => import('./tenant/networks/page.tsx'), 'NetworksPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/retention',
    component: lazyPage(() => import('./tenant/retention/page.tsx'), 'RetentionPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/principals',
    component: lazyPage(() => import('./tenant/principals/page.tsx'), 'PrincipalsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings/tenant/notifications',
    component: lazyPage(() => import('./tenant/notifications/page.tsx'), 'NotificationsPage'),
  }),
] as const;
