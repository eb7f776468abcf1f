/**
 * Reminding the people who have open tasks in a review, all or some of them. The reminder is an event; what goes out because of it is not here.
 */
import { AppError, invalidField } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { recordEvent } from '../../audit/index.ts';
import { countAsked } from '../../tasks/index.ts';
import { type ReviewRow, judgeMove, lockReview, requireLockedReview, changeStage, updateReview } from '../record/index.ts';
import { listReminded } from './store-reminded.ts';

const pauseMs = 15 * 60_000;

/** A reminder that lies further ahead than this was written by a clock that ran ahead: nobody waits for it. */
const aheadMs = 60_000;

/** Finds when a review may be reminded of again; undefined where it may be now. */
export function findNextReminder({ remindedAt }: Pick<ReviewRow, 'remindedAt'>, now: Date): Date | undefined {
  const next = new Date((remindedAt?.getTime() ?? 0) + pauseMs);
  const left = next.getTime() - now.getTime();
  return left <= 0 || left > pauseMs + aheadMs ? undefined : next;
}

/** Most people that one call names. */
const maxNamed = 100;

/** Those of these people who were not named by a reminder of the last 15 minutes. */
async function listDue(context: Context, reviewId: string, userIds: readonly string[]): Promise<string[]> {
  const recent = await listReminded(context, reviewId, userIds, new Date(context.now.getTime() - pauseMs));
  return userIds.filter((userId) => !recent.has(userId));
}

/**
 * Reminds whoever has open tasks in an open review, or those of `named` who have, and returns the review and how many people that are.
 * INVALID_ARGUMENT for more than 100 names. FAILED_PRECONDITION in other states, within 15 minutes of the last time that everybody was reminded,
 * and where nobody is left to remind: without an open task, or named by a reminder within these 15 minutes.
 */
export async function remindReview(
  context: Context,
  id: string,
  named: readonly string[] = [],
): Promise<{ review: ReviewRow; people: number }> {
  if (named.length > maxNamed) {
    throw invalidField('userIds', `must have at most ${maxNamed} entries, not ${named.length}; name fewer, or nobody to remind all`);
  }
  return inTransaction(context, async (inside) => {
    const review = await requireLockedReview(inside, id);
    judgeMove('remind', changeStage(review));
    const next = findNextReminder(review, inside.now);
    if (next !== undefined) {
      throw new AppError(
        'FAILED_PRECONDITION',
        `The reviewers were reminded less than 15 minutes ago. You can remind them again at ${next.toISOString()}.`,
      );
    }
    const isForAll = named.length === 0;
    const userIds = isForAll ? undefined : await listDue(inside, id, [...new Set(named)]);
    const { people, tasks } = await countAsked(inside, id, userIds);
    if (people === 0) {
      throw new AppError(
        'FAILED_PRECONDITION',
        isForAll
          ? 'Nobody has an open task in this review, so there is nobody to remind.'
          : 'None of these people can be reminded now: they have no open task in this review, or were reminded less than 15 minutes ago.',
      );
    }
    if (isForAll) {
      await updateReview(inside, id, { remindedAt: inside.now });
    }
    await recordEvent(inside, {
      kind: 'review.reminded',
      targetId: id,
      data: {
        people,
        tasks,
        displayName: review.document.displayName,
        completionDate: review.document.completionDate ?? '',
        ...(userIds === undefined ? {} : { userIds }),
      },
    });
    return { review: (await lockReview(inside, id)) ?? review, people };
  });
}
