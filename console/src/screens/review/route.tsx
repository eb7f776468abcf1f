/** One review that was started: its progress, its items, who submitted, what is removed, its settings, and its history. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { type InferOutput, object } from 'valibot';
import { shellRoute } from '~/app/main-route.tsx';
import { flag, oneWord, word } from '~/app/search.ts';
import { readAhead } from '~/data/query.ts';
import { progressQuery, reviewQuery } from '~/data/reviews/review.ts';

export const tabs = ['progress', 'items', 'submissions', 'comments', 'removals', 'checks', 'settings', 'history'] as const;
export type Tab = (typeof tabs)[number];

const reviewSearch = object({
  /** Grouping of progress. */
  by: oneWord(['apps', 'departments']),
  /** Only reviewers whose items are past due. */
  late: flag,
  /** Items shown. */
  show: oneWord(['open', 'certified', 'denied']),
  reviewer: word,
  q: word,
  /** The item whose story is open. */
  item: word,
});

export type ReviewSearch = InferOutput<typeof reviewSearch>;

export const reviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reviews/$reviewId/$tab',
  params: {
    parse: ({ reviewId, tab }) => {
      const known = tabs.find((one) => one === tab);
      return known === undefined ? false : { reviewId, tab: known };
    },
    stringify: (params) => params,
  },
  validateSearch: reviewSearch,
  loader: ({ cause, params }) => readAhead(cause, reviewQuery(params.reviewId), progressQuery(params.reviewId)),
  component: lazyPage(() => import('./page.tsx'), 'ReviewPage'),
});

export const routes = [reviewRoute] as const;
