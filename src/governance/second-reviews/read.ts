/**
 * Reading second reviews: those who read what a review proves see how far it is, and both decisions once it is over; those who are asked see their
 * questions, and nothing of the first decisions.
 */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { requireEvidence } from '../reviews/index.ts';
import { requireRow } from './end.ts';
import { findSecondReview, type SecondReviewRow } from './store.ts';
import { type AskedRow, type ComparedRow, listAsked, listCompared, listQuestions, type QuestionRow } from './store-items.ts';

/** The second review of a review, for its owners and those who read everything. */
export async function readSecondReview(context: Context, reviewId: string): Promise<SecondReviewRow> {
  const review = await requireEvidence(context, reviewId, 'read its second review');
  return requireRow(await findSecondReview(context, review.id));
}

/** A page of its items with both decisions; FAILED_PRECONDITION while somebody may still answer without knowing the first. */
export async function readCompared(
  context: Context,
  reviewId: string,
  onlyDisagreements: boolean,
  after: number,
  limit: number,
): Promise<ComparedRow[]> {
  const row = await readSecondReview(context, reviewId);
  if (row.state !== 'ENDED') {
    throw new AppError(
      'FAILED_PRECONDITION',
      'The second review is under way, and is blind until it is over. End it, or wait for its last answer.',
    );
  }
  return listCompared(context, reviewId, onlyDisagreements, after, limit);
}

/** A page of the second reviews under way that ask the caller. */
export function readAsked(context: Context, after: string, limit: number): Promise<AskedRow[]> {
  return listAsked(context, after, limit);
}

/** Returns the error for callers not asked in a second review, and where there is none. */
export function noSuchSecondReview(): AppError {
  return new AppError('NOT_FOUND', 'There is no second review with this id that asks you.');
}

/** A page of what the caller is asked in a second review; NOT_FOUND for whoever is not. */
export async function readQuestions(context: Context, reviewId: string, after: number, limit: number): Promise<QuestionRow[]> {
  const row = await findSecondReview(context, reviewId);
  if (row === undefined || !row.reviewerIds.includes(context.actor.userId)) {
    throw noSuchSecondReview();
  }
  return listQuestions(context, reviewId, after, limit);
}
