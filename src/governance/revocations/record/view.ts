/** Removals as clients see them, and the words for them: what became of each, from evidence alone. Pure. */
import type { RevocationChange, Revocation } from '../../../gen/countersign/v1/revocations_pb.js';
import { nameBy } from '../../../lib/names/name-by.ts';
import type { Row } from '../../../wire/row.ts';
import { nameResidual } from '../../tasks/index.ts';
import type { ChangeRow } from './store-changes.ts';
import { openStates } from './store-states.ts';
import type { SyncRow } from './store-sync.ts';
import type { ResidualRow, RevocationRow } from './store.ts';
import { isoDay, explainUnknown, findUnknown } from './unknown.ts';

type Told = Pick<
  RevocationRow,
  'state' | 'stateAt' | 'actorName' | 'actorIssuerName' | 'syncId' | 'revision' | 'note' | 'claimedByName' | 'claimedIssuerName'
>;

/** Names the origin of evidence: a sync, or the revision of a push or of a change made here. */
function nameEvidence({ syncId, revision, stateAt }: Told): string {
  return syncId === '' ? `revision ${revision ?? 0} of ${isoDay(stateAt)}` : `sync ${syncId} of ${isoDay(stateAt)}`;
}

const because = (note: string): string => (note === '' ? '' : `: ${note}`);

/** Describes what became of a removal, as reports say it: nothing here rests on what somebody says alone, unless it says so. */
export function describeRemoval(row: Told): string {
  switch (row.state) {
    case 'HELD':
      return 'denied';
    case 'REQUESTED':
      return 'removal requested';
    case 'REFUSED':
      return `kept by ${nameBy(row.actorName, row.actorIssuerName) || 'its policy'}${because(row.note)}`;
    case 'IN_PROGRESS':
      return 'being removed';
    case 'CLAIMED':
      // A connector is nobody: its note says which it was.
      return `said removed by ${row.claimedByName === '' ? row.note || 'a connector' : nameBy(row.claimedByName, row.claimedIssuerName)}, not verified`;
    case 'STILL_PRESENT':
      return `still present at ${nameEvidence(row)}`;
    case 'VERIFIED':
      return `absent at ${nameEvidence(row)}`;
    case 'ATTESTED':
      return `attested by ${nameBy(row.claimedByName, row.claimedIssuerName)} and ${nameBy(row.actorName, row.actorIssuerName)}, no sync`;
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
    syncConnectorId: sync?.sourceId,
    syncConnectorDisplayName: sync?.sourceName,
    syncStartedAt: sync?.startedAt,
  };
}

/** A removal as the caller sees it. */
export function shapeRevocation(row: RevocationRow, now: Date): Row<Revocation> {
  const isOpen = openStates.includes(row.state);
  const unknown = findUnknown(row);
  const isSeen = isOpen && row.isPresent && row.lastSync !== null;
  return {
    ...row,
    outcome: describeRemoval(row),
    unknown: explainUnknown(row),
    unknownReason: unknown?.reason ?? 'UNSPECIFIED',
    unknownAt: unknown?.at,
    unknownSyncId: unknown?.syncId,
    accessReviewId: row.reviewId,
    accessReviewDisplayName: row.reviewName,
    reason: row.denialComment || row.description,
    reviewerUserId: row.reviewerId,
    reviewerDisplayName: row.reviewerName,
    reviewerIssuerDisplayName: row.reviewerIssuerName,
    appEntitlementId: row.entitlementId,
    appUserId: row.principalKind === 'A' ? row.accountId : '',
    principalResourceId: row.principalKind === 'R' ? row.accountId : '',
    requestedByUserId: row.requestedById,
    residualAccess: row.residual.map((one) => ({ ...one, appEntitlementId: one.entitlementId, appUserId: one.accountId })),
    stateChangedAt: row.stateAt,
    actorUserId: row.actorId,
    ...shapeSync(row.sync),
    sending:
      row.sending === null
        ? null
        : {
            ...row.sending,
            program: row.sending.package,
            version: row.sending.packageVersion,
            reason: row.sending.reason || 'UNSPECIFIED',
          },
    isOverdue: isOpen && row.dueAt !== null && row.dueAt < now,
    claimedByUserId: row.claimedById,
    connectorId: row.sourceId,
    connectorDisplayName: row.sourceName,
    actorDisplayName: row.actorName,
    actorIssuerDisplayName: row.actorIssuerName,
    claimedByDisplayName: row.claimedByName,
    claimedIssuerDisplayName: row.claimedIssuerName,
    lastSeenSyncId: isSeen ? row.lastSync?.id : '',
    lastSeenAt: isSeen ? row.lastSync?.observedFrom : null,
  };
}

/** A state that a removal was in. */
export function shapeChange(row: ChangeRow): Row<RevocationChange> {
  return {
    ...row,
    actorUserId: row.actorId,
    actorDisplayName: row.actorName,
    actorIssuerDisplayName: row.actorIssuerName,
    ...shapeSync(row.sync),
  };
}
