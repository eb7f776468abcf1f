/** Pages of an auditor in one review: a sample drawn by a seed, and one item from its source to its removal. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { type InferOutput, object } from 'valibot';
import { shellRoute } from '~/app/main-route.tsx';
import { digits, oneWord, word } from '~/app/search.ts';
import { read, readAhead } from '~/data/query.ts';
import { reviewQuery } from '~/data/reviews/review.ts';

export const walkthroughQuery = (accessReviewId: string, taskId: string) => read('WalkthroughService.Get', { accessReviewId, taskId });

export const populations = ['ALL', 'CERTIFIED', 'DENIED', 'NOT_DECIDED'] as const;

const sampleSearch = object({ seed: word, size: digits, of: oneWord(populations) });
export type SampleSearch = InferOutput<typeof sampleSearch>;

export const walkthroughRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/evidence/$reviewId/items/$taskId',
  loader: ({ cause, params }) => readAhead(cause, walkthroughQuery(params.reviewId, params.taskId)),
  component: lazyPage(() => import('./page.tsx'), 'WalkthroughPage'),
});

export const sampleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/evidence/$reviewId/sample',
  validateSearch: sampleSearch,
  loader: ({ cause, params }) => readAhead(cause, reviewQuery(params.reviewId)),
  component: lazyPage(() => import('./sample-page.tsx'), 'SamplePage'),
});

export const routes = [walkthroughRoute, sampleRoute] as const;
