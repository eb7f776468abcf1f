/**
 * How removals look outside, and in which words: what became of each, from evidence alone. Pure.
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
import type { ChangeRow } from './store-changes.ts';
import { openStates } from './store-states.ts';
import type { SyncRow } from './store-sync.ts';
import type { ResidualRow, RevocationRow } from './store.ts';
import { dayOf, explainUnknown, findUnknown } from './unknown.ts';

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

/** The sync that brought a state about, as fields of the contract. */
function shapeSync(sync: SyncRow | null) {
  return {
    syncConnectorId: sync?.sourceId ?? '',
    syncConnectorDisplayName: sync?.sourceName ?? '',
    syncStartedAt: timestamp(sync === null ? null : new Date(sync.startedAt)),
  };
}

/** A removal as the caller sees it. */
export function shapeRevocation(row: RevocationRow, now: Date): RevocationJson {
  const isOpen = openStates.includes(row.state);
  const unknown = findUnknown(row);
  const isSeen = isOpen && row.isPresent && row.lastSync !== null;
  return shape(RevocationSchema, {
    id: row.id,
    state: `REVOCATION_STATE_${row.state}`,
    outcome: describeRemoval(row),
    unknown: explainUnknown(row),
    unknownReason: `REVOCATION_UNKNOWN_${unknown?.reason ?? 'UNSPECIFIED'}`,
    unknownAt: timestamp(unknown?.at ?? null),
    unknownSyncId: unknown?.syncId ?? '',
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
    ...shapeSync(row.sync),
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
    connectorDisplayName: row.sourceName,
    actorDisplayName: row.actorName,
    claimedByDisplayName: row.claimedByName,
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
    ...shapeSync(row.sync),
    revision: String(row.revision ?? 0),
    note: row.note,
  });
}
