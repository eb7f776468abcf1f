/**
 * Making a review, from nothing or as a copy of another.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { findDefaultPolicy } from '../policies/index.ts';
import { groupOfMember, type MemberGroup } from './changeable.ts';
import { documentOf, textOf } from './document.ts';
import { noSuchReview, requireReview } from './permit.ts';
import { findReview, insertReview, type ReviewRow } from './store.ts';
import { updateOwners } from './store-owners.ts';
import { insertScopeEntriesCopy } from './store-scope-lists.ts';
import type { ChosenEntitlement, ChosenResourceType } from './setup.ts';
import { insertSetupCopy, updateSetupEntitlements, updateSetupResourceTypes } from './store-setup.ts';
import { listOwnerViolations } from './validate-owners.ts';
import { listViolations, refuseViolations } from './validate-review.ts';

/** The members of a create request that become the review's. */
const createMembers = ['completionDate', 'description', 'displayName', 'notificationConfig', 'policyId', 'scopeType', 'scopeV2'];

/** Members that a copy does not take over: its dates would be past, and the rest belongs to the run of the original. */
const notCopied = ['completionDate', 'scheduledStartDate'];

/** What a copy starts with; its name says what it is a copy of, unless it is given one. */
function copyOf(source: JsonObject): JsonObject {
  return { ...settingsOf(source, []), displayName: `${textOf(source, 'displayName').slice(0, 990)} (copy)` };
}

/** What a review like another one takes over, without these groups of members. */
export function settingsOf(source: JsonObject, without: readonly MemberGroup[]): JsonObject {
  const left: readonly (MemberGroup | undefined)[] = ['computed', ...without];
  return Object.fromEntries(
    Object.entries(source).filter(([member]) => !left.includes(groupOfMember[member]) && !notCopied.includes(member)),
  );
}

/** Members of the request, without those that are not the review's. */
function pickMembers(sent: JsonObject): JsonObject {
  return Object.fromEntries(createMembers.flatMap((member) => (sent[member] === undefined ? [] : [[member, sent[member]]])));
}

/**
 * Makes a draft of a create request and returns it; its owners are `ownerIds`, the caller where there are none. `duplicateFrom` copies the
 * configuration and chosen entitlements of a review the caller may read (NOT_FOUND where not), and what is sent beside it wins. A review
 * that chooses no policy gets the tenant's starting one. INVALID_ARGUMENT with everything that is wrong.
 */
export function createReview(context: Context, sent: JsonObject, ownerIds: readonly string[], duplicateFrom: string): Promise<ReviewRow> {
  return inTransaction(context, async (inside) => {
    const source = duplicateFrom === '' ? undefined : await requireReview(inside, duplicateFrom, 'read');
    const base = source === undefined ? {} : copyOf(source.document);
    const draft = documentOf({ ...base, ...pickMembers(sent) });
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
    }
    return review;
  });
}

/** Whose draft it is, and of what it is a copy. */
interface Origin {
  readonly ownerIds: readonly string[];
  readonly createdById: string;
  readonly duplicatedFromId: string;
  /** Whether a change of somebody made it: it follows no schedule, and nothing waits for it. */
  readonly triggered?: boolean;
}

/** Adds a draft with this document, its owners and its event. */
async function insertDraftRow(inside: Context, draft: JsonObject, origin: Origin): Promise<ReviewRow> {
  const document = textOf(draft, 'policyId') === '' ? { ...draft, policyId: (await findDefaultPolicy(inside)).id } : draft;
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
    targetType: 'access_review',
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

/** Whose draft it is that something else than a request makes, and what it chooses. */
interface DraftOrigin {
  readonly ownerIds: readonly string[];
  readonly createdById: string;
  /** Whose lists behind markers it gets a copy of. */
  readonly scopeListsOf: string;
  readonly entitlements: readonly ChosenEntitlement[];
  readonly resourceTypes: readonly ChosenResourceType[];
  /** Whether a change of somebody made it. */
  readonly triggered: boolean;
  /** The review that its items are compared with, once that is closed; none unless it is given. */
  readonly followsId?: string;
}

/** Makes a draft of members that were checked when they were written, in the open transaction. One that chooses no policy gets the starting one. */
export async function insertDraft(inside: Context, members: JsonObject, origin: DraftOrigin): Promise<ReviewRow> {
  const review = await insertDraftRow(inside, documentOf(members), { ...origin, duplicatedFromId: origin.followsId ?? '' });
  await updateSetupEntitlements(inside, review.id, origin.entitlements);
  await updateSetupResourceTypes(inside, review.id, origin.resourceTypes);
  await insertScopeEntriesCopy(inside, origin.scopeListsOf, review.id);
  return review;
}
