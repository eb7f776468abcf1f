/** Templates: what a review is made of again and again, by a schedule or by what happens to people. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { shellRoute } from '~/app/main-route.tsx';
import { read, readAhead, readPages } from '~/data/query.ts';

/** All templates. */
export const templatesQuery = readPages('ReviewTemplateService.List', { pageSize: 100 });

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/templates',
  loader: ({ cause }) => readAhead(cause, templatesQuery),
  component: lazyPage(() => import('./list-page.tsx'), 'TemplatesPage'),
});

/** One template. */
export const templateQuery = (id: string) => read('AccessReviewTemplateService.Get', { id });

export const templateRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/templates/$id',
  loader: ({ cause, params }) => readAhead(cause, templateQuery(params.id)),
  component: lazyPage(() => import('./page.tsx'), 'TemplatePage'),
});

export const routes = [listRoute, templateRoute] as const;
