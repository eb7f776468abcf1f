/**
 * What a review would ask and of whom, counted on a snapshot that is thrown away: the same statements as prepare, so that they agree.
 */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { nameStage, stageOf } from './changeable.ts';
import { conditionOf, withThrowawaySnapshot } from './freeze.ts';
import { requireReview } from './permit.ts';
import { countPreview, type PreviewCounts } from './store-prepare.ts';
import { listSelections, type SelectionRow } from './store-selections.ts';

/** Counts by app and by reviewer, with what has no reviewer. FAILED_PRECONDITION where no snapshot can be taken. */
export async function previewReview(context: Context, id: string): Promise<PreviewCounts> {
  const review = await requireReview(context, id, 'manage');
  return withThrowawaySnapshot(context, review, (inside, snapshotId, snapshot) =>
    countPreview(inside, { reviewId: snapshotId, revision: snapshot.revision, condition: conditionOf(inside, snapshot.chosen) }),
  );
}

/** A page of the items of a prepared review. FAILED_PRECONDITION while there are none: a draft, or one that is being prepared. */
export async function readSelections(context: Context, id: string, after: string, limit: number): Promise<SelectionRow[]> {
  const review = await requireReview(context, id, 'read');
  if (review.state === 'DRAFT' || review.state === 'PREPARING') {
    throw new AppError('FAILED_PRECONDITION', `The review is ${nameStage(stageOf(review))}: it has selections only after it is prepared.`);
  }
  return listSelections(context, id, after, limit);
}
