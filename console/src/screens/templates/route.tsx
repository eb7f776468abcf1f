/** Templates: what a review is made of again and again, by a schedule or by what happens to people. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '~/app/main-route.tsx';
import { read, readAhead, readPages } from '~/data/query.ts';

/** All templates. */
export const templatesQuery = readPages('ReviewTemplateService.List', { pageSize: 100 });

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/templates',
  loader: ({ cause }) => readAhead(cause, templatesQuery),
  component: lazyRouteComponent(() => import('./list-page.tsx'), 'TemplatesPage'),
});

/** One template. */
export const templateQuery = (id: string) => read('AccessReviewTemplateService.Get', { id });

export const templateRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/templates/$id',
  loader: ({ cause, params }) => readAhead(cause, templateQuery(params.id)),
  component: lazyRouteComponent(() => import('./page.tsx'), 'TemplatePage'),
});

export const routes = [listRoute, templateRoute] as const;
