/** Data quality: what is wrong with the inventory, list by list. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';
import { readTab } from './tabs.ts';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/quality',
    beforeLoad: () => {
      throw redirect({ href: '/quality/leavers', replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/quality/$tab',
    params: { parse: ({ tab }) => ({ tab: readTab(tab) }), stringify: ({ tab }) => ({ tab }) },
    validateSearch: (search: Record<string, unknown>): { app?: string | undefined } => ({ app: text(search['app']) }),
    component: lazyRouteComponent(() => import('./page.tsx'), 'QualityPage'),
  }),
] as const;
