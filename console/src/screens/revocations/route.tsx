/** What became of access that was denied: every removal with its state and its proof. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

export const groupIds = ['open', 'asked', 'claimed', 'still', 'back', 'gone', 'held'] as const;
export type GroupId = (typeof groupIds)[number];

/** What the list shows, as the address says it. */
export interface RemovalSearch {
  readonly state?: GroupId;
  readonly review?: string;
  readonly app?: string;
  readonly q?: string;
  /** The removal whose story is open. */
  readonly one?: string;
}

const word = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/revocations',
    validateSearch: (search: Record<string, unknown>): RemovalSearch => {
      const state = groupIds.find((id) => id === search['state']);
      const [review, app, q, one] = [word(search['review']), word(search['app']), word(search['q']), word(search['one'])];
      return {
        ...(state === undefined ? {} : { state }),
        ...(review === undefined ? {} : { review }),
        ...(app === undefined ? {} : { app }),
        ...(q === undefined ? {} : { q }),
        ...(one === undefined ? {} : { one }),
      };
    },
    component: lazyRouteComponent(() => import('./page.tsx'), 'RevocationsPage'),
  }),
] as const;
