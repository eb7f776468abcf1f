/** Signing in: the one page that whoever is not signed in sees. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { fallback, nonEmpty, number, object, optional, pipe, string, transform, union } from 'valibot';
import { rootRoute } from '~/app/main-route.tsx';

/** A word, which the router reads as a number where it looks like one. */
const wordOrNumber = fallback(optional(union([pipe(string(), nonEmpty()), pipe(number(), transform(String))])), undefined);

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: object({
    /** The page that was wanted; it is not named here. */
    to: wordOrNumber,
    /** Reason a provider's sign-in failed. */
    error: wordOrNumber,
    /** Set where the person is to prove anew who they are. */
    fresh: wordOrNumber,
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'SignInPage'),
});

export const routes = [signInRoute] as const;
