/** The reviews that the address asks for: a search of its own for each group, so that what runs comes first however many have closed. */
import { type UseInfiniteQueryResult, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { countByGroup, type Group, type GroupId, groups, type ReviewLine } from './groups.ts';
import type { ListSearch } from './route.tsx';
import { groupQuery, isShown } from './group-query.ts';

type Pages = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'>;

/** A group with those of its reviews that are read. */
export interface ReadGroup {
  readonly group: Group;
  readonly lines: readonly ReviewLine[];
  readonly pages: Pages;
}

interface Groups {
  readonly groups: readonly ReadGroup[];
  /** Number in each group; not known before the first answer. */
  readonly counts: Readonly<Record<GroupId, number>> | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly retry: () => void;
}

function useGroup(group: Group, search: ListSearch, userId: string) {
  const query = useInfiniteQuery({
    ...groupQuery(group, search, userId),
    enabled: isShown(group, search),
    placeholderData: keepPreviousData,
    // How far they are changes while one looks; who reads on has asked for more than that.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 30_000),
  });
  return { group, query };
}

export function useGroups(search: ListSearch, userId: string): Groups {
  const all = [
    useGroup(groups.running, search, userId),
    useGroup(groups.prepared, search, userId),
    useGroup(groups.draft, search, userId),
    useGroup(groups.closed, search, userId),
  ];
  const shown = all.filter(({ group }) => isShown(group, search));
  const states = shown.map(({ query }) => query.data?.pages[0]?.states).find((found) => found !== undefined);
  return {
    groups: shown.map(({ group, query }) => ({
      group,
      lines: (query.data?.pages ?? []).flatMap(({ list }) => list ?? []),
      pages: query,
    })),
    counts: states === undefined ? undefined : countByGroup(states),
    error: shown.find(({ query }) => query.isError && query.data === undefined)?.query.error,
    isPending: shown.some(({ query }) => query.isPending),
    retry: () => {
      for (const { query } of shown) {
        void (query.isError ? query.refetch() : undefined);
      }
    },
  };
}
