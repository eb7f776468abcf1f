/**
 * Taking the snapshot of a review and finding whom it asks: the one that preview counts and throws away, and the one that prepare keeps.
 */
import type { Context } from '../../../context.ts';
import type { Plans } from '../../policies/index.ts';
import { assignTasks, getDecidedSinceSql, insertTaskReview, keepRoutes } from '../../tasks/index.ts';
import { checkScope } from './choose-scope.ts';
import type { ReviewRow } from '../record/index.ts';
import {
  checkConditions,
  type ChosenScope,
  snapshotConditions,
  evaluateOnce,
  explainEmpty,
  hasFailed,
  freezeConditions,
  freezePolicies,
  freezeScope,
  needsRows,
  readScopeNow,
  refuseEmpty,
  type ReviewToFreeze,
  type SnapshotItems,
  type SnapshotPlace,
  withThrownAway,
} from '../../snapshots/index.ts';

/** Objects a snapshot was taken of. */
export interface Snapshot {
  readonly chosen: ChosenScope;
  readonly items: SnapshotItems;
  readonly plans: Plans;
  readonly fallbacks: number;
  readonly unassigned: number;
}

/** Returns what freezing needs of a review. */
export const toFreeze = ({ tenantId }: Context, { id, createdById, document }: ReviewRow): ReviewToFreeze => ({
  id,
  createdById,
  policyId: document.policyId ?? '',
  usePolicyOverride: document.usePolicyOverride === true,
  getDecidedSince: (appIds, since) => getDecidedSinceSql(tenantId, appIds, since),
});

/**
 * Takes a snapshot, works on it, and throws it away: whatever is read is what prepare would make of the review now.
 *
 * @internal
 */
export function withThrowawaySnapshot<T>(
  context: Context,
  review: ReviewRow,
  work: (context: Context, snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return withThrownAway(context, async (inside, passing) => work(inside, await freezeReview(inside, review, passing)));
}

/**
 * Refuses what prepare would refuse now: FAILED_PRECONDITION with the reasons. Nobody is looked for who could review, and all accounts are
 * frozen only where none of a sample has an item, or where it depends on how many there are: most requests cost nothing that grows with them.
 */
export async function checkPreparable(context: Context, review: ReviewRow): Promise<void> {
  const check = (which: 'all' | 'sample') =>
    withThrownAway(context, async (inside, passing) => {
      const chosen = await checkScope(inside, review);
      const { isEmpty, items } = await freezeScope(inside, toFreeze(inside, review), passing, chosen, which);
      const plans = await freezePolicies(inside, passing.id);
      const of = snapshotConditions(inside, review, items);
      const isEnough = which === 'all' || (!isEmpty && !needsRows(inside, plans, of.moment));
      if (which === 'all') {
        await checkConditions(inside, of, plans);
      }
      return { isEmpty, isEnough, why: isEmpty && which === 'all' ? await explainEmpty(inside, items, chosen) : '' };
    });
  const sample = await check('sample');
  const { isEmpty, why } = sample.isEnough ? sample : await check('all');
  if (isEmpty) {
    refuseEmpty(why);
  }
}

/**
 * Takes the snapshot of `review` under the id `place.id` (its own, or one that is thrown away with the transaction), and finds the reviewers.
 * The caller holds the inventory still at `place.revision`, or sees one moment of it. FAILED_PRECONDITION where nothing is in scope.
 */
export async function freezeReview(context: Context, review: ReviewRow, place: SnapshotPlace): Promise<Snapshot> {
  const chosen = await checkScope(context, review);
  const { isEmpty, items } = await freezeScope(context, toFreeze(context, review), place, chosen, 'all');
  if (isEmpty) {
    refuseEmpty(await explainEmpty(context, items, chosen));
  }
  await insertTaskReview(context, place.id, review.ownerIds);
  const plans = await freezePolicies(context, place.id);
  await freezeConditions(context, snapshotConditions(context, review, items), plans);
  return assignSnapshot(context, review, { chosen, items, plans });
}

/** Finds the reviewers of a snapshot that was taken or read. */
async function assignSnapshot(
  context: Context,
  { createdById }: ReviewRow,
  snapshot: Pick<Snapshot, 'chosen' | 'items' | 'plans'>,
): Promise<Snapshot> {
  const { items, plans } = snapshot;
  await keepRoutes(context, items.id, plans);
  const { fallbacks, unassigned } = await assignTasks(context, { id: items.id, createdById, accounts: items.holders.getAccounts() }, plans);
  return { ...snapshot, fallbacks, unassigned };
}

/** Refuses a scope without items, unless an expression failed: what it failed for and why is to be seen. */
async function refuseUnlessFailed(context: Context, items: SnapshotItems, chosen: ChosenScope): Promise<void> {
  if (!(await hasFailed(context, items, chosen))) {
    refuseEmpty(await explainEmpty(context, items, chosen));
  }
}

/**
 * Reads what `freezeReview` would take now, in a transaction that is thrown away; nothing where an expression fails for everybody. People and accounts are read from the inventory and not frozen,
 * unless a condition of a policy or a first step is evaluated for one row after the other.
 */
export async function readReviewNow(context: Context, review: ReviewRow, place: SnapshotPlace): Promise<Snapshot> {
  const chosen = await checkScope(context, review);
  const now = await readScopeNow(context, toFreeze(context, review), place, chosen);
  if (now.isEmpty) {
    await refuseUnlessFailed(context, now.items, chosen);
  }
  await insertTaskReview(context, place.id, review.ownerIds);
  const plans = await freezePolicies(context, place.id);
  const of = snapshotConditions(context, review, now.items);
  if (!needsRows(context, plans, of.moment)) {
    return assignSnapshot(context, review, { chosen, items: now.getItems(await evaluateOnce(context, of, plans)), plans });
  }
  const items = await now.freezePeople();
  await freezeConditions(context, snapshotConditions(context, review, items), plans);
  return assignSnapshot(context, review, { chosen, items, plans });
}
