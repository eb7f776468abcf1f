/** Coverage of a period: on which days access was held that a person had certified, app by app, and where it was not. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { type InferOutput, object } from 'valibot';
import { shellRoute } from '~/app/main-route.tsx';
import { day, digits } from '~/app/search.ts';
import { read, readAhead, readPages } from '~/data/query.ts';
import { addDays } from '~/text/whole-date.ts';

const coverageSearch = object({ since: day, until: day, valid: digits });
export type CoverageSearch = InferOutput<typeof coverageSearch>;

/** The period of a search, as requests say it: it ends before its last day. */
export function periodOf({ since = '', until, valid = '' }: CoverageSearch) {
  return { fromDay: since, untilDay: until === undefined ? '' : addDays(until, 1), validDays: Number(valid) || 0 };
}

export const coverageQuery = (search: CoverageSearch) => ({ ...read('CoverageService.Get', periodOf(search)), retry: false });
export const appsRequest = (search: CoverageSearch) => ({ ...periodOf(search), pageSize: 50 });
export const appsQuery = (search: CoverageSearch) => readPages('CoverageService.ListApps', appsRequest(search));
export const requirementsQuery = read('CoverageService.ListRequirements', {});

export const coverageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/coverage',
  validateSearch: coverageSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ cause, deps }) => readAhead(cause, coverageQuery(deps), appsQuery(deps), requirementsQuery),
  component: lazyPage(() => import('./page.tsx'), 'CoveragePage'),
});

export const gapsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/coverage/$appId',
  validateSearch: coverageSearch,
  component: lazyPage(() => import('./gaps-page.tsx'), 'GapsPage'),
});

export const routes = [coverageRoute, gapsRoute] as const;
