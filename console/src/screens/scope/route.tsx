/** Making a review, and changing one: its purpose, what it asks, who decides, its dates, and what happens at the end. */
import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { shellRoute } from '../../app/main-route.tsx';

export const editParts = ['purpose', 'scope', 'policy', 'dates', 'end'] as const;
export type EditPart = (typeof editParts)[number];

export const routes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reviews/new',
    component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewReviewPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/reviews/$reviewId/edit/$part',
    beforeLoad: ({ params }) => {
      if (!editParts.some((part) => part === params.part)) {
        throw notFound();
      }
    },
    component: lazyRouteComponent(() => import('./page.tsx'), 'EditReviewPage'),
  }),
] as const;
