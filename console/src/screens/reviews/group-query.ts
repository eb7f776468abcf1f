/** The reviews of each group that the search of their list asks for. */
import { readPages, type RequestOf } from '~/data/query.ts';
import { allGroups, type Group } from './groups.ts';
import type { ListSearch } from './route.tsx';

const sorts = { due: 'REVIEW_SORT_DUE', name: 'REVIEW_SORT_NAME' } as const;

/** Turns address filters into a request. */
function requestOf({ owner, app, q, sort }: ListSearch, userId: string): RequestOf<'ReviewSearchService.Search'> {
  return {
    pageSize: 50,
    ...(owner === 'me' ? { ownerIds: [userId] } : {}),
    ...(app === undefined ? {} : { appIds: [app] }),
    ...(q === undefined ? {} : { query: q }),
    ...(sort === undefined ? {} : { sort: sorts[sort] }),
  };
}

/** Shows if a group is among those that are asked for. */
export const isShown = (group: Group, { state }: ListSearch): boolean => state === undefined || state === group.id;

/** The reviews of one group in pages. */
export const groupQuery = (group: Group, search: ListSearch, userId: string) =>
  readPages('ReviewSearchService.Search', { ...requestOf(search, userId), states: [...group.states] });

/** The reviews of each group that is asked for. */
export const groupQueries = (search: ListSearch, userId: string) =>
  allGroups.filter((group) => isShown(group, search)).map((group) => groupQuery(group, search, userId));
