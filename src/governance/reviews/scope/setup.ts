/**
 * Choosing what a review looks at entitlement by entitlement and resource type by resource type. Both lists are replaced whole, while the
 * review is a draft; ids are stored as sent and checked at preview and prepare.
 */
import { isDeepStrictEqual } from 'node:util';
import type { FieldViolation } from '../../../errors.ts';
import { AppError } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { compareDocuments } from '../../../lib/compare-documents.ts';
import { asList, isJsonObject } from '../../../lib/json.ts';
import { asReadBy, recordEvent, refuseStale } from '../../../foundation/audit/index.ts';
import { findDefaultPolicy } from '../../policies/index.ts';
import {
  type ReviewRow,
  type ReviewSettings,
  readSettings,
  freshSchedule,
  listViolations,
  maxListLength,
  nameStage,
  refuseViolations,
  requireLockedReview,
  requireReview,
  changeStage,
  updateReview,
} from '../record/index.ts';
import { isShorter, listWiderInReview, refuseWider } from './narrow-scope.ts';
import {
  listSetupEntitlements,
  listSetupResourceTypes,
  listSetupRows,
  type Replaced,
  type SetupEntitlementRow,
  updateSetupEntitlements,
  updateSetupResourceTypes,
} from '../../snapshots/index.ts';

/** An entitlement as it is chosen. */
export interface ChosenEntitlement {
  readonly appId: string;
  readonly entitlementId: string;
}

/** A resource type as it is chosen. */
export interface ChosenResourceType {
  readonly appId: string;
  readonly resourceTypeId: string;
}

/** Choices made, with the scope beside them. */
export interface Setup {
  readonly review: ReviewRow;
  readonly list: SetupEntitlementRow[];
}

async function listSetup(
  context: Context,
  review: ReviewRow,
  after: readonly [string, string],
  limit: number,
): Promise<SetupEntitlementRow[]> {
  const policyId = review.document.policyId || (await findDefaultPolicy(context)).id;
  return listSetupEntitlements(
    context,
    review.id,
    { policyId, usePolicyOverride: review.document.usePolicyOverride === true },
    after,
    limit,
  );
}

/** The review and its chosen entitlements after these ids, up to `limit`; the whole list where no limit is given. */
export async function readSetup(
  context: Context,
  reviewId: string,
  after: readonly [string, string],
  limit = maxListLength,
): Promise<Setup> {
  const review = await requireReview(context, reviewId, 'read');
  return { review, list: await listSetup(context, review, after, limit) };
}

function listChosenViolations(length: number, field: string, empty: (index: number) => readonly string[]): FieldViolation[] {
  if (length > maxListLength) {
    return [{ field, description: `must have at most ${maxListLength} entries, not ${length}` }];
  }
  return Array.from({ length }).flatMap((_, index) =>
    empty(index).map((member) => ({ field: `${field}[${index}].${member}`, description: 'must not be empty' })),
  );
}

/** Lists faults of a list of chosen entitlements: too many, or members that are empty. */
export function listEntitlementViolations(chosen: readonly ChosenEntitlement[]): FieldViolation[] {
  return listChosenViolations(chosen.length, 'entitlements', (index) => [
    ...(chosen[index]?.appId === '' ? ['appId'] : []),
    ...(chosen[index]?.entitlementId === '' ? ['appEntitlementId'] : []),
  ]);
}

/** Lists faults of a list of chosen resource types: too many, or members that are empty. */
export function listResourceTypeViolations(chosen: readonly ChosenResourceType[]): FieldViolation[] {
  return listChosenViolations(chosen.length, 'resourceTypeSelections', (index) => [
    ...(chosen[index]?.appId === '' ? ['appId'] : []),
    ...(chosen[index]?.resourceTypeId === '' ? ['resourceTypeId'] : []),
  ]);
}

/** Refuses a change of a list that is no longer what the client read; `members` name an entry. */
async function refuseStaleList(
  context: Context,
  targetId: string,
  { name, members }: { readonly name: string; readonly members: readonly string[] },
  lists: readonly [before: readonly object[], after: readonly object[]],
): Promise<void> {
  const textsOf = (entry: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(members.map((member) => [member, String(entry[member] ?? '')]));
  const keep = (entries: readonly object[]) => ({ [name]: entries.map((entry) => textsOf({ ...entry })) });
  const before = keep(lists[0]);
  const { fields } = compareDocuments(before, keep(lists[1]));
  const read = asReadBy(context, (asRead) => keep(asList(asRead[name]).filter(isJsonObject)));
  await refuseStale(context, { targetId, kinds: ['review.scope_changed'], read, before, fields, isSet: true });
}

/** Replaces a list and the scope beside it, in one change: locks, compares, refuses outside DRAFT, counts the scope up, writes the event. */
export async function replaceSetup(
  context: Context,
  reviewId: string,
  scopeV2: ReviewSettings['scopeV2'],
  replace: (inside: Context) => Promise<Replaced>,
  what: string,
): Promise<ReviewRow> {
  const review = await requireLockedReview(context, reviewId);
  const document = scopeV2 === undefined ? review.document : readSettings({ ...review.document, scopeV2 });
  refuseViolations(listViolations(document, '').filter((violation) => violation.field.startsWith('scopeV2')));
  refuseWider(context.actor, listWiderInReview(review.document, document));
  const replaced = await replace(context);
  const scopeChanged = !isDeepStrictEqual(document.scopeV2, review.document.scopeV2);
  if (replaced.added + replaced.removed === 0 && !scopeChanged) {
    return review;
  }
  const stage = changeStage(review);
  if (stage !== 'DRAFT') {
    throw new AppError('FAILED_PRECONDITION', `The scope cannot be changed while the review is ${nameStage(stage)}; only a draft's can.`);
  }
  const scopingVersion = review.scopingVersion + 1;
  await updateReview(context, reviewId, { ...freshSchedule, document, scopingVersion, errorState: '' });
  await recordEvent(context, {
    kind: 'review.scope_changed',
    targetId: reviewId,
    data: { what, ...replaced, scopingVersion, ...(scopeChanged ? { scopeV2: document.scopeV2 ?? null } : {}) },
  });
  return { ...review, document, scopingVersion, updatedAt: context.now };
}

/**
 * Makes these the chosen entitlements of a draft, and `scopeV2` its scope where it is given; returns both. The same as before is allowed in any
 * state; anything else outside DRAFT is FAILED_PRECONDITION.
 */
export function setEntitlements(
  context: Context,
  reviewId: string,
  chosen: readonly ChosenEntitlement[],
  scopeV2: ReviewSettings['scopeV2'],
): Promise<Setup> {
  return inTransaction(context, async (inside) => {
    const violations = listEntitlementViolations(chosen);
    const review = await replaceSetup(
      inside,
      reviewId,
      scopeV2,
      async (locked) => {
        refuseViolations(violations);
        const before = (await listSetupRows(locked, reviewId)).entitlements.map(({ appId, entitlementId }) => ({ appId, entitlementId }));
        await refuseStaleList(locked, reviewId, { name: 'entitlements', members: ['appId', 'appEntitlementId'] }, [
          before.map(({ appId, entitlementId }) => ({ appId, appEntitlementId: entitlementId })),
          chosen.map(({ appId, entitlementId }) => ({ appId, appEntitlementId: entitlementId })),
        ]);
        refuseWider(locked.actor, isShorter(before, chosen) ? [] : ['entitlements']);
        return updateSetupEntitlements(locked, reviewId, chosen);
      },
      'entitlements',
    );
    return { review, list: await listSetup(inside, review, ['', ''], maxListLength) };
  });
}

/** Makes these the chosen resource types of a draft, and `scopeV2` its scope where it is given; refuses as `setEntitlements` does. */
export async function setResourceTypes(
  context: Context,
  reviewId: string,
  chosen: readonly ChosenResourceType[],
  scopeV2: ReviewSettings['scopeV2'],
): Promise<void> {
  const violations = listResourceTypeViolations(chosen);
  await inTransaction(context, (inside) =>
    replaceSetup(
      inside,
      reviewId,
      scopeV2,
      async (locked) => {
        refuseViolations(violations);
        const before = await listSetupResourceTypes(locked, reviewId);
        await refuseStaleList(locked, reviewId, { name: 'resourceTypeSelections', members: ['appId', 'resourceTypeId'] }, [before, chosen]);
        refuseWider(locked.actor, isShorter(before, chosen) ? [] : ['resourceTypeSelections']);
        return updateSetupResourceTypes(locked, reviewId, chosen);
      },
      'resourceTypes',
    ),
  );
}
