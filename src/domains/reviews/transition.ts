/**
 * Moving a review to a state that an update asks for by naming `state` in its mask. Each transition itself is a rule of its own.
 */
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { nameStage, stageOf } from './changeable.ts';
import type { ReviewRow, ReviewState } from './store.ts';

/**
 * Carries out the transition to `state` in the open transaction; the review is locked, and the caller may manage it. Asking for the state
 * it is in is fine and does nothing. FAILED_PRECONDITION, naming the state it is in, where it cannot be had from there.
 */
export async function requestTransition(_scope: Scope, review: ReviewRow, state: ReviewState): Promise<void> {
  if (state === review.state) {
    return;
  }
  throw new AppError(
    'FAILED_PRECONDITION',
    `The review is ${nameStage(stageOf(review))} and cannot become ACCESS_REVIEW_STATE_${state} by an update.`,
    {
      violations: [
        { field: 'accessReview.state', description: `cannot become ACCESS_REVIEW_STATE_${state} from ${nameStage(stageOf(review))}` },
      ],
    },
  );
}
