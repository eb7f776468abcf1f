/**
 * Questions a review would ask and of whom, counted over the inventory: by the same pieces of SQL as prepare, so that they agree. What little is frozen
 * for it is thrown away.
 */
import { AppError, invalidField } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { findSnapshotAccuracy, flaggedSources } from '../evidence/index.ts';
import { type ReviewRow, type SourceAccuracy, findPredecessorId, nameStage, requireReview, changeStage } from '../record/index.ts';
import {
  snapshotConditions,
  countDifference,
  type DifferenceCounts,
  getItemConditions,
  listFailures,
  listScopeEntries,
  type NotedError,
  planConditions,
  withThrownAway,
} from '../../snapshots/index.ts';
import { readReviewNow } from './take-snapshot.ts';
import { findComparable } from './before.ts';
import { asksChangesOnly } from './scope-lists.ts';
import { countPreview, type PreviewCounts, sampleItems } from './store-preview.ts';
import { listSampleItems, type SampleItem } from './store-sample.ts';
import { listSelections, type SelectionRow } from './store-selections.ts';

/** Questions a review would ask, and how they differ from the review before it. */
export interface Preview extends PreviewCounts {
  readonly review: ReviewRow;
  /** Sources of the apps in scope with something wrong about them. */
  readonly staleSources: readonly SourceAccuracy[];
  /** Accounts that an expression failed for, some of them. */
  readonly expressionErrors: readonly NotedError[];
  readonly samples: readonly SampleItem[];
  readonly difference: (DifferenceCounts & { readonly predecessorId: string }) | undefined;
}

/** Longest seed of samples, in UTF-16 code units. */
const maxSeed = 100;

/**
 * Counts by filter, by app and by reviewer, with what has no reviewer and ten items to look at; `seed` says which ten. FAILED_PRECONDITION where no
 * snapshot can be taken, INVALID_ARGUMENT for a seed of more than 100 characters.
 */
export async function previewReview(context: Context, id: string, seed = ''): Promise<Preview> {
  if (seed.length > maxSeed) {
    throw invalidField('sampleSeed', `must have at most ${maxSeed} characters, not ${seed.length}`);
  }
  const review = await requireReview(context, id, 'manage');
  return withThrownAway(context, async (inside, place) => {
    const { chosen, items, plans } = await readReviewNow(inside, review, place);
    const { moment } = snapshotConditions(inside, review, items);
    const conditions = getItemConditions(inside.tenantId, items.id, items.holders, planConditions(inside, plans, moment).items);
    const counts = await countPreview(inside, items, plans, conditions, seed);
    const samples = await listSampleItems(inside, items, { accountIds: counts.sampleIds, seed, limit: sampleItems });
    const predecessor = await findComparable(inside, await findPredecessorId(inside, review.id));
    const carries = asksChangesOnly(await listScopeEntries(inside, review.id));
    const counted = predecessor === undefined ? undefined : await countDifference(inside, items, predecessor);
    const difference =
      predecessor === undefined || counted === undefined
        ? undefined
        : { predecessorId: predecessor.id, ...counted, carried: carries ? counted.carried : 0 };
    const staleSources = flaggedSources(await findSnapshotAccuracy(inside, items.id));
    const expressionErrors = await listFailures(inside, items.holders, chosen.filters);
    return { ...counts, review, samples, difference, staleSources, expressionErrors };
  });
}

/** A page of the items of a prepared review. FAILED_PRECONDITION while there are none: a draft, or one that is being prepared. */
export async function readSelections(context: Context, id: string, after: string, limit: number): Promise<SelectionRow[]> {
  const review = await requireReview(context, id, 'read');
  if (review.state === 'DRAFT' || review.state === 'PREPARING') {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The review is ${nameStage(changeStage(review))}: it has selections only after it is prepared.`,
    );
  }
  return listSelections(context, id, after, limit);
}
