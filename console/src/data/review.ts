/** Reviews as the console reads them: one, how far it is, and in which stage of its life. */
import { read, type ReplyOf } from './query.ts';

export type ReviewView = NonNullable<ReplyOf<'AccessReviewService.Get'>['accessReview']>;
export type Review = NonNullable<ReviewView['accessReview']>;
export type Progress = ReplyOf<'ReviewActionsService.GetProgress'>;
export type Preview = ReplyOf<'ReviewSelectionService.Preview'>;

/** Where a review is in its life, as people say it. */
export type Stage = 'draft' | 'preparing' | 'prepared' | 'starting' | 'running' | 'late' | 'closed' | 'gone';

/** The stage of a review; one that runs is late once its due date has passed. */
export function stageOf(review: Pick<Review, 'state' | 'completionDate'>, now: number = Date.now()): Stage {
  switch (review.state) {
    case 'ACCESS_REVIEW_STATE_OPEN':
      return review.completionDate !== undefined && Date.parse(review.completionDate) < now ? 'late' : 'running';
    case 'ACCESS_REVIEW_STATE_CLOSED':
      return 'closed';
    case 'ACCESS_REVIEW_STATE_REVIEW':
    case 'ACCESS_REVIEW_STATE_PENDING':
      return 'prepared';
    case 'ACCESS_REVIEW_STATE_PREPARING':
      return 'preparing';
    case 'ACCESS_REVIEW_STATE_STARTING':
      return 'starting';
    case 'ACCESS_REVIEW_STATE_DELETING':
    case 'ACCESS_REVIEW_STATE_DELETED':
      return 'gone';
    default:
      return 'draft';
  }
}

/** Where the work on a review in this stage is done. */
export function placeOf(id: string, stage: Stage): string {
  if (stage === 'draft') {
    return `/reviews/${id}/edit/purpose`;
  }
  return stage === 'preparing' || stage === 'prepared' || stage === 'starting' ? `/reviews/${id}/check` : `/reviews/${id}/progress`;
}

/** What the caller may do to a review now. */
export function mayDo(
  view: ReviewView | undefined,
  action: 'prepare' | 'start' | 'close' | 'reset' | 'remind' | 'acknowledge' | 'report',
): boolean {
  return view?.objectPermissions?.extra?.[action] ?? false;
}

export const reviewQuery = (id: string) => read('AccessReviewService.Get', { id });

/** How far a review is; read again by itself while something is at work. */
export const progressQuery = (id: string) => ({
  ...read('ReviewActionsService.GetProgress', { accessReviewId: id }),
  refetchInterval: (query: { state: { data?: Progress | undefined } }) => (query.state.data?.progress?.running ? 1000 : 30_000),
});

/** What reading a review, or lists of reviews, is made of: what an action on one makes stale. */
export const ofReviews = [
  'AccessReviewService.Get',
  'AccessReviewService.List',
  'ReviewSearchService.Search',
  'ReviewActionsService.GetProgress',
  'ReviewActionsService.GetCounts',
] as const;
