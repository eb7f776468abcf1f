/**
 * How removals look outside, and in which words: what became of each, from evidence alone, and why nothing is known where nothing is. Pure.
 */
import {
  type RevocationChangeJson,
  RevocationChangeSchema,
  ResidualAccessSchema,
  type RevocationJson,
  RevocationSchema,
} from '../../gen/countersign/v1/revocations_pb.js';
import { shape, timestamp } from '../../wire/reply.ts';
import { nameResidual } from '../tasks/index.ts';
import { openStates } from './store-states.ts';
import type { ChangeRow, ResidualRow, RevocationRow } from './store.ts';

/** The day of a time, in UTC. */
const dayOf = (time: Date | string): string => new Date(time).toISOString().slice(0, 10);

type Told = Pick<RevocationRow, 'state' | 'stateAt' | 'actorName' | 'syncId' | 'revision' | 'note' | 'claimedByName'>;

/** Where evidence comes from: a sync, or the revision of a push or of a change made here. */
function nameEvidence({ syncId, revision, stateAt }: Told): string {
  return syncId === '' ? `revision ${revision ?? 0} of ${dayOf(stateAt)}` : `sync ${syncId} of ${dayOf(stateAt)}`;
}

const because = (note: string): string => (note === '' ? '' : `: ${note}`);

/** What became of a removal, as reports say it: nothing here rests on what somebody says alone, unless it says so. */
export function describeRemoval(row: Told): string {
  switch (row.state) {
    case 'HELD':
      return 'denied';
    case 'REQUESTED':
      return 'removal requested';
    case 'REFUSED':
      return `kept by ${row.actorName || 'its policy'}${because(row.note)}`;
    case 'IN_PROGRESS':
      return 'being removed';
    case 'CLAIMED':
      return `said removed by ${row.claimedByName}, not verified`;
    case 'STILL_PRESENT':
      return `still present at ${nameEvidence(row)}`;
    case 'VERIFIED':
      return `absent at ${nameEvidence(row)}`;
    case 'ATTESTED':
      return `attested by ${row.claimedByName} and ${row.actorName}, no sync`;
    case 'REAPPEARED':
      return `reappeared at ${nameEvidence(row)}`;
    case 'ERROR':
      return `failed${because(row.note)}`;
    case 'CANCELLED':
      return 'withdrawn';
  }
}

/** The other ways by which the access is held, in words: each has to be cut as well. Empty for none. */
export function describeResidual(residual: readonly ResidualRow[]): string {
  const ways = nameResidual(residual);
  return ways.length === 0 ? '' : `also held ${ways.join(', ')}`;
}

/** A name that turns no word of a sentence around: one with marks of direction stands between those that keep them to itself. */
function keepApart(name: string): string {
  return /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/.test(name) ? `\u2068${name}\u2069` : name;
}

/** The source that reports the access, in words. */
export function nameSource({ sourceName, appDisplayName }: Pick<RevocationRow, 'sourceName' | 'appDisplayName'>): string {
  return `the source ${keepApart(JSON.stringify(sourceName))} of ${keepApart(appDisplayName)}`;
}

/** Why it is not known whether the access is gone; empty where it is known, or nobody has asked for it yet. */
export function explainUnknown(row: RevocationRow): string {
  if (!openStates.includes(row.state) || row.requestedAt === null) {
    return '';
  }
  if (row.sourceNo === 0) {
    return 'Not known: no sync reports this access. One person has to say that it is removed, and another one to confirm it.';
  }
  const { lastSync, lastRefusal, requestedAt } = row;
  const since = lastSync === null ? undefined : new Date(lastSync.startedAt);
  const refusedAt = lastRefusal === null ? undefined : new Date(lastRefusal.startedAt);
  if (refusedAt !== undefined && refusedAt > requestedAt && (since === undefined || refusedAt > since)) {
    return `Not known: the last file of ${nameSource(row)} was refused on ${dayOf(refusedAt)}, so it proves nothing. ${lastRefusal?.error ?? ''}`;
  }
  if (!row.isPresent) {
    if (row.goneCause === 'EXPIRY') {
      return `Not known: the access ended here at its date, and no sync of ${nameSource(row)} that began since says that it is gone there.`;
    }
    return row.goneSyncId === ''
      ? `Not known: the access ended here, and no sync of ${nameSource(row)} that began since says that it is gone there.`
      : `Not known: sync ${row.goneSyncId}, which no longer has it, began before the removal was requested.`;
  }
  if (row.sourceKind === 'SCIM') {
    return '';
  }
  const wanted = row.state === 'CLAIMED' && row.claimedAt !== null ? row.claimedAt : requestedAt;
  if (since === undefined || since <= wanted) {
    return `Not known: no sync of ${nameSource(row)} has begun since ${dayOf(wanted)}.`;
  }
  return '';
}

/** A removal as the caller sees it. */
export function shapeRevocation(row: RevocationRow, now: Date): RevocationJson {
  const isOpen = openStates.includes(row.state);
  const isSeen = isOpen && row.isPresent && row.lastSync !== null;
  return shape(RevocationSchema, {
    id: row.id,
    state: `REVOCATION_STATE_${row.state}`,
    outcome: describeRemoval(row),
    unknown: explainUnknown(row),
    accessReviewId: row.reviewId,
    certifyTaskId: row.certifyTaskId,
    revokeTaskId: row.revokeTaskId,
    appId: row.appId,
    appDisplayName: row.appDisplayName,
    appEntitlementId: row.entitlementId,
    entitlementDisplayName: row.entitlementDisplayName,
    resourceDisplayName: row.resourceDisplayName,
    appUserId: row.principalKind === 'A' ? row.accountId : '',
    principalResourceId: row.principalKind === 'R' ? row.accountId : '',
    requestedByUserId: row.requestedById,
    description: row.description,
    residualAccess: row.residual.map((one) =>
      shape(ResidualAccessSchema, {
        appEntitlementId: one.entitlementId,
        entitlementDisplayName: one.entitlementDisplayName,
        appUserId: one.accountId,
        account: one.account,
      }),
    ),
    account: row.account,
    userId: row.userId ?? '',
    userDisplayName: row.userDisplayName,
    stateChangedAt: timestamp(row.stateAt),
    actorUserId: row.actorId,
    syncId: row.syncId,
    revision: String(row.revision ?? 0),
    note: row.note,
    createdAt: timestamp(row.createdAt),
    requestedAt: timestamp(row.requestedAt),
    startedAt: timestamp(row.startedAt),
    dueAt: timestamp(row.dueAt),
    isOverdue: isOpen && row.dueAt !== null && row.dueAt < now,
    claimedAt: timestamp(row.claimedAt),
    claimedByUserId: row.claimedById,
    connectorId: row.sourceId,
    lastSeenSyncId: isSeen ? (row.lastSync?.id ?? '') : '',
    lastSeenAt: timestamp(isSeen && row.lastSync !== null ? new Date(row.lastSync.startedAt) : null),
  });
}

/** A state that a removal was in. */
export function shapeChange(row: ChangeRow): RevocationChangeJson {
  return shape(RevocationChangeSchema, {
    state: `REVOCATION_STATE_${row.state}`,
    at: timestamp(row.at),
    actorUserId: row.actorId,
    syncId: row.syncId,
    revision: String(row.revision ?? 0),
    note: row.note,
  });
}
