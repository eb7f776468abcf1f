/** Ending a second review, manually or with its last answer: what it came to is an event, and stands in the summary of the review if that is closed. */
import { AppError } from '../../errors.ts';
import { type Context, inTransaction } from '../../context.ts';
import { wilson } from '../../lib/shares/wilson.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { noteSecondReview, requireLockedReview } from '../reviews/index.ts';
import { findSecondReview, lockSecondReview, type SecondReviewRow, updateSecondReviewEnded } from './store.ts';

/** Rate at which the second decision was another one; bounds with 95 % confidence. Shares are of 1. */
export interface SecondReviewFigures {
  readonly rate: number;
  readonly lower: number;
  readonly upper: number;
}

/** The figures of what was answered. */
export function secondReviewFigures({ answered, disagreements }: Pick<SecondReviewRow, 'answered' | 'disagreements'>): SecondReviewFigures {
  return { rate: answered === 0 ? 0 : disagreements / answered, ...wilson(disagreements, answered) };
}

/** Ends a second review that is locked and open, in the open transaction. */
export async function endLocked(context: Context, reviewId: string): Promise<void> {
  await updateSecondReviewEnded(context, reviewId);
  const row = (await findSecondReview(context, reviewId)) as SecondReviewRow;
  await noteSecondReview(context, reviewId);
  const { items, answered, disagreements } = row;
  await recordEvent(context, {
    kind: 'second_review.ended',
    targetId: reviewId,
    // Shares follow from these; events hold whole numbers alone.
    data: { items, answered, disagreements },
  });
}

/** Ends the second review of a review; harmless where it is over. NOT_FOUND where there is none. */
export function endSecondReview(context: Context, reviewId: string): Promise<SecondReviewRow> {
  return inTransaction(context, async (inside) => {
    await requireLockedReview(inside, reviewId);
    const state = await lockSecondReview(inside, reviewId);
    if (state === 'OPEN') {
      await endLocked(inside, reviewId);
    }
    return requireRow(await findSecondReview(inside, reviewId));
  });
}

/** The row; NOT_FOUND for none. */
export function requireRow(row: SecondReviewRow | undefined): SecondReviewRow {
  if (row === undefined) {
    throw new AppError('NOT_FOUND', 'This access review has no second review: draw one first.');
  }
  return row;
}
