/** The removals that the search of their page asks for. */
import { read, readPages } from '~/data/query.ts';
import { groupStates } from './groups.ts';
import type { RemovalSearch } from './route.tsx';

const aboutOf = ({ review, app }: RemovalSearch) => ({
  ...(review === undefined ? {} : { accessReviewId: review }),
  ...(app === undefined ? {} : { appId: app }),
});

/** The request, without its pages: a file of the same removals asks by it, too. */
export const removalsRequest = (search: RemovalSearch) => ({
  ...aboutOf(search),
  states: groupStates(search.state ?? 'open'),
  ...(search.q === undefined ? {} : { query: search.q }),
});

/** Counts removals by state, whichever state is shown. */
export const countsQuery = (search: RemovalSearch) => read('RevocationService.Count', aboutOf(search));

/** The removals in pages. */
export const removalsQuery = (search: RemovalSearch) => readPages('RevocationService.List', { ...removalsRequest(search), pageSize: 50 });
