/**
 * Making a review, from nothing or as a copy of another.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { recordEvent } from '../audit/index.ts';
import { findDefaultPolicy } from '../policies/index.ts';
import { groupOfMember } from './changeable.ts';
import { documentOf, textOf } from './document.ts';
import { noSuchReview, requireReview } from './permit.ts';
import { findReview, insertReview, type ReviewRow } from './store.ts';
import { updateOwners } from './store-owners.ts';
import { insertSetupCopy } from './store-setup.ts';
import { listOwnerViolations } from './validate-owners.ts';
import { listViolations, refuseViolations } from './validate-review.ts';

/** The members of a create request that become the review's. */
const createMembers = ['completionDate', 'description', 'displayName', 'notificationConfig', 'policyId', 'scopeType', 'scopeV2'];

/** Members that a copy does not take over: its dates would be past, and the rest belongs to the run of the original. */
const notCopied = ['completionDate', 'scheduledStartDate'];

/** What a copy starts with; its name says what it is a copy of, unless it is given one. */
function copyOf(source: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const [member, value] of Object.entries(source)) {
    if (groupOfMember[member] !== 'computed' && !notCopied.includes(member)) {
      copy[member] = value;
    }
  }
  return { ...copy, displayName: `${textOf(source, 'displayName').slice(0, 990)} (copy)` };
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
    if (source?.state === 'DELETED') {
      throw noSuchReview();
    }
    const base = source === undefined ? {} : copyOf(source.document);
    const draft = documentOf({ ...base, ...pickMembers(sent) });
    const owners = ownerIds.length === 0 ? [inside.actor.userId] : [...new Set(ownerIds)];
    refuseViolations([
      ...listViolations(draft, ''),
      ...(ownerIds.length === 0 ? [] : await listOwnerViolations(inside, ownerIds, 'ownerIds')),
    ]);
    const document = textOf(draft, 'policyId') === '' ? { ...draft, policyId: (await findDefaultPolicy(inside)).id } : draft;

    const id = newId(inside.now);
    await insertReview(inside, { id, document, createdById: inside.actor.userId });
    await updateOwners(inside, id, owners);
    if (source !== undefined) {
      await insertSetupCopy(inside, source.id, id);
    }
    await recordEvent(inside, {
      kind: 'review.created',
      targetType: 'access_review',
      targetId: id,
      data: { displayName: document.displayName, ownerIds: owners, duplicateFrom, accessReview: document },
    });
    const review = await findReview(inside, id);
    if (review === undefined) {
      throw noSuchReview();
    }
    return review;
  });
}
