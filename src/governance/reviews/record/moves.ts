/**
 * Effect of prepare, start, close, reset, remind and acknowledge in each stage: the table of the life of a review, total over both. Nothing here
 * writes.
 */
import { AppError } from '../../../errors.ts';
import { nameStage, type Stage } from './changeable.ts';

/** An action on a review. */
export type Move = 'prepare' | 'start' | 'close' | 'reset' | 'remind' | 'acknowledge';

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
  remind: {
    DRAFT: 'refuse',
    PREPARING: 'refuse',
    REVIEW: 'refuse',
    PENDING: 'refuse',
    STARTING: 'refuse',
    OPEN: 'do',
    CLOSING: 'refuse',
    CLOSED: 'refuse',
    DELETED: 'refuse',
  },
  acknowledge: {
    DRAFT: 'refuse',
    PREPARING: 'refuse',
    REVIEW: 'refuse',
    PENDING: 'refuse',
    STARTING: 'refuse',
    OPEN: 'do',
    CLOSING: 'refuse',
    // If somebody did; acknowledge.ts refuses the rest.
    CLOSED: 'already',
    DELETED: 'refuse',
  },
};

/** True if the action would be carried out in a stage. */
export function isPossible(move: Move, stage: Stage): boolean {
  return verdicts[move][stage] === 'do';
}

/** Words for each action a review refuses. */
const verbs: Readonly<Record<Move, string>> = {
  prepare: 'prepare',
  start: 'start',
  close: 'close',
  reset: 'reset',
  remind: 'remind anybody',
  acknowledge: 'be acknowledged',
};

/** Names what is possible in a stage. */
export function namePossible(stage: Stage): string {
  const moves = (Object.keys(verdicts) as Move[]).filter((move) => verdicts[move][stage] === 'do');
  return moves.length === 0 ? 'No other move is possible from there' : `Possible from there: ${moves.join(', ')}`;
}

/** Decides if the action is to be carried out; FAILED_PRECONDITION, naming the stage and what is possible, where it is refused. */
export function judgeMove(move: Move, stage: Stage): 'do' | 'already' {
  const verdict = verdicts[move][stage];
  if (verdict === 'refuse') {
    throw new AppError('FAILED_PRECONDITION', `The review is ${nameStage(stage)}: it cannot ${verbs[move]}. ${namePossible(stage)}.`);
  }
  return verdict;
}
