/** View of a review for its reviewers: the columns that it chose, and the grouping that it opens with. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { chosenColumns } from '~/data/queue/columns.ts';
import type { By } from '~/data/queue/state/view.ts';
import { type Review, reviewQuery } from '~/data/reviews/review.ts';
import type { QueueAddress } from './address.ts';
import { useQueue } from './use-queue.ts';
import type { ByValue } from '~/text/by-value.ts';

const groupings: ByValue<Review['defaultView'], By | undefined> = {
  ACCESS_REVIEW_VIEW_TYPE_BY_APP: undefined,
  ACCESS_REVIEW_VIEW_TYPE_BY_USER: 'person',
  ACCESS_REVIEW_VIEW_TYPE_BY_RESOURCE: 'resource',
  ACCESS_REVIEW_VIEW_TYPE_UNSTRUCTURED: 'list',
};
const none: readonly string[] = [];

/** A queue is worked on where its review cannot be read, too. */
const useReview = (reviewId: string) =>
  useQuery({
    ...reviewQuery(reviewId),
    retry: false,
    staleTime: 300_000,
    select: ({ accessReview }) => {
      const review = accessReview?.accessReview;
      const columns = review === undefined ? none : chosenColumns(review).flatMap(({ builtin }) => (builtin ? [String(builtin)] : []));
      return { isKnown: review !== undefined, columns, by: groupings[review?.defaultView ?? ''] };
    },
  }).data;

/** The columns that the review chose for its reviewers. */
export function useColumns(): readonly string[] {
  return useReview(useQueue().reviewId)?.columns ?? none;
}

/** Gives the grouping to `open`, once, where the address left it open. */
export function useGrouping(reviewId: string, address: QueueAddress, open: (by: By) => void): void {
  const { isKnown = false, by } = useReview(reviewId) ?? {};
  const isLeftOpen = useRef(Object.keys(address).length === 0);
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    if (isKnown && isLeftOpen.current && by !== undefined) {
      latest.current(by);
    }
    isLeftOpen.current &&= !isKnown;
  }, [isKnown, by]);
}
