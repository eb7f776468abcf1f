/**
 * Taking the snapshot of a review: the one that preview counts and throws away, and the one that prepare keeps. What is frozen, and what is
 * refused, is in the files freeze-*.ts.
 */
import { AppError, isAppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { findRevision } from '../ledger/index.ts';
import type { Plans } from '../policies/index.ts';
import { assignTasks, insertTaskReview, keepRoutes } from '../tasks/index.ts';
import { newId } from '../../wire/ids.ts';
import { checkConditions, freezeConditions, needsRows, type SnapshotOfConditions } from './freeze-conditions.ts';
import { freezePeople } from './freeze-people.ts';
import { freezePolicies } from './freeze-policies.ts';
import { checkScope, type ChosenScope, freezeConflicts, freezeEntitlements, refuseSnapshot } from './freeze-scope.ts';
import type { ReviewRow } from './store.ts';
import { getGrantCondition, getProfileCondition } from './store-filters.ts';
import { setOneMoment } from './store-freeze.ts';
import { hasItems, type SnapshotItems } from './store-items.ts';

/** What a snapshot was taken of. */
export interface Snapshot {
  readonly chosen: ChosenScope;
  readonly items: SnapshotItems;
  readonly plans: Plans;
  readonly fallbacks: number;
  readonly unassigned: number;
}

/** Where a snapshot is kept and of what it is: the id of its rows, and the revision of the inventory. */
export interface SnapshotPlace {
  readonly id: string;
  readonly revision: number;
}

/** The items of a snapshot of what was chosen, taken at a moment. Still where nobody else changes the inventory meanwhile. */
export function itemsOf(
  context: Context,
  { id, revision }: SnapshotPlace,
  chosen: ChosenScope,
  takenAt: Date,
  isStill: boolean,
): SnapshotItems {
  return {
    id,
    revision,
    isStill,
    ofGrant: getGrantCondition(context, id, chosen.filters.grants, takenAt),
    ofEntitlement: getProfileCondition(chosen.filters.profiles),
    ofConflicts: chosen.what.scopeType === 'BY_ACCESS_CONFLICTS',
    hasLinks: chosen.filters.principals !== 'ACCOUNTS',
    hasCarriers: chosen.what.scopeType === 'BY_INHERITANCE',
    excludedGrants: chosen.entries.filter((entry) => entry.kind === 'GRANT').map((entry) => `${entry.accountId}/${entry.entitlementId}`),
    listedGrants: chosen.entries.filter((entry) => entry.list === 'GRANT').map((entry) => `${entry.accountId}/${entry.entitlementId}`),
  };
}

/** What freezing the conditions of a review needs to know, while its snapshot is taken. */
export function conditionsOf(context: Context, { createdById }: ReviewRow, items: SnapshotItems): SnapshotOfConditions {
  return { id: items.id, items, moment: { createdById, takenAt: context.now } };
}

class ThrownAway extends Error {}

/**
 * Does `work` in a transaction that is rolled back. All its statements see the database at one moment, so it waits for nobody who changes the
 * inventory. INTERNAL inside an open transaction, where nothing could be thrown away.
 */
async function thrownAway<T>(context: Context, work: (inside: Context, passing: SnapshotPlace) => Promise<T>): Promise<T> {
  if (context.db.inTransaction) {
    throw new AppError('INTERNAL', 'Something went wrong on our side.', {
      detail: 'a snapshot to be thrown away needs its own transaction',
    });
  }
  const results: T[] = [];
  try {
    await context.db.transaction(async (db) => {
      const inside = { ...context, db };
      await setOneMoment(inside);
      results.push(await work(inside, { id: newId(context.now), revision: await findRevision(inside) }));
      throw new ThrownAway();
    });
  } catch (error) {
    if (!(error instanceof ThrownAway)) {
      throw error;
    }
  }
  return results[results.length - 1] as T;
}

/** Takes a snapshot, works on it, and throws it away: whatever is read is what prepare would make of the review now. */
export function withThrowawaySnapshot<T>(
  context: Context,
  review: ReviewRow,
  work: (context: Context, snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return thrownAway(context, async (inside, passing) => work(inside, await freezeReview(inside, review, passing)));
}

/**
 * Refuses what prepare would refuse now: FAILED_PRECONDITION with the reasons. Nobody is looked for who could review, and all accounts are
 * frozen only where none of a sample has an item, or where it depends on how many there are: most requests cost nothing that grows with them.
 */
export async function checkPreparable(context: Context, review: ReviewRow): Promise<void> {
  const check = (which: 'all' | 'sample') =>
    thrownAway(context, async (inside, passing) => {
      const { isEmpty, items } = await freezeItems(inside, review, passing, which);
      const plans = await freezePolicies(inside, passing.id);
      const of = conditionsOf(inside, review, items);
      const isEnough = which === 'all' || (!isEmpty && !needsRows(inside, plans, of.moment));
      if (which === 'all') {
        await checkConditions(inside, of, plans);
      }
      return { isEmpty, isEnough };
    });
  const sample = await check('sample');
  const { isEmpty } = sample.isEnough ? sample : await check('all');
  if (isEmpty) {
    refuseEmpty();
  }
}

const nothingInScope = 'no access is in scope: the filters exclude everything';

function refuseEmpty(): void {
  refuseSnapshot([{ field: 'accessReview', description: nothingInScope }]);
}

/** Whether a snapshot was refused for this alone: nothing is in scope. */
export function isEmptyScope(error: unknown): boolean {
  return isAppError(error, 'FAILED_PRECONDITION') && error.violations?.length === 1 && error.violations[0]?.description === nothingInScope;
}

/** Freezes entitlements, people and accounts, and says whether anything is in scope. */
async function freezeItems(
  context: Context,
  review: ReviewRow,
  place: SnapshotPlace,
  which: 'all' | 'sample',
): Promise<{ chosen: ChosenScope; items: SnapshotItems; isEmpty: boolean }> {
  const chosen = await checkScope(context, review);
  await freezeEntitlements(context, place.id, review, chosen);
  await freezeConflicts(context, place.id, chosen);
  await freezePeople(context, place.id, chosen, which);
  const items = itemsOf(context, place, chosen, context.now, true);
  return { chosen, items, isEmpty: !(await hasItems(context, items)) };
}

/**
 * Takes the snapshot of `review` under the id `of.id` (its own, or one that is thrown away with the transaction), and finds the reviewers.
 * The caller holds the inventory still at `of.revision`, or sees one moment of it. FAILED_PRECONDITION where nothing is in scope.
 */
export async function freezeReview(context: Context, review: ReviewRow, of: SnapshotPlace): Promise<Snapshot> {
  const { isEmpty, ...frozen } = await freezeItems(context, review, of, 'all');
  if (isEmpty) {
    refuseEmpty();
  }
  await insertTaskReview(context, of.id, review.ownerIds);
  const plans = await freezePolicies(context, of.id);
  await freezeConditions(context, conditionsOf(context, review, frozen.items), plans);
  await keepRoutes(context, of.id, plans);
  const { fallbacks, unassigned } = await assignTasks(context, of.id, plans, review.createdById);
  return { ...frozen, plans, fallbacks, unassigned };
}
