/** Reviews as the console reads them: one, how far it is, and in which stage of its life. */
import { linkOptions } from '@tanstack/react-router';
import { read, type ReplyOf } from '~/data/query.ts';

export type ReviewView = NonNullable<ReplyOf<'AccessReviewService.Get'>['accessReview']>;
export type Review = NonNullable<ReviewView['accessReview']>;
export type Progress = ReplyOf<'ReviewActionsService.GetProgress'>;
export type Preview = ReplyOf<'ReviewSelectionService.Preview'>;

/** Stage in a review's life, as people say it. */
export type Stage = 'draft' | 'preparing' | 'prepared' | 'starting' | 'running' | 'late' | 'closed' | 'gone';

/** The stage of a review; one that runs is late once its due date has passed. */
export function reviewStage(review: Pick<Review, 'state' | 'completionDate'>, now: number = Date.now()): Stage {
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

/** Links to the work on a review in this stage. */
export function reviewPlace(id: string, stage: Stage) {
  if (stage === 'draft') {
    return linkOptions({ to: '/reviews/$reviewId/edit/$part', params: { reviewId: id, part: 'purpose' } });
  }
  return stage === 'preparing' || stage === 'prepared' || stage === 'starting'
    ? linkOptions({ to: '/reviews/$reviewId/check', params: { reviewId: id } })
    : linkOptions({ to: '/reviews/$reviewId/$tab', params: { reviewId: id, tab: 'progress' } });
}

/** True if the caller may do that now. */
export function mayDo(
  view: ReviewView | undefined,
  action: 'prepare' | 'start' | 'close' | 'reset' | 'remind' | 'acknowledge' | 'report',
): boolean {
  return view?.objectPermissions?.extra?.[action] ?? false;
}

export const reviewQuery = (id: string) => read('AccessReviewService.Get', { id });

/** Review's progress; read again by itself while something is at work. */
export const progressQuery = (id: string) => ({
  ...read('ReviewActionsService.GetProgress', { accessReviewId: id }),
  refetchInterval: (query: { state: { data?: Progress | undefined } }) => (query.state.data?.progress?.running ? 1000 : 30_000),
});

/** Operations that read a review, or lists of reviews: what an action on one makes stale. */
export const ofReviews = [
  'AccessReviewService.Get',
  'AccessReviewService.List',
  'ReviewSearchService.Search',
  'ReviewActionsService.GetProgress',
  'ReviewActionsService.GetCounts',
  'ReviewProgressService.ListReviewers',
  'ReviewProgressService.ListApps',
  'ReviewProgressService.ListDepartments',
] as const;
