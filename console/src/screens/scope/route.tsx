/** Making a review, and changing one: its purpose, what it asks, who decides, its dates, and what happens at the end. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { object } from 'valibot';
import { shellRoute } from '~/app/main-route.tsx';
import { word } from '~/app/search.ts';
import { readAhead } from '~/data/query.ts';
import { reviewQuery } from '~/data/reviews/review.ts';

export const editParts = ['purpose', 'scope', 'policy', 'view', 'duties', 'dates', 'signature', 'end'] as const;
export type EditPart = (typeof editParts)[number];

export const newReviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reviews/new',
  // The app or the person that the new review is to be about.
  validateSearch: object({ app: word, person: word }),
  component: lazyPage(() => import('./new-page.tsx'), 'NewReviewPage'),
});

export const editRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reviews/$reviewId/edit/$part',
  params: {
    parse: ({ reviewId, part }) => {
      const known = editParts.find((one) => one === part);
      return known === undefined ? false : { reviewId, part: known };
    },
    stringify: (params) => params,
  },
  loader: ({ cause, params }) => readAhead(cause, reviewQuery(params.reviewId)),
  component: lazyPage(() => import('./page.tsx'), 'EditReviewPage'),
});

export const routes = [newReviewRoute, editRoute] as const;
