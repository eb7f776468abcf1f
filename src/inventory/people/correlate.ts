/** Whose a pushed record is, and what that makes of it. Files are correlated set by set, in store-file-records.ts. */
import type { Context } from '../../context.ts';
import { getAddressKey, getNameKey } from '../../lib/names/same-name.ts';
import { newId } from '../../wire/ids.ts';
import type { DisputeReason, Outcome } from './store-evidence.ts';
import {
  endKept,
  endRecord,
  findByEvidence,
  type Found,
  listRecordsOf,
  type RecordRow,
  releaseRecord,
  upsertRecord,
  type WrittenRecord,
} from './store-records.ts';

/** A user as an identity provider pushes it. */
export interface PushedRecord {
  readonly sourceId: string;
  /** The id of the pushed user. */
  readonly scimId: string;
  readonly externalId: string;
  readonly email: string;
  readonly displayName: string;
  readonly username: string;
  readonly employeeId: string;
  /** Undefined where the provider says nothing of it. */
  readonly isActive: boolean | undefined;
}

/** Whose it is. */
export interface Correlation {
  readonly outcome: Outcome;
  readonly reason: DisputeReason;
  /** The person; null for somebody new, and where that is disputed or ignored. */
  readonly userId: string | null;
  readonly candidateIds: readonly string[];
  /** Somebody who left, whose address this is now; null for nobody. */
  readonly leaverId: string | null;
  /** The record that its source reported before, if it is the same one. */
  readonly record: RecordRow | undefined;
  /** The record that the pushed user was until now, where it is another one. */
  readonly former: RecordRow | undefined;
  /** True if another pushed user of the source has the externalId. */
  readonly isTwice: boolean;
  /** True if an administrator says right now that it is somebody new. */
  readonly isDecided?: boolean;
}

/** Finds whose a pushed record is. `isAnew` leaves out what its source said before: an administrator did not give it that person. */
export async function correlate(context: Context, push: PushedRecord, isAnew = false): Promise<Correlation> {
  const records = await listRecordsOf(context, push.sourceId, push.externalId, push.scimId);
  const byAnchor = records.find((one) => one.anchorKind === 'EXTERNAL_ID' && one.anchor === push.externalId);
  const byPush = records.find((one) => one.scimId === push.scimId);
  // The provider calls two of its users the same: the second one is another record, of the same person where it says the same of them.
  const isTwice = byAnchor !== undefined && byAnchor.state === 'LIVE' && byAnchor.scimId !== '' && byAnchor.scimId !== push.scimId;
  const isSame = byPush !== undefined && (push.externalId === '' || byPush.anchorKind === 'SCIM_ID' || byPush === byAnchor);
  const record = byAnchor !== undefined && !isTwice ? byAnchor : isSame ? byPush : undefined;
  const former = byPush === record ? undefined : byPush;
  const isAnswered = record !== undefined && (record.userId !== null || record.verdict === 'IGNORED');
  const teller = isTwice && !isAnswered ? byAnchor : record;
  const isTheirs = teller !== undefined && (teller === record || isSameUser(teller, push));
  if (isTheirs && teller.verdict === 'IGNORED') {
    return { outcome: 'IGNORED', reason: '', userId: null, candidateIds: [], leaverId: null, record, former, isTwice };
  }
  if (isTheirs && teller.userId !== null && !isAnew) {
    return { outcome: 'KNOWN', reason: '', userId: teller.userId, candidateIds: [], leaverId: null, record, former, isTwice };
  }
  const { sourceId, employeeId, displayName } = push;
  // What it was called once it is called still: leaving it out takes no evidence away.
  const externalId = push.externalId === '' && record?.anchorKind === 'EXTERNAL_ID' ? record.anchor : push.externalId;
  const found = await findByEvidence(context, sourceId, { externalId, employeeId, displayName, emailKey: getAddressKey(push.email) });
  const other = teller === undefined || isTheirs || found.userId === teller.userId ? null : teller.userId;
  return { ...(other === null ? found : disputeTwice(found, other)), record, former, isTwice };
}

/** True if a second user of one externalId says the name, the address or the employee id of the first: one person with two accounts, else a contradiction. */
function isSameUser(teller: RecordRow, push: PushedRecord): boolean {
  const emailKey = getAddressKey(push.email);
  return (
    getNameKey(teller.displayName) === getNameKey(push.displayName) ||
    (emailKey !== '' && getAddressKey(teller.email) === emailKey) ||
    (push.employeeId !== '' && teller.employeeId === push.employeeId)
  );
}

/** Asks whose the record is of a second user of one externalId: somebody whom the evidence says, or the person of the first one. */
function disputeTwice(found: Found, userId: string): Found {
  const candidateIds = [...new Set([userId, ...found.candidateIds, ...(found.userId === null ? [] : [found.userId])])].sort();
  return { outcome: 'DISPUTED', reason: 'SEVERAL_PEOPLE', userId: null, candidateIds, leaverId: null };
}

/** True if a record is LIVE and says what would be written. */
function saysSame(record: RecordRow, written: WrittenRecord): boolean {
  const { candidateIds, ...said } = written;
  return (
    record.state === 'LIVE' &&
    (Object.keys(said) as (keyof typeof said)[]).every((name) => record[name] === said[name]) &&
    candidateIds.length === record.candidateIds.length &&
    candidateIds.every((id) => record.candidateIds.includes(id))
  );
}

/** What a pushed record comes to. */
export interface KeptRecord {
  readonly id: string;
  /** People whose records changed beside this one. */
  readonly formerIds: readonly string[];
}

/**
 * Keeps a pushed record with whose it is. The record that the pushed user was before ends, but for one of somebody whose it may be still: while that
 * is disputed, nothing of them changes.
 */
export async function keepRecord(
  context: Context,
  push: PushedRecord,
  found: Correlation,
  of: { readonly userId: string | null; readonly isHeard: boolean; readonly isEnabled: boolean | null },
): Promise<KeptRecord> {
  const { record, former } = found;
  const id = record?.id ?? newId(context.now);
  if (former !== undefined) {
    const isKept = found.outcome === 'DISPUTED' && former.userId !== null && found.candidateIds.includes(former.userId);
    await (isKept ? releaseRecord(context, former.id) : endRecord(context, former.id));
  }
  const isByName = record === undefined || record.anchorKind === 'SCIM_ID' || record.anchor === push.externalId;
  const anchor =
    push.externalId !== '' && isByName && !found.isTwice
      ? { anchorKind: 'EXTERNAL_ID' as const, anchor: push.externalId }
      : record === undefined
        ? { anchorKind: 'SCIM_ID' as const, anchor: push.scimId }
        : { anchorKind: record.anchorKind, anchor: record.anchor };
  const answered = found.isDecided
    ? 'NEW_PERSON'
    : record?.verdict === 'SAME_PERSON' || record?.verdict === 'NEW_PERSON'
      ? record.verdict
      : 'CLEAR';
  const verdict = of.userId !== null ? answered : found.outcome === 'IGNORED' ? 'IGNORED' : 'DISPUTED';
  const written: WrittenRecord = {
    id,
    ...anchor,
    sourceId: push.sourceId,
    scimId: push.scimId,
    userId: of.userId,
    isHeard: of.isHeard,
    email: push.email,
    displayName: push.displayName,
    username: push.username,
    employeeId: push.employeeId,
    isEnabled: of.isEnabled,
    verdict,
    // Whoever looks at what was ignored is told why it was asked.
    reason: verdict === 'DISPUTED' ? found.reason : verdict === 'IGNORED' ? (record?.reason ?? '') : '',
    candidateIds: verdict === 'DISPUTED' ? found.candidateIds : verdict === 'IGNORED' ? (record?.candidateIds ?? []) : [],
  };
  if (record === undefined || !saysSame(record, written)) {
    await upsertRecord(context, written);
  }
  // Answered, or answered by what is said now: whoever was kept as they were meanwhile, and is asked about no more, is looked at again.
  const asked = [record, former].flatMap((one) => (one?.verdict === 'DISPUTED' ? one.candidateIds : []));
  const settled = asked.filter((one) => !written.candidateIds.includes(one));
  const kept = settled.length === 0 ? [] : await endKept(context, push.sourceId, settled);
  return { id, formerIds: [...(former?.userId == null ? [] : [former.userId]), ...kept] };
}
