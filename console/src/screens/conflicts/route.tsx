/** Conflicts: access that nobody should hold together, and who does. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

export const alertStates = ['active', 'exempted', 'resolved'] as const;
export type AlertState = (typeof alertStates)[number];

/** Which alerts are shown. */
export interface ConflictSearch {
  readonly state?: AlertState;
}

function readSearch({ state }: Record<string, unknown>): ConflictSearch {
  const known = alertStates.find((one) => one === state);
  return known === undefined ? {} : { state: known };
}

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/conflicts',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./list-page.tsx'), 'ConflictsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/conflicts/$id',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'MonitorPage'),
  }),
] as const;
