/** Preview of the draft as it stands, counted anew after each change; and which ten items are shown of it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '~/data/query.ts';
import type { Preview } from '~/data/reviews/review.ts';

/** Time counting takes before it is said to take long. */
const slowMs = 1000;

export interface LiveCount {
  /** The last one there was; undefined where nothing can be counted. */
  readonly preview: Preview | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  /** A newer one is on its way. */
  readonly isOld: boolean;
  readonly isSlow: boolean;
  readonly countedAt: Date;
  /** Shows other items. */
  showOthers(): void;
}

export function usePreview(reviewId: string, { version, isSaving }: { version: number; isSaving: boolean }, isAsked: boolean): LiveCount {
  const [seed, setSeed] = useState(0);
  const query = useQuery({
    queryKey: ['live-preview', reviewId, version, seed] as const,
    queryFn: ({ signal }) => call('ReviewSelectionService.Preview', { accessReviewId: reviewId, sampleSeed: String(seed) }, { signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const isOld = query.isFetching || isSaving;
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isOld) {
      setSlow(false);
      return undefined;
    }
    const timer = setTimeout(() => setSlow(true), slowMs);
    return () => clearTimeout(timer);
  }, [isOld]);
  return {
    preview: query.isError ? undefined : query.data,
    error: query.error ?? undefined,
    isPending: query.isPending,
    isOld,
    isSlow,
    countedAt: new Date(query.dataUpdatedAt),
    showOthers: () => setSeed(seed + 1),
  };
}
