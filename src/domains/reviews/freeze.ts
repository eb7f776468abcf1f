/**
 * Checking what a review chooses and freezing it: the snapshot that preview counts and throws away, and that prepare keeps. Everything that
 * can be wrong with a choice is refused here, with all reasons at once.
 */
import type { JsonValue } from '@bufbuild/protobuf';
import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, type FieldViolation } from '../../errors.ts';
import type { Sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { lockRevision } from '../ledger/index.ts';
import { certifySteps, certifyType, ensureBuiltinPolicy, unsupportedSteps } from '../policies/index.ts';
import { assignTasks, insertTaskReview } from '../tasks/index.ts';
import { newId } from '../../wire/ids.ts';
import { textOf } from './document.ts';
import { readScope, type ReviewScope } from './scope.ts';
import type { ReviewRow } from './store.ts';
import {
  countSetup,
  getGrantCondition,
  hasItems,
  insertSnapshotAccounts,
  insertSnapshotEntitlements,
  insertSnapshotPolicies,
  listSnapshotPolicies,
  listUnknownChoices,
  listUnknownIds,
} from './store-prepare.ts';

/** What a snapshot was taken of. */
export interface Snapshot {
  readonly revision: number;
  readonly chosen: ReviewScope;
  readonly fallbacks: number;
  readonly unassigned: number;
}

function refuse(violations: readonly FieldViolation[]): void {
  if (violations.length > 0) {
    const message = violations
      .map((violation) => `${violation.field}: ${violation.description}`)
      .slice(0, 5)
      .join('; ');
    throw new AppError('FAILED_PRECONDITION', `No snapshot can be taken of this review: ${message}.`, { violations });
  }
}

/** The path of the field of the review that holds this id; the review itself where it was chosen elsewhere. */
function placeOf(value: JsonValue | undefined, id: string, path = 'accessReview'): string {
  if (typeof value !== 'object' || value === null) {
    return value === id ? path : 'accessReview';
  }
  for (const [key, inner] of Object.entries(value)) {
    const place = placeOf(inner, id, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
    if (place !== 'accessReview') {
      return place;
    }
  }
  return 'accessReview';
}

/** What the review chooses; FAILED_PRECONDITION with everything that keeps a snapshot from being taken of it. */
export async function checkScope(context: Context, review: ReviewRow): Promise<ReviewScope> {
  const { scope: chosen, violations } = readScope(review.document, await countSetup(context, review.id));
  const found = [...violations];
  for (const id of await listUnknownIds(context, 'apps', chosen.appIds)) {
    found.push({ field: placeOf(review.document, id), description: `there is no app ${id}` });
  }
  for (const [kind, ids] of [
    ['users', chosen.userIds],
    ['users', chosen.managerIds],
  ] as const) {
    for (const id of await listUnknownIds(context, kind, ids ?? [])) {
      found.push({ field: placeOf(review.document, id), description: `there is no person ${id}` });
    }
  }
  for (const one of await listUnknownChoices(context, review.id, chosen)) {
    found.push({ field: placeOf(review.document, one.id), description: `app ${one.appId} has no ${one.kind} ${one.id}` });
  }
  refuse(found);
  return chosen;
}

/** The condition on grants of a choice at a moment. */
export function conditionOf(context: Context, chosen: ReviewScope, at: Date = context.now): Sql {
  return getGrantCondition(context, chosen.grants, at);
}

/** Freezes the policies that the frozen entitlements name and returns them; FAILED_PRECONDITION where one cannot be carried out. */
async function freezePolicies(context: Context, reviewId: string): Promise<{ id: string; document: JsonObject }[]> {
  await insertSnapshotPolicies(context, reviewId);
  const violations: FieldViolation[] = [];
  const policies = await listSnapshotPolicies(context, reviewId);
  for (const policy of policies) {
    const say = (description: string) => violations.push({ field: 'accessReview.policyId', description });
    if (policy.document === null || policy.deleted) {
      say(`there is no policy ${policy.id}`);
    } else if (policy.policyType !== certifyType) {
      say(`policy ${policy.id} is of type ${policy.policyType}, and a review needs ${certifyType}`);
    } else {
      for (const what of unsupportedSteps(policy.document)) {
        say(`policy ${policy.id} is not supported: ${what}`);
      }
      if (certifySteps(policy.document)[0]?.approval === undefined) {
        say(`policy ${policy.id} does not begin with an approval, so it has no reviewers`);
      }
    }
  }
  refuse(violations);
  return policies.map(({ id, document }) => ({ id, document: document ?? {} }));
}

/** What a review chooses, without looking anything up: only for one that was checked. */
export function chosenBy(review: ReviewRow): ReviewScope {
  return readScope(review.document, { entitlements: 1, resourceTypes: 1 }).scope;
}

class ThrownAway extends Error {}

/** Does `work` in a transaction that is rolled back, with the id of a snapshot that will never have been. */
async function thrownAway<T>(context: Context, work: (inside: Context, snapshotId: string) => Promise<T>): Promise<T> {
  const results: T[] = [];
  try {
    await context.db.transaction(async (db) => {
      results.push(await work({ ...context, db }, newId(context.now)));
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
  work: (context: Context, snapshotId: string, snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return thrownAway(context, async (inside, snapshotId) => work(inside, snapshotId, await freezeReview(inside, review, snapshotId)));
}

/**
 * Refuses what prepare would refuse now: FAILED_PRECONDITION with the reasons. Nobody is looked for who could review, and all accounts are
 * frozen only where none of a sample has an item: most requests cost nothing that grows with the accounts.
 */
export async function checkPreparable(context: Context, review: ReviewRow): Promise<void> {
  const check = (which: 'all' | 'sample') =>
    thrownAway(context, async (inside, snapshotId) => {
      const { isEmpty } = await freezeItems(inside, review, snapshotId, which);
      await freezePolicies(inside, snapshotId);
      return !isEmpty;
    });
  if (!(await check('sample')) && !(await check('all'))) {
    refuseEmpty();
  }
}

function refuseEmpty(): void {
  refuse([{ field: 'accessReview', description: 'no access is in scope: the filters exclude everything' }]);
}

/** Freezes entitlements and accounts, and says whether anything is in scope. */
async function freezeItems(
  context: Context,
  review: ReviewRow,
  snapshotId: string,
  which: 'all' | 'sample',
): Promise<{ revision: number; chosen: ReviewScope; isEmpty: boolean }> {
  const revision = await lockRevision(context);
  const chosen = await checkScope(context, review);
  const policyId = textOf(review.document, 'policyId') || (await ensureBuiltinPolicy(context)).id;
  await insertSnapshotEntitlements(context, snapshotId, review.id, chosen, {
    policyId,
    usePolicyOverride: review.document.usePolicyOverride === true,
  });
  await insertSnapshotAccounts(context, snapshotId, chosen, which);
  const isEmpty = !(await hasItems(context, { reviewId: snapshotId, revision, condition: conditionOf(context, chosen) }));
  return { revision, chosen, isEmpty };
}

/**
 * Takes the snapshot of `review` under the id `snapshotId` (its own, or one that is thrown away with the transaction), and finds the
 * reviewers. The inventory is held still until the transaction ends. FAILED_PRECONDITION where nothing is in scope.
 */
export async function freezeReview(context: Context, review: ReviewRow, snapshotId: string): Promise<Snapshot> {
  const { isEmpty, ...items } = await freezeItems(context, review, snapshotId, 'all');
  if (isEmpty) {
    refuseEmpty();
  }
  await insertTaskReview(context, snapshotId, review.ownerIds);
  const totals = { fallbacks: 0, unassigned: 0 };
  for (const policy of await freezePolicies(context, snapshotId)) {
    const counts = await assignTasks(context, snapshotId, policy);
    totals.fallbacks += counts.fallbacks;
    totals.unassigned += counts.unassigned;
  }
  return { ...items, ...totals };
}
