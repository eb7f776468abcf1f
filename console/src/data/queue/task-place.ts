/** Place of a task in the console, by its id or its number: other programs print addresses of tasks. */
import { linkOptions } from '@tanstack/react-router';
import { call } from '~/data/query.ts';
import type { Session } from '~/data/session/session.ts';

/** The page that shows the task to this person. */
export async function findTaskPlace(task: string, { userId, permissions }: Session) {
  const { taskView } = await call('TaskService.Get', { id: task });
  const { id = '', numericId = '', type, stepApproverIds = [] } = taskView?.task ?? {};
  const review = type?.certify?.accessReviewId ?? '';
  if (review === '') {
    return permissions.has('inventory.read') && !stepApproverIds.includes(userId)
      ? linkOptions({ to: '/revocations' })
      : linkOptions({ to: '/my/removals' });
  }
  const isAsked = stepApproverIds.includes(userId);
  return isAsked || !(permissions.has('inventory.read') || (await ownsReview(review)))
    ? linkOptions({ to: '/r/$review', params: { review }, search: { show: 'all', task: id } })
    : linkOptions({ to: '/reviews/$reviewId/$tab', params: { reviewId: review, tab: 'items' }, search: { q: `#${numericId}` } });
}

/** True if the caller runs the review; reviewers, who were asked before, do not. */
async function ownsReview(id: string): Promise<boolean> {
  const { accessReview } = await call('AccessReviewService.Get', { id });
  return accessReview?.objectPermissions?.edit === true;
}
