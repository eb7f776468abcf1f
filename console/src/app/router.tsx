/** All addresses of the console. Each screen brings its routes; all but home and queue are loaded when they are wanted. */
import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { findStart } from '~/data/inventory/is-empty.ts';
import { routes as appRoutes } from '~/screens/apps/route.tsx';
import { routes as checkRoutes } from '~/screens/check/route.tsx';
import { routes as conflictRoutes } from '~/screens/conflicts/route.tsx';
import { routes as coverageRoutes } from '~/screens/coverage/route.tsx';
import { routes as deviceRoutes } from '~/screens/device/route.tsx';
import { routes as evidenceRoutes } from '~/screens/evidence/route.tsx';
import { routes as homeRoutes } from '~/screens/home/route.tsx';
import { routes as importRoutes } from '~/screens/imports/route.tsx';
import { routes as logRoutes } from '~/screens/log/route.tsx';
import { routes as ownRemovalRoutes } from '~/screens/own-removals/route.tsx';
import { routes as peopleRoutes } from '~/screens/people/route.tsx';
import { routes as policyRoutes } from '~/screens/policies/route.tsx';
import { routes as qualityRoutes } from '~/screens/quality/route.tsx';
import { routes as queueRoutes } from '~/screens/queue/route.tsx';
import { routes as reviewRoutes } from '~/screens/review/route.tsx';
import { routes as reviewsRoutes } from '~/screens/reviews/route.tsx';
import { routes as revocationRoutes } from '~/screens/revocations/route.tsx';
import { routes as scopeRoutes } from '~/screens/scope/route.tsx';
import { routes as secondOpinionRoutes } from '~/screens/second-opinion/route.tsx';
import { routes as settingsRoutes } from '~/screens/settings/route.tsx';
import { routes as signInRoutes } from '~/screens/sign-in/route.tsx';
import { routes as signatureRoutes } from '~/screens/signatures/route.tsx';
import { routes as sourceRoutes } from '~/screens/sources/route.tsx';
import { routes as startRoutes } from '~/screens/start/route.tsx';
import { routes as submissionRoutes } from '~/screens/submissions/route.tsx';
import { routes as templateRoutes } from '~/screens/templates/route.tsx';
import { routes as walkthroughRoutes } from '~/screens/walkthrough/route.tsx';
import { bareRoute, rootRoute, shellRoute } from './main-route.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { NotFound } from './not-found.tsx';
import { parseSearch, stringifySearch } from './search.ts';
import { SignedIn } from './signed-in.tsx';

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async () => {
    throw redirect({ href: await findStart(), replace: true });
  },
});

/** The end of a sign-in in a small window; whoever comes here signed in is heard of by the other pages. */
const signedInRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/signed-in',
  component: SignedIn,
});

/** Pages inside the shell. */
const inShell = [
  ...appRoutes,
  ...checkRoutes,
  ...conflictRoutes,
  ...coverageRoutes,
  ...evidenceRoutes,
  ...homeRoutes,
  ...importRoutes,
  ...logRoutes,
  ...peopleRoutes,
  ...policyRoutes,
  ...qualityRoutes,
  ...reviewRoutes,
  ...reviewsRoutes,
  ...revocationRoutes,
  ...scopeRoutes,
  ...settingsRoutes,
  ...signatureRoutes,
  ...sourceRoutes,
  ...startRoutes,
  ...submissionRoutes,
  ...ownRemovalRoutes,
  ...secondOpinionRoutes,
  ...templateRoutes,
  ...walkthroughRoutes,
];
/** Pages of those who are signed in, without the shell. */
const bare = [...queueRoutes, ...deviceRoutes, signedInRoute];
/** Pages of everybody. */
const open = [...signInRoutes] as const;

const tree = rootRoute.addChildren([startRoute, shellRoute.addChildren(inShell), bareRoute.addChildren(bare), ...open]);

export const router = createRouter({
  routeTree: tree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  // The cache of queries keeps results and knows how old they are.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  defaultPendingComponent: () => <Skeleton rows={8} />,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
