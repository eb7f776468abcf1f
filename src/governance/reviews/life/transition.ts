/**
 * Moving a review to a state that an update asks for by naming `state` in its mask. Each transition itself is a rule of its own.
 */
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { type Move, type ReviewRow, type ReviewState, judgeMove, nameStage, changeStage } from '../record/index.ts';
import { beginClose } from './close.ts';
import { checkScope } from '../scope/index.ts';
import { beginPrepare } from './prepare.ts';
import { resetReview } from './reset.ts';
import { beginStart } from './start.ts';

/** The action that leads towards a state. */
const moveTo: Readonly<Partial<Record<ReviewState, Move>>> = {
  PREPARING: 'prepare',
  REVIEW: 'prepare',
  STARTING: 'start',
  OPEN: 'start',
  CLOSED: 'close',
  DRAFT: 'reset',
};

/**
 * Carries out the transition to `state` in the open transaction; the review is locked, and the caller may manage it. Asking for the state
 * it is in is allowed and does nothing. PREPARING and REVIEW ask for a prepare, STARTING and OPEN for a start, CLOSED for a close, DRAFT for a
 * reset. FAILED_PRECONDITION, naming the state it is in, where it cannot be had from there.
 */
export async function requestTransition(context: Context, review: ReviewRow, state: ReviewState): Promise<void> {
  if (state === review.state) {
    return;
  }
  const move = moveTo[state];
  if (move === undefined) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The review is ${nameStage(changeStage(review))} and cannot become ACCESS_REVIEW_STATE_${state} by an update.`,
      {
        violations: [
          { field: 'accessReview.state', description: `cannot become ACCESS_REVIEW_STATE_${state} from ${nameStage(changeStage(review))}` },
        ],
      },
    );
  }
  if (judgeMove(move, changeStage(review)) === 'already') {
    return;
  }
  switch (move) {
    case 'prepare':
      await checkScope(context, review);
      await beginPrepare(context, review.id);
      return;
    case 'start':
      return beginStart(context, review);
    case 'close':
      return beginClose(context, review, '');
    case 'reset':
      await resetReview(context, review.id);
  }
}
