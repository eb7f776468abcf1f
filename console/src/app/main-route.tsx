/** The two roots that every page hangs from: the whole app, and the shell of those who are signed in. Screens hang their routes here. */
import { createRootRoute, createRoute, Outlet, type ParsedLocation, redirect } from '@tanstack/react-router';
import { isSignedOut, queries } from '~/data/query.ts';
import { openDrafts, sessionQuery } from '~/data/session/session.ts';
import { Fault } from './fault.tsx';
import { NotFound } from './not-found.tsx';
import { LostPart } from './frame/lost-part.tsx';
import { OverEverything } from './frame/over-everything.tsx';
import { Shell } from './frame/shell.tsx';
import { preferencesHere, usePreferencesHere } from './use-preferences-here.ts';
import { loadLaterTexts, loadQueueTexts } from '~/text/text.ts';

function Everything() {
  return (
    <>
      <Outlet />
      <OverEverything />
      <LostPart />
    </>
  );
}

/** The pages whose texts come with the first load. */
const hasTexts = /^\/(?:$|home$|sign-in$|signed-in$)/;
const isQueue = /^\/r\//;

export const rootRoute = createRootRoute({
  beforeLoad: async ({ location }) => {
    if (isQueue.test(location.pathname)) {
      await loadQueueTexts();
    } else if (!hasTexts.test(location.pathname)) {
      await loadLaterTexts();
    }
  },
  component: Everything,
  errorComponent: Fault,
  notFoundComponent: NotFound,
});

/** Sends whoever is not signed in to the sign-in, and back afterwards; it does not name what they wanted. */
async function needSession({ location }: { readonly location: ParsedLocation }, session: Promise<unknown>): Promise<void> {
  try {
    await Promise.all([session, preferencesHere()]);
  } catch (error) {
    if (isSignedOut(error)) {
      throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { to: location.href } });
    }
    throw error;
  }
}

/** Stands while it is not known who is signed in. */
const Nothing = () => null;

/** Pages of those who are signed in. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: (at) => needSession(at, queries.ensureQueryData(sessionQuery)),
  component: Shell,
  pendingComponent: Nothing,
});

function Bare() {
  usePreferencesHere();
  return <Outlet />;
}

/** Pages of those who are signed in that bring a side bar of their own, as the queue does. */
export const bareRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'bare',
  beforeLoad: (at) => needSession(at, openDrafts()),
  component: Bare,
  pendingComponent: Nothing,
});
