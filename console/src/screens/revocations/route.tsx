/** Outcome of access that was denied: every removal with its state and its proof. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { type InferOutput, object } from 'valibot';
import { shellRoute } from '~/app/main-route.tsx';
import { oneWord, word } from '~/app/search.ts';
import { readAhead } from '~/data/query.ts';
import { countsQuery, removalsQuery } from './removals-query.ts';

export const groupIds = ['open', 'asked', 'claimed', 'still', 'back', 'gone', 'held'] as const;
export type GroupId = (typeof groupIds)[number];

const removalSearch = object({
  state: oneWord(groupIds),
  review: word,
  app: word,
  q: word,
  /** The removal whose story is open. */
  one: word,
});

export type RemovalSearch = InferOutput<typeof removalSearch>;

export const revocationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/revocations',
  validateSearch: removalSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ cause, deps }) => readAhead(cause, countsQuery(deps), removalsQuery(deps)),
  component: lazyPage(() => import('./page.tsx'), 'RevocationsPage'),
});

export const routes = [revocationsRoute] as const;
