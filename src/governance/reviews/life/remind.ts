/**
 * Reminding the people who have open tasks in a review, all or some of them. The reminder is an event; what goes out because of it is not here.
 */
import { AppError, invalidField } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { countAsked, findReminded, listAskedPeople } from '../../tasks/index.ts';
import { type ReviewRow, judgeMove, lockReview, requireLockedReview, changeStage, updateReview } from '../record/index.ts';

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

/** A reminder: the review, and how many people were reminded. */
export interface Reminder {
  readonly review: ReviewRow;
  readonly people: number;
  /** People with open tasks who were reminded of the review, or of one of its tasks, less than 15 minutes ago: they were left out. */
  readonly leftOut: number;
  /** People who were named and have no open task. */
  readonly notAsked: number;
}

const countPeople = (count: number): string => (count === 1 ? '1 person has' : `${count} people have`);

/**
 * Reminds whoever has open tasks in an open review, or those of `named` who have; nobody who was reminded of it in the last 15 minutes.
 * INVALID_ARGUMENT for more than 100 names. FAILED_PRECONDITION in other states, within 15 minutes of the last time that everybody was reminded,
 * and where nobody is left to remind.
 */
export async function remindReview(context: Context, id: string, named: readonly string[] = []): Promise<Reminder> {
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
    const asked = await listAskedPeople(inside, id);
    const wanted = isForAll ? asked : asked.filter((userId) => named.includes(userId));
    const reminded = await findReminded(inside, id);
    const due = wanted.filter((userId) => !reminded.has(userId));
    const leftOut = wanted.filter((userId) => reminded.has(userId));
    if (due.length === 0) {
      throw new AppError('FAILED_PRECONDITION', sayNobodyDue(isForAll, leftOut.length, reminded.again));
    }
    const { people, tasks } = await countAsked(inside, id, isForAll && leftOut.length === 0 ? undefined : due);
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
        ...(isForAll ? (leftOut.length === 0 ? {} : { leftOutUserIds: leftOut }) : { userIds: due }),
      },
    });
    const notAsked = isForAll ? 0 : new Set(named).size - wanted.length;
    return { review: (await lockReview(inside, id)) ?? review, people, leftOut: leftOut.length, notAsked };
  });
}

/** Says why nobody is left to remind. */
function sayNobodyDue(isForAll: boolean, leftOut: number, again: Date | undefined): string {
  if (leftOut === 0 || again === undefined) {
    return isForAll
      ? 'Nobody has an open task in this review, so there is nobody to remind.'
      : 'None of these people has an open task in this review, so there is nobody to remind.';
  }
  const who = isForAll ? 'Everybody with an open task' : `Of these people ${countPeople(leftOut)} an open task, and each`;
  return `${who} was reminded of this review less than 15 minutes ago. You can remind them again at ${again.toISOString()}.`;
}
