/** Signing in: the one page that whoever is not signed in sees. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { object } from 'valibot';
import { rootRoute } from '~/app/main-route.tsx';
import { word } from '~/app/search.ts';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: object({
    /** The page that was wanted; it is not named here. */
    to: word,
    /** Reason a provider's sign-in failed. */
    error: word,
    /** Set where the person is to prove anew who they are. */
    fresh: word,
  }),
  component: lazyPage(() => import('./page.tsx'), 'SignInPage'),
});

export const routes = [signInRoute] as const;
