/**
 * What prepare, start, close and reset do in each stage: the table of the life of a review, total over both. Nothing here writes.
 */
import { AppError } from '../../errors.ts';
import { nameStage, type Stage } from './changeable.ts';

/** An action on a review. */
export type Move = 'prepare' | 'start' | 'close' | 'reset';

/** Carry it out, answer that it is so already, or refuse. */
export type Verdict = 'do' | 'already' | 'refuse';

/** The verdict of every action in every stage. DELETED is unreachable: such a review is not found. */
const verdicts: Readonly<Record<Move, Readonly<Record<Stage, Verdict>>>> = {
  prepare: {
    DRAFT: 'do',
    PREPARING: 'already',
    REVIEW: 'refuse',
    PENDING: 'refuse',
    STARTING: 'refuse',
    OPEN: 'refuse',
    CLOSING: 'refuse',
    CLOSED: 'refuse',
    DELETED: 'refuse',
  },
  start: {
    DRAFT: 'refuse',
    PREPARING: 'refuse',
    REVIEW: 'do',
    PENDING: 'do',
    STARTING: 'already',
    OPEN: 'already',
    CLOSING: 'refuse',
    CLOSED: 'refuse',
    DELETED: 'refuse',
  },
  close: {
    DRAFT: 'refuse',
    PREPARING: 'refuse',
    REVIEW: 'refuse',
    PENDING: 'refuse',
    STARTING: 'refuse',
    OPEN: 'do',
    CLOSING: 'already',
    CLOSED: 'already',
    DELETED: 'refuse',
  },
  reset: {
    DRAFT: 'refuse',
    PREPARING: 'do',
    REVIEW: 'do',
    PENDING: 'do',
    STARTING: 'refuse',
    OPEN: 'refuse',
    CLOSING: 'refuse',
    CLOSED: 'refuse',
    DELETED: 'refuse',
  },
};

/** What is possible in a stage, in words. */
export function namePossible(stage: Stage): string {
  const moves = (Object.keys(verdicts) as Move[]).filter((move) => verdicts[move][stage] === 'do');
  return moves.length === 0 ? 'No other move is possible from there' : `Possible from there: ${moves.join(', ')}`;
}

/** Whether the action is to be carried out; FAILED_PRECONDITION, naming the stage and what is possible, where it is refused. */
export function judgeMove(move: Move, stage: Stage): 'do' | 'already' {
  const verdict = verdicts[move][stage];
  if (verdict === 'refuse') {
    throw new AppError('FAILED_PRECONDITION', `The review is ${nameStage(stage)}: it cannot ${move}. ${namePossible(stage)}.`);
  }
  return verdict;
}
