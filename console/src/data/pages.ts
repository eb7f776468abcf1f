/** Lists that come in pages: their rows as one, and reading on where a filter is the reader's and not the server's. */
import type { InfiniteData } from '@tanstack/react-query';
import { useEffect } from 'react';

/** All rows that were read. */
export function pageRows<Row>(data: InfiniteData<{ readonly list?: readonly Row[] }> | undefined): Row[] {
  return data?.pages.flatMap((page) => page.list ?? []) ?? [];
}

interface Paged {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isError: boolean;
  readonly data?: InfiniteData<unknown> | undefined;
  fetchNextPage(): Promise<unknown>;
}

/** Reads further pages by itself while `wanted`, up to a number of them. Says whether the end was reached. */
export function useFurtherPages(query: Paged, wanted: boolean, most = 20): boolean {
  const { hasNextPage, isFetchingNextPage, isError, data } = query;
  const isDue = wanted && hasNextPage && !isFetchingNextPage && !isError && (data?.pages.length ?? 0) < most;
  useEffect(() => {
    if (isDue) {
      void query.fetchNextPage();
    }
  });
  return !hasNextPage && data !== undefined;
}
