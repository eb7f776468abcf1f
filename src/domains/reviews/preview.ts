/**
 * What a review would ask and of whom, counted on a snapshot that is thrown away: the same statements as prepare, so that they agree.
 */
import { AppError, invalidField } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { findSnapshotAccuracy, flaggedSources } from './accuracy.ts';
import { nameStage, stageOf } from './changeable.ts';
import { conditionsOf, withThrowawaySnapshot } from './freeze.ts';
import { requireReview } from './permit.ts';
import { planConditions } from './plan-conditions.ts';
import { findComparable } from './before.ts';
import type { ReviewRow, SourceAccuracy } from './store.ts';
import { getItemConditions } from './store-frozen-places.ts';
import { asksChangesOnly } from './scope-lists.ts';
import { listScopeEntries } from './store-scope-lists.ts';
import { findPredecessorId } from './store-predecessor.ts';
import { countPreview, type PreviewCounts, sampleItems } from './store-preview.ts';
import { listSampleItems, type SampleItem } from './store-sample.ts';
import { countDifference, type DifferenceCounts } from './store-difference.ts';
import { listAccountErrors, type NotedError } from './store-verdicts.ts';
import { listSelections, type SelectionRow } from './store-selections.ts';

/** Failures of expressions that a preview shows. */
const mostErrors = 10;

/** What a review would ask, and how that differs from the review before it. */
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
  return withThrowawaySnapshot(context, review, async (inside, { items, plans }) => {
    const { moment } = conditionsOf(inside, review, items);
    const conditions = getItemConditions(inside.tenantId, items.id, planConditions(inside, plans, moment).items);
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
    const expressionErrors = await listAccountErrors(inside, items.id, mostErrors);
    return { ...counts, review, samples, difference, staleSources, expressionErrors };
  });
}

/** A page of the items of a prepared review. FAILED_PRECONDITION while there are none: a draft, or one that is being prepared. */
export async function readSelections(context: Context, id: string, after: string, limit: number): Promise<SelectionRow[]> {
  const review = await requireReview(context, id, 'read');
  if (review.state === 'DRAFT' || review.state === 'PREPARING') {
    throw new AppError('FAILED_PRECONDITION', `The review is ${nameStage(stageOf(review))}: it has selections only after it is prepared.`);
  }
  return listSelections(context, id, after, limit);
}
