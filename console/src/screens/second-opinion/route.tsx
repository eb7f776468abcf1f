/** A second opinion on what others decided. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { shellRoute } from '~/app/main-route.tsx';
import { readAhead, readPages } from '~/data/query.ts';
import { openDrafts } from '~/data/session/session.ts';

/** Questions to me in a review. */
export const questionsQuery = (review: string) => readPages('SecondReviewService.ListQuestions', { accessReviewId: review, pageSize: 100 });

export const secondOpinionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/second-opinions/$review',
  // Answers are kept on this device until they are sent.
  loader: ({ cause, params }) => Promise.all([openDrafts(), readAhead(cause, questionsQuery(params.review))]),
  component: lazyPage(() => import('./page.tsx'), 'SecondOpinionPage'),
});

export const routes = [secondOpinionRoute] as const;
