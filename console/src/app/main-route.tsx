/** The two roots that every page hangs from: the whole app, and the shell of those who are signed in. Screens hang their routes here. */
import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { isSignedOut, queries } from '../data/query.ts';
import { sessionQuery } from '../data/session.ts';
import { Fault } from './fault.tsx';
import { NotFound } from './not-found.tsx';
import { OverEverything } from './over-everything.tsx';
import { Shell } from './shell.tsx';
import { usePreferencesHere } from './use-preferences-here.ts';
import { loadLaterTexts } from '../text/text.ts';

function Everything() {
  return (
    <>
      <Outlet />
      <OverEverything />
    </>
  );
}

/** The pages whose texts come with the first load. */
const hasTexts = /^\/(?:$|home$|r\/|sign-in$|signed-in$)/;

export const rootRoute = createRootRoute({
  beforeLoad: async ({ location }) => {
    if (!hasTexts.test(location.pathname)) {
      await loadLaterTexts();
    }
  },
  component: Everything,
  errorComponent: Fault,
  notFoundComponent: NotFound,
});

/** Pages of those who are signed in. Who is not comes to the sign-in, and back afterwards; it does not name what they wanted. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async ({ location }) => {
    try {
      await queries.ensureQueryData(sessionQuery);
    } catch (error) {
      if (isSignedOut(error)) {
        throw redirect({ href: location.href === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(location.href)}` });
      }
      throw error;
    }
  },
  component: Shell,
});

function Bare() {
  usePreferencesHere();
  return <Outlet />;
}

/** Pages of those who are signed in that bring a side bar of their own, as the queue does. */
export const bareRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'bare',
  ...(shellRoute.options.beforeLoad === undefined ? {} : { beforeLoad: shellRoute.options.beforeLoad as never }),
  component: Bare,
});
