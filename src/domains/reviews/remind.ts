/**
 * Reminding the people who have open tasks in a review. The reminder is an event; what goes out because of it is not here.
 */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { countAsked } from '../tasks/index.ts';
import { stageOf } from './changeable.ts';
import { judgeMove } from './moves.ts';
import { requireLockedReview } from './permit.ts';
import { lockReview, type ReviewRow, updateReview } from './store.ts';

const pauseMs = 15 * 60_000;

/** When a review may be reminded of again; undefined where it may be now. */
export function findNextReminder(review: ReviewRow, now: Date): Date | undefined {
  const next = new Date((review.remindedAt?.getTime() ?? 0) + pauseMs);
  return next.getTime() <= now.getTime() ? undefined : next;
}

/**
 * Reminds whoever has open tasks in an open review, and returns the review and how many people that are. FAILED_PRECONDITION in other states,
 * within 15 minutes of the last time, and where nobody has an open task.
 */
export function remindReview(context: Context, id: string): Promise<{ review: ReviewRow; people: number }> {
  return inTransaction(context, async (inside) => {
    const review = await requireLockedReview(inside, id);
    judgeMove('remind', stageOf(review));
    const next = findNextReminder(review, inside.now);
    if (next !== undefined) {
      throw new AppError(
        'FAILED_PRECONDITION',
        `The reviewers were reminded less than 15 minutes ago. You can remind them again at ${next.toISOString()}.`,
      );
    }
    const { people, tasks } = await countAsked(inside, id);
    if (people === 0) {
      throw new AppError('FAILED_PRECONDITION', 'Nobody has an open task in this review, so there is nobody to remind.');
    }
    await updateReview(inside, id, { remindedAt: inside.now });
    await recordEvent(inside, {
      kind: 'review.reminded',
      targetType: 'access_review',
      targetId: id,
      data: { people, tasks, displayName: review.document.displayName, completionDate: review.document.completionDate ?? '' },
    });
    return { review: (await lockReview(inside, id)) ?? review, people };
  });
}
