/** The system log: who changed what and when. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

/** What the log shows, as the address says it. */
export interface LogSearch {
  /** A day each, YYYY-MM-DD: from its beginning, to its end. */
  readonly since?: string;
  readonly until?: string;
  readonly actor?: string;
}

const day = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/log',
    validateSearch: (search: Record<string, unknown>): LogSearch => {
      const [since, until] = [day(search['since']), day(search['until'])];
      return {
        ...(since === undefined ? {} : { since }),
        ...(until === undefined ? {} : { until }),
        ...(typeof search['actor'] === 'string' && search['actor'] !== '' ? { actor: search['actor'] } : {}),
      };
    },
    component: lazyRouteComponent(() => import('./page.tsx'), 'LogPage'),
  }),
] as const;
