/** Counts what became of what a review denied. */
import type { Context } from '../../context.ts';
import { openStates, provenStates, type RevocationState } from './record/index.ts';
import { countRemovalStates } from './store-outcomes.ts';

/** The denied items of a review by what is known of their removals. */
export interface RemovalCounts {
  /** Refused and withdrawn ones, too; not those whose denial was taken back. */
  readonly total: number;
  /** Denied, and not requested yet. */
  readonly held: number;
  /** Requested and neither proven, refused nor withdrawn. */
  readonly open: number;
  readonly overdue: number;
  /** By a sync, a push or two people. */
  readonly proven: number;
  /** The denial was taken back, or there was nothing left to remove the access from. */
  readonly withdrawn: number;
}

/** Counts the removals of a review, whoever asks: who may know of the review is for the caller. */
export async function countRemovals(context: Context, reviewId: string): Promise<RemovalCounts> {
  const counts = await countRemovalStates(context, reviewId);
  const sum = (states: readonly RevocationState[], of: 'items' | 'late' = 'items'): number =>
    counts.reduce((found, row) => found + (states.includes(row.state) ? row[of] : 0), 0);
  return {
    total: counts.reduce((found, { items }) => found + items, 0),
    held: sum(['HELD']),
    open: sum(openStates),
    overdue: sum(openStates, 'late'),
    proven: sum(provenStates),
    withdrawn: sum(['CANCELLED']),
  };
}
