/** Changes from a file: a dry run of the import, anew whenever something else would be sent, and its differences page by page. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Asked, sendImport } from '~/screens/imports/send-import.ts';

/** Pause after writing before a file is sent because of it. */
const pauseMs = 300;

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pauseMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

export function useChanges(file: { readonly number: number; readonly content: Blob } | undefined, asked: Asked, isWanted: boolean) {
  const [sent, setSent] = useState(0);
  const query = useInfiniteQuery({
    queryKey: ['dry run', file?.number, asked],
    queryFn: async ({ pageParam, signal }) => {
      setSent(0);
      if (pageParam === '') {
        await pause(signal);
      }
      return sendImport(asked, { dryRun: true, differenceToken: pageParam }, file?.content as Blob, setSent, signal);
    },
    initialPageParam: '',
    getNextPageParam: ({ dryRun }) => dryRun?.nextDifferenceToken || undefined,
    enabled: file !== undefined && isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    placeholderData: (previous, before) => (before?.queryKey[1] === file?.number ? keepPreviousData(previous) : undefined),
  });
  const isCurrent = query.data !== undefined && !query.isPlaceholderData && (!query.isFetching || query.isFetchingNextPage);
  return { query, sent, isCurrent };
}
