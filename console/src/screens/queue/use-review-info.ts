/** The review that a queue is of, as it concerns the person who looks. */
import { useQuery } from '@tanstack/react-query';
import { read, type ReplyOf } from '~/data/query.ts';

export type ReviewInfo = NonNullable<ReplyOf<'MyReviewService.List'>['list']>[number];

/** Undefined while it is read, and for a review that does not run. */
export function useReviewInfo(reviewId: string): ReviewInfo | undefined {
  const { data } = useQuery(read('MyReviewService.List', { pageSize: 100 }));
  return data?.list?.find(({ accessReviewId }) => accessReviewId === reviewId);
}
