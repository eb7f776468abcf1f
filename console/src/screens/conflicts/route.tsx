/** Conflicts: access that nobody should hold together, and who does. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { object } from 'valibot';
import { shellRoute } from '~/app/main-route.tsx';
import { oneWord } from '~/app/search.ts';
import { read, readAhead, readPages } from '~/data/query.ts';

export const alertStates = ['active', 'exempted', 'resolved'] as const;
export type AlertState = (typeof alertStates)[number];

/** Alerts that are shown. */
const alertSearch = object({ state: oneWord(alertStates) });

/** All rules. */
export const monitorsQuery = readPages('ConflictMonitorService.List', { pageSize: 100 });

const conflictsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/conflicts',
  validateSearch: alertSearch,
  loader: ({ cause }) => readAhead(cause, monitorsQuery),
  component: lazyPage(() => import('./list-page.tsx'), 'ConflictsPage'),
});

/** One rule. */
export const monitorQuery = (id: string) => read('AccessConflictService.GetMonitor', { id });

export const monitorRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/conflicts/$id',
  validateSearch: alertSearch,
  loader: ({ cause, params }) => readAhead(cause, monitorQuery(params.id)),
  component: lazyPage(() => import('./page.tsx'), 'MonitorPage'),
});

export const routes = [conflictsRoute, monitorRoute] as const;
