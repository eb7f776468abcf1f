/** Signing in: the one page that whoever is not signed in sees. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/main-route.tsx';

export interface SignInSearch {
  /** The page that was wanted; it is not named here. */
  readonly to?: string;
  /** The token of a link, spent by a button. */
  readonly link?: string;
  /** Why a provider's sign-in came to nothing. */
  readonly error?: string;
}

function readSearch(search: Record<string, unknown>): SignInSearch {
  const take = (name: keyof SignInSearch): SignInSearch => {
    const value = search[name];
    return typeof value === 'string' && value !== '' ? { [name]: value } : {};
  };
  return { ...take('to'), ...take('link'), ...take('error') };
}

export const routes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'SignInPage'),
  }),
] as const;
