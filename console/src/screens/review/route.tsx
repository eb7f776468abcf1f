/** One review that was started: its progress, its items, who submitted, what is removed, its settings, and its history. */
import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

export const tabs = ['progress', 'items', 'submissions', 'comments', 'removals', 'settings', 'history'] as const;
export type Tab = (typeof tabs)[number];

/** What the tabs show, as the address says it. */
export interface ReviewSearch {
  /** How progress is divided. */
  readonly by?: 'apps' | 'departments';
  /** Only reviewers whose items are past due. */
  readonly late?: boolean;
  /** Which items. */
  readonly show?: 'open' | 'certified' | 'denied';
  readonly reviewer?: string;
  readonly q?: string;
}

const oneOf = <T extends string>(value: unknown, ...allowed: readonly T[]): T | undefined => allowed.find((one) => one === value);

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reviews/$reviewId/$tab',
    validateSearch: (search: Record<string, unknown>): ReviewSearch => {
      const by = oneOf(search['by'], 'apps', 'departments');
      const show = oneOf(search['show'], 'open', 'certified', 'denied');
      return {
        ...(by === undefined ? {} : { by }),
        ...(search['late'] === true ? { late: true } : {}),
        ...(show === undefined ? {} : { show }),
        ...(typeof search['reviewer'] === 'string' ? { reviewer: search['reviewer'] } : {}),
        ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
      };
    },
    beforeLoad: ({ params }) => {
      if (!tabs.some((tab) => tab === params.tab)) {
        throw notFound();
      }
    },
    component: lazyRouteComponent(() => import('./page.tsx'), 'ReviewPage'),
  }),
] as const;
