/**
 * Answering questions of a second review. The first answer of all who are asked about an item stands and is final; the relations that the review blocks
 * block here as well. Nothing but the second review changes.
 */
import { createHash } from 'node:crypto';
import { AppError, type ErrorCode, type FieldViolation } from '../../errors.ts';
import { type Context, inTransaction } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { isBehind, peopleBehind, seesEverything } from '../../foundation/authority/index.ts';
import { listUsersByIds } from '../../foundation/directory/index.ts';
import { findReview, type ReviewRow } from '../reviews/index.ts';
import { findStandings, maxCommentLength } from '../tasks/index.ts';
import { readingRoleIds } from './draw.ts';
import { endLocked } from './end.ts';
import { noSuchSecondReview } from './read.ts';
import { findSecondReview, lockSecondReview } from './store.ts';
import { type Answer, type LockedItem, lockItems, updateAnswers } from './store-items.ts';

/** The most answers of one request. */
const maxAnswers = 1000;

/** Outcome of an answer, and why it does not stand. */
export interface AnswerResult {
  readonly taskId: string;
  readonly answered: boolean;
  /** Empty where it stands. */
  readonly code: ErrorCode | '';
  readonly message: string;
}

function checkAnswers(answers: readonly Answer[]): void {
  const violations: FieldViolation[] = [];
  if (answers.length === 0 || answers.length > maxAnswers) {
    violations.push({ field: 'answers', description: `must hold 1 to ${maxAnswers} answers, holds ${answers.length}` });
  }
  const seen = new Set<string>();
  answers.forEach(({ taskId, comment }, index) => {
    if (taskId === '' || seen.has(taskId)) {
      violations.push({
        field: `answers[${index}].taskId`,
        description: taskId === '' ? 'must name a task' : 'names a task a second time',
      });
    }
    if (comment.length > maxCommentLength) {
      violations.push({ field: `answers[${index}].comment`, description: `must have at most ${maxCommentLength} characters` });
    }
    seen.add(taskId);
  });
  if (violations.length > 0) {
    throw new AppError(
      'INVALID_ARGUMENT',
      violations
        .map(({ field, description }) => `${field} ${description}`)
        .slice(0, 5)
        .join('; '),
      { violations },
    );
  }
}

/** Finds why an answer does not stand; undefined where it may be written, '' where it was given before. */
function judge(
  context: Context,
  item: LockedItem | undefined,
  answer: Answer,
  refusal: string | undefined,
): [code: ErrorCode, message: string] | undefined | '' {
  const { actor } = context;
  const { userId } = actor;
  if (item === undefined || !item.reviewerIds.includes(userId)) {
    return ['NOT_FOUND', 'You are not asked about this item.'];
  }
  if (item.decision !== '') {
    return item.decidedById === userId && item.decision === answer.decision
      ? ''
      : ['CONFLICT', 'This item was answered; answers are final.'];
  }
  const isConcerned = [item.personId, item.firstDecidedById].some((id) => id !== userId && isBehind(actor, id));
  if (isConcerned || isBehind(actor, item.firstIssuerId)) {
    return [
      'PERMISSION_DENIED',
      'This is about somebody who issued what you act through, or you issued what it was decided through first.',
    ];
  }
  if (item.isOfOwnApp) {
    return ['PERMISSION_DENIED', 'You own the app by now, and so read what was denied there: somebody else has to answer.'];
  }
  if (item.isKnown) {
    return ['PERMISSION_DENIED', 'You were asked about removing it, and so know what was decided: somebody else has to answer.'];
  }
  return refusal === undefined ? undefined : ['PERMISSION_DENIED', refusal];
}

/**
 * Whoever can read the first decisions cannot answer without knowing them; they may have come to it after the draw. The same holds for whoever
 * issued what somebody answers through.
 */
async function refuseReader(context: Context, review: ReviewRow): Promise<void> {
  const { actor } = context;
  const people = await listUsersByIds(context, peopleBehind(actor));
  // By the roles of the person, too: a credential that is narrowed makes nobody forget what they read without it.
  const mayRead = (id: string): boolean => review.ownerIds.includes(id) || mayReadAll(people.get(id)?.roleIds ?? []);
  if (seesEverything(actor) || mayRead(actor.userId)) {
    throw new AppError('PERMISSION_DENIED', 'You can read the first decisions of this review by now, so somebody else has to answer.');
  }
  if (peopleBehind(actor).some(mayRead)) {
    throw new AppError(
      'PERMISSION_DENIED',
      'Whoever issued what you act through can read the first decisions of this review: sign in yourself to answer.',
    );
  }
}

function mayReadAll(roleIds: readonly string[]): boolean {
  return roleIds.some((id) => readingRoleIds.includes(id));
}

/** Answers what can be answered, with a result for each. The last answer ends the second review. */
export async function answerQuestions(context: Context, reviewId: string, answers: readonly Answer[]): Promise<AnswerResult[]> {
  checkAnswers(answers);
  return inTransaction(context, async (inside) => {
    const state = await lockSecondReview(inside, reviewId);
    const row = await findSecondReview(inside, reviewId);
    const review = await findReview(inside, reviewId);
    if (row === undefined || review === undefined || !row.reviewerIds.includes(inside.actor.userId)) {
      throw noSuchSecondReview();
    }
    await refuseReader(inside, review);
    if (state !== 'OPEN') {
      throw new AppError('FAILED_PRECONDITION', 'The second review is over: nothing is answered any more.');
    }
    const taskIds = answers.map(({ taskId }) => taskId);
    const items = new Map((await lockItems(inside, reviewId, taskIds)).map((item) => [item.taskId, item]));
    const standingOf = await findStandings(inside, reviewId, [...items.keys()]);
    const written: Answer[] = [];
    const results = answers.map((answer): AnswerResult => {
      const { refusal } = standingOf(answer.taskId);
      const wrong = judge(inside, items.get(answer.taskId), answer, refusal?.message);
      if (wrong === undefined) {
        written.push(answer);
      }
      const [code, message] = wrong || (['', ''] as const);
      return { taskId: answer.taskId, answered: code === '', code, message };
    });
    if (written.length > 0) {
      await updateAnswers(inside, reviewId, written);
      const lines = written.map(({ taskId, decision, comment }) => JSON.stringify([taskId, decision, comment]));
      await recordEvent(inside, {
        kind: 'second_review.answered',
        targetId: reviewId,
        data: { answered: written.length, sha256: createHash('sha256').update(lines.join('\n')).digest('hex') },
      });
    }
    if (row.answered + written.length === row.items) {
      await endLocked(inside, reviewId);
    }
    return results;
  });
}
