/** Last review of an app: the newest reviews, each with its apps. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { read, type ReplyOf } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';

export type Review = NonNullable<ReplyOf<'ReviewSearchService.Search'>['list']>[number];
export type PartProgress = NonNullable<ReplyOf<'ReviewProgressService.ListApps'>['list']>[number];

export interface ReviewOfApp {
  readonly review: Review;
  readonly part: PartProgress;
}

/** Reviews that began, the newest first. */
export function useReviews(): { readonly reviews: readonly Review[]; readonly isReading: boolean } {
  const may = useMay('reviews.read');
  const { data, isLoading } = useQuery({
    ...read('ReviewSearchService.Search', { states: ['ACCESS_REVIEW_STATE_OPEN', 'ACCESS_REVIEW_STATE_CLOSED'], pageSize: 100 }),
    enabled: may,
  });
  const reviews = (data?.list ?? [])
    .filter((review) => review.startedAt !== undefined)
    .sort((a, b) => String(b.startedAt).localeCompare(String(a.startedAt)));
  return { reviews, isReading: isLoading };
}

/** The reviews that touched each app, by its id, the newest first; looked for in so many of the newest reviews. */
export function useReviewsByApp(most = 6): { readonly byApp: ReadonlyMap<string, readonly ReviewOfApp[]>; readonly isReading: boolean } {
  const { reviews, isReading } = useReviews();
  const looked = reviews.slice(0, most);
  const parts = useQueries({
    queries: looked.map((review) => ({
      ...read('ReviewProgressService.ListApps', { accessReviewId: review.accessReviewId ?? '', pageSize: 100 }),
      staleTime: 60_000,
    })),
  });
  const byApp = new Map<string, ReviewOfApp[]>();
  for (const [index, { data }] of parts.entries()) {
    const review = looked[index];
    for (const part of data?.list ?? []) {
      if (review !== undefined && part.key) {
        byApp.set(part.key, [...(byApp.get(part.key) ?? []), { review, part }]);
      }
    }
  }
  return { byApp, isReading: isReading || parts.some((part) => part.isLoading) };
}
