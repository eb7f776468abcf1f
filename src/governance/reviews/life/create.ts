/**
 * Making a review, from nothing or as a copy of another.
 */
import { inTransaction, type Context } from '../../../context.ts';
import type { AccessReviewServiceCreateRequestJson } from '../../../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { nameStanding } from '../../../inventory/catalog/index.ts';
import { findDefaultPolicy } from '../../policies/index.ts';
import {
  type MemberGroup,
  type ReviewSettings,
  type ReviewRow,
  readSettings,
  findReview,
  pickMembers,
  insertReview,
  listOwnerViolations,
  listViolations,
  noSuchReview,
  refuseViolations,
  requireReview,
  updateOwners,
} from '../record/index.ts';
import {
  insertScopeEntriesCopy,
  insertSetupCopy,
  updateSetupEntitlements,
  updateSetupResourceTypes,
  updateStandingIds,
} from '../../snapshots/index.ts';
import { type ChosenEntitlement, type ChosenResourceType, mayExempt, withoutExemption } from '../scope/index.ts';

/** Makes a copy's settings; its name says what it is a copy of, unless it is given one. */
function copyOf(source: ReviewSettings): ReviewSettings {
  return { ...settingsOf(source, []), displayName: `${(source.displayName ?? '').slice(0, 990)} (copy)` };
}

/** Picks what a review like another takes over, without these groups of members. */
export function settingsOf(source: ReviewSettings, without: readonly MemberGroup[]): ReviewSettings {
  // Its dates would be past, and what was computed belongs to the run of the original.
  const { completionDate: _due, scheduledStartDate: _start, ...rest } = source;
  return pickMembers(rest, ({ group }) => group !== 'computed' && !without.includes(group));
}

/**
 * Makes a draft of a create request and returns it; its owners are `ownerIds`, the caller where there are none. `duplicateFrom` copies the
 * configuration and chosen entitlements of a review the caller may read (NOT_FOUND where not), and what is sent beside it wins. A review
 * that chooses no policy gets the tenant's starting one. INVALID_ARGUMENT with everything that is wrong.
 */
export function createReview(
  context: Context,
  sent: AccessReviewServiceCreateRequestJson,
  ownerIds: readonly string[],
  duplicateFrom: string,
): Promise<ReviewRow> {
  return inTransaction(context, async (inside) => {
    const source = duplicateFrom === '' ? undefined : await requireReview(inside, duplicateFrom, 'read');
    const copy = source === undefined ? {} : await nameStanding(inside, copyOf(source.document));
    const base = mayExempt(inside.actor) ? copy : withoutExemption(copy);
    const draft = readSettings({ ...base, ...pickMembers(sent, ({ create }) => create) });
    const owners = ownerIds.length === 0 ? [inside.actor.userId] : [...new Set(ownerIds)];
    refuseViolations([
      ...listViolations(draft, ''),
      ...(ownerIds.length === 0 ? [] : await listOwnerViolations(inside, ownerIds, 'ownerIds')),
    ]);
    const review = await insertDraftRow(inside, draft, {
      ownerIds: owners,
      createdById: inside.actor.userId,
      duplicatedFromId: source?.id ?? '',
    });
    if (source !== undefined) {
      await insertSetupCopy(inside, source.id, review.id);
      await insertScopeEntriesCopy(inside, source.id, review.id);
      await updateStandingIds(inside, review.id);
    }
    return review;
  });
}

/** Owners of a draft, and the review it copies. */
interface Origin {
  readonly ownerIds: readonly string[];
  readonly createdById: string;
  readonly duplicatedFromId: string;
  /** True if a change of somebody made it: it follows no schedule, and nothing waits for it. */
  readonly triggered?: boolean;
}

/** Adds a draft with this document, its owners and its event. */
async function insertDraftRow(inside: Context, draft: ReviewSettings, origin: Origin): Promise<ReviewRow> {
  const document = (draft.policyId ?? '') === '' ? { ...draft, policyId: (await findDefaultPolicy(inside)).id } : draft;
  const id = newId(inside.now);
  await insertReview(inside, {
    id,
    document,
    createdById: origin.createdById,
    duplicatedFromId: origin.duplicatedFromId,
    triggered: origin.triggered === true,
  });
  await updateOwners(inside, id, origin.ownerIds);
  await recordEvent(inside, {
    kind: 'review.created',
    targetId: id,
    data: {
      displayName: document.displayName,
      ownerIds: origin.ownerIds,
      duplicateFrom: origin.duplicatedFromId,
      accessReview: document,
    },
  });
  const review = await findReview(inside, id);
  if (review === undefined) {
    throw noSuchReview();
  }
  return review;
}

/** Owners and choices of a draft that something else than a request makes. */
interface DraftOrigin {
  readonly ownerIds: readonly string[];
  readonly createdById: string;
  /** Review whose lists behind markers it copies. */
  readonly scopeListsOf: string;
  readonly entitlements: readonly ChosenEntitlement[];
  readonly resourceTypes: readonly ChosenResourceType[];
  /** True if a change of somebody made it. */
  readonly triggered: boolean;
  /** The review that its items are compared with, once that is closed; none unless it is given. */
  readonly followsId?: string;
}

/** Makes a draft of members that were checked when they were written, in the open transaction. One that chooses no policy gets the starting one. */
export async function insertDraft(inside: Context, members: ReviewSettings, origin: DraftOrigin): Promise<ReviewRow> {
  const review = await insertDraftRow(inside, readSettings(members), { ...origin, duplicatedFromId: origin.followsId ?? '' });
  await updateSetupEntitlements(inside, review.id, origin.entitlements);
  await updateSetupResourceTypes(inside, review.id, origin.resourceTypes);
  await insertScopeEntriesCopy(inside, origin.scopeListsOf, review.id);
  return review;
}
