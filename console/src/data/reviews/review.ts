/** Reviews as the console reads them: one, how far it is, and in which stage of its life. */
import { linkOptions } from '@tanstack/react-router';
import { read, type ReplyOf } from '~/data/query.ts';
import type { ByValue } from '~/text/by-value.ts';

export type ReviewView = NonNullable<ReplyOf<'AccessReviewService.Get'>['accessReview']>;
export type Review = NonNullable<ReviewView['accessReview']>;
export type Progress = ReplyOf<'ReviewActionsService.GetProgress'>;
export type Preview = ReplyOf<'ReviewSelectionService.Preview'>;

/** Stage in a review's life, as people say it. */
export type Stage = 'draft' | 'preparing' | 'prepared' | 'starting' | 'running' | 'late' | 'closed' | 'gone';

/** The stage of each state; one that runs is late once its due date has passed. */
const stages: ByValue<Review['state'], Stage> = {
  ACCESS_REVIEW_STATE_DRAFT: 'draft',
  ACCESS_REVIEW_STATE_RESETTING_POLICIES: 'draft',
  ACCESS_REVIEW_STATE_COPYING_SETUP_ENTITLEMENTS: 'draft',
  ACCESS_REVIEW_STATE_COPYING_RESOURCE_TYPE_SELECTIONS: 'draft',
  ACCESS_REVIEW_STATE_PREPARING: 'preparing',
  ACCESS_REVIEW_STATE_REVIEW: 'prepared',
  ACCESS_REVIEW_STATE_PENDING: 'prepared',
  ACCESS_REVIEW_STATE_STARTING: 'starting',
  ACCESS_REVIEW_STATE_OPEN: 'running',
  ACCESS_REVIEW_STATE_CLOSED: 'closed',
  ACCESS_REVIEW_STATE_DELETING: 'gone',
  ACCESS_REVIEW_STATE_DELETED: 'gone',
};

/** The stage of a review. */
export function reviewStage({ state, completionDate }: Pick<Review, 'state' | 'completionDate'>, now: number = Date.now()): Stage {
  const stage = stages[state ?? ''] ?? 'draft';
  return stage === 'running' && completionDate !== undefined && Date.parse(completionDate) < now ? 'late' : stage;
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
