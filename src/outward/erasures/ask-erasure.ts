/**
 * Asking for the data of a person to be erased, and what stands against it: a legal hold, and reviews that name the person and are still to be
 * kept.
 */
import { type Context, inTransaction } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { enqueueJob, findWaitingJob } from '../../jobs/index.ts';
import { isBehind } from '../../foundation/authority/index.ts';
import { findUser, listMergedIds, listNamesAt, type UserRow } from '../../foundation/directory/index.ts';
import { lockHolds, refuseHeld } from '../../foundation/holds/index.ts';
import { getRetention } from '../reports/index.ts';
import { listFullReviews } from '../../governance/reviews/index.ts';
import { askSecondPerson, findRequestAbout, type RequestRow, type SecondPersonAct } from '../../foundation/second-persons/index.ts';
import { listSnapshotsOfPerson } from '../../governance/snapshots/index.ts';
import { listReviewsAsked } from '../../governance/tasks/index.ts';
import { yearsBefore } from './empty-reviews.ts';

/** The kind of the job that erases; its subject is the person. */
export const erasePersonKind = 'user.erase';

/** The most reviews that a refusal names. */
const maxNamed = 3;

async function requirePerson(context: Context, userId: string): Promise<UserRow> {
  const user = await findUser(context, userId);
  if (user === undefined || user.userType !== 'HUMAN') {
    throw new AppError('NOT_FOUND', 'There is no person with this id.');
  }
  return user;
}

/**
 * Returns the reviews that name the person, or somebody who was merged into them, and whose time is over, but which have content yet.
 * FAILED_PRECONDITION where a hold covers them, or where a review that names them is to be kept.
 */
export async function requireErasable(context: Context, userId: string): Promise<string[]> {
  await requirePerson(context, userId);
  await lockHolds(context);
  const people = [userId, ...(await listMergedIds(context, userId))];
  const full = await listFullReviews(context, people);
  const ids = full.map(({ id }) => id);
  const naming = new Set([
    ...full.filter(({ isOwn }) => isOwn).map(({ id }) => id),
    ...(await listSnapshotsOfPerson(context, people, ids)),
    ...(await listReviewsAsked(context, people, ids)),
  ]);
  await refuseHeld(context, [...naming], 'The data of this person cannot be erased');
  const { reviewYears } = await getRetention(context);
  const over = yearsBefore(context.now, reviewYears);
  const kept = full.filter(({ id, endedAt }) => naming.has(id) && (endedAt === null || endedAt >= over));
  if (kept.length > 0) {
    const names = kept
      .slice(0, maxNamed)
      .map(({ displayName, endedAt }) => `${displayName} (${endedAt === null ? 'not closed' : keptUntil(endedAt, reviewYears)})`);
    const more = kept.length > maxNamed ? `, and ${kept.length - maxNamed} more` : '';
    throw new AppError(
      'FAILED_PRECONDITION',
      `The data of this person cannot be erased: reviews that name them are still to be kept: ${names.join(', ')}${more}.`,
    );
  }
  return [...naming].sort();
}

function keptUntil(endedAt: Date, years: number): string {
  return `until ${yearsBefore(endedAt, -years).toISOString().slice(0, 10)}`;
}

/**
 * Asks for a person's data to be erased. NOT_FOUND where there is no such person, FAILED_PRECONDITION for oneself, for somebody who is erased, and as
 * `requireErasable` says.
 */
export function askErasure(context: Context, userId: string, reason: string): Promise<RequestRow> {
  return inTransaction(context, async (inside) => {
    const user = await requirePerson(inside, userId);
    if (user.erasedAt !== null) {
      throw new AppError('FAILED_PRECONDITION', 'The data of this person is erased already.');
    }
    if (isBehind(inside.actor, userId)) {
      throw new AppError('FAILED_PRECONDITION', 'Nobody can have their own data erased: ask two other Super Administrators.');
    }
    await requireErasable(inside, userId);
    return askSecondPerson(inside, { kind: 'ERASE_PERSON', subjectId: userId, reason });
  });
}

/** True if somebody waits for the erasure of a person's data to be confirmed, or a job is at work on it. */
export async function isErasureAsked(context: Context, userId: string): Promise<boolean> {
  const request = await findRequestAbout(context, 'ERASE_PERSON', userId);
  const isOpen = request?.state === 'OPEN' && request.expiresAt > context.now;
  return isOpen || (await findWaitingJob(context.db, context.tenantId, erasePersonKind, userId)) !== undefined;
}

/** Erasure of a person, once it is confirmed: from then on a job is at work. */
export const eraseAct: SecondPersonAct = {
  async apply(context, { subjectId }) {
    if (isBehind(context.actor, subjectId)) {
      throw new AppError('FAILED_PRECONDITION', 'Nobody can confirm the erasure of their own data.');
    }
    await requireErasable(context, subjectId);
    await enqueueJob(context.db, { tenantId: context.tenantId, kind: erasePersonKind, subjectId }, context.now);
  },
  async nameSubject(context, { subjectId, askedAt }) {
    const [name = ''] = await listNamesAt(context, [{ id: subjectId, at: askedAt }]);
    return name;
  },
};
