/** The system log: who changed what and when. */
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '~/app/lazy-page.ts';
import { type InferOutput, object } from 'valibot';
import { day, oneWord, word } from '~/app/search.ts';
import { shellRoute } from '~/app/main-route.tsx';
import { eventGroups } from '~/data/log/event-groups.ts';
import { readAhead } from '~/data/query.ts';
import { eventsQuery } from './events-query.ts';

/** Events shown: from the beginning of a day to the end of another, by somebody, of a kind of objects such as `review`, of one by its id. */
const logSearch = object({ since: day, until: day, actor: word, of: oneWord(eventGroups), object: word });

export type LogSearch = InferOutput<typeof logSearch>;

export const logRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/log',
  validateSearch: logSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ cause, deps }) => readAhead(cause, eventsQuery(deps)),
  component: lazyPage(() => import('./page.tsx'), 'LogPage'),
});

export const routes = [logRoute] as const;
