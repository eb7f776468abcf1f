/** Counts what became of what a review denied. */
import type { Context } from '../../context.ts';
import { countRevocations, openStates, provenStates } from './record/index.ts';

/** The removals of a review by what is known of them. */
export interface RemovalCounts {
  readonly total: number;
  /** Denied, and not requested yet. */
  readonly held: number;
  /** Requested and neither proven, refused nor withdrawn. */
  readonly open: number;
  readonly overdue: number;
  /** By a sync, a push or two people. */
  readonly proven: number;
}

/** Counts the removals of a review, whoever asks: who may know of the review is for the caller. */
export async function countRemovals(context: Context, reviewId: string): Promise<RemovalCounts> {
  const counts = await countRevocations(context, true, { reviewId });
  const sum = (states: readonly string[], of: 'total' | 'overdue' = 'total'): number =>
    counts.reduce((found, row) => found + (states.includes(row.state) ? row[of] : 0), 0);
  return {
    total: counts.reduce((found, row) => found + row.total, 0),
    held: sum(['HELD']),
    open: sum(openStates),
    overdue: sum(openStates, 'overdue'),
    proven: sum(provenStates),
  };
}
