/** Proof that access is gone or still there, or why there is none: from the fields of a removal, in the words of the language. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Removal } from '~/data/inventory/removals.ts';
import { useMay } from '~/data/session/session.ts';
import { Name } from '~/parts/words/name.tsx';
import type { ByValue } from '~/text/by-value.ts';
import { date } from '~/text/format.ts';
import { nameBy } from '~/text/name-by.ts';
import { quoteName } from '~/text/quote-name.ts';
import { enrich } from '~/text/rich.tsx';
import { type TextKey, text } from '~/text/text.ts';
import styles from './removal-table.module.css';
import { SyncLink } from '~/app/syncs/sync-link.tsx';
import { nameConnector } from './removal-sending.ts';

type ProofKey = Extract<TextKey, `proof.${string}`>;

const unknowns: ByValue<Removal['unknownReason'], ProofKey> = {
  REVOCATION_UNKNOWN_NOT_REPORTED: 'proof.notReported',
  REVOCATION_UNKNOWN_FILE_REFUSED: 'proof.fileRefused',
  REVOCATION_UNKNOWN_EXPIRED_HERE: 'proof.expiredHere',
  REVOCATION_UNKNOWN_ENDED_HERE: 'proof.endedHere',
  REVOCATION_UNKNOWN_SYNC_TOO_EARLY: 'proof.tooEarly',
  REVOCATION_UNKNOWN_NO_SYNC_SINCE: 'proof.noSync',
  REVOCATION_UNKNOWN_ABSENT_ONCE: 'proof.absentOnce',
  REVOCATION_UNKNOWN_LOOKS_THE_SAME: 'proof.looksTheSame',
};

/** Sentence of a state where somebody is named or a sync proves it, and otherwise: a policy did it, or a push or a change made here. */
const said: ByValue<Removal['state'], readonly [named: ProofKey, otherwise: ProofKey]> = {
  REVOCATION_STATE_HELD: ['proof.held', 'proof.held'],
  REVOCATION_STATE_REQUESTED: ['proof.requested', 'proof.requested'],
  REVOCATION_STATE_REFUSED: ['proof.refusedBy', 'proof.refused'],
  REVOCATION_STATE_IN_PROGRESS: ['proof.removing', 'proof.removing'],
  REVOCATION_STATE_CLAIMED: ['proof.claimed', 'proof.claimed'],
  REVOCATION_STATE_STILL_PRESENT: ['proof.still', 'proof.stillAt'],
  REVOCATION_STATE_VERIFIED: ['proof.gone', 'proof.goneAt'],
  REVOCATION_STATE_ATTESTED: ['proof.attested', 'proof.attested'],
  REVOCATION_STATE_REAPPEARED: ['proof.back', 'proof.backAt'],
  REVOCATION_STATE_ERROR: ['proof.failed', 'proof.failed'],
  REVOCATION_STATE_CANCELLED: ['proof.withdrawn', 'proof.withdrawn'],
};

/** An account and what it has, as quoted names: a space at the end is seen, too. */
function nameAccess(account = '', entitlement = ''): string {
  return `${quoteName(account)}, ${quoteName(entitlement)}`;
}

/** Names a way by which access is held besides: an entitlement, an account, or both where they only look the same. */
export function nameWay({ account, entitlementDisplayName, looksTheSame }: NonNullable<Removal['residualAccess']>[number]): string {
  return looksTheSame ? nameAccess(account, entitlementDisplayName) : entitlementDisplayName || account || '';
}

export function RemovalProof({ row }: { row: Removal }) {
  const mayRead = useMay('inventory.read');
  const unknown = unknowns[row.unknownReason ?? ''];
  const isKnown = unknown === undefined;
  // Of an early sync the source is the one that reports the access.
  const sync = isKnown
    ? row
    : {
        syncId: row.unknownSyncId,
        syncConnectorId: row.connectorId,
        syncConnectorDisplayName: row.connectorDisplayName,
        syncStartedAt: row.unknownAt,
      };
  const ofSource = (name: string): ReactNode =>
    mayRead && row.connectorId ? (
      <Link to="/sources/$source" params={{ source: row.connectorId }}>
        <Name>{name}</Name>
      </Link>
    ) : (
      <Name>{name}</Name>
    );
  // Its note says no more than which connector it was.
  const isByConnector = row.state === 'REVOCATION_STATE_CLAIMED' && !row.claimedByUserId;
  const day = isKnown ? row.stateChangedAt : row.unknownAt;
  const alike = row.residualAccess?.find((way) => way.looksTheSame);
  const values = {
    source: row.connectorDisplayName ?? '',
    day: day === undefined ? '' : date(day),
    revision: row.revision ?? '0',
    removed: nameAccess(row.account, row.entitlementDisplayName),
    reported: nameAccess(alike?.account, alike?.entitlementDisplayName),
    claimed:
      nameBy(row.claimedByDisplayName, row.claimedIssuerDisplayName) || (isByConnector && row.sending ? nameConnector(row.sending) : ''),
    actor: nameBy(row.actorDisplayName, row.actorIssuerDisplayName),
  };
  const isNamed = row.state === 'REVOCATION_STATE_REFUSED' ? values.actor !== '' : Boolean(row.syncId);
  const key = unknown ?? said[row.state ?? '']?.[isNamed ? 0 : 1];
  return (
    <span className={styles.proof}>
      {enrich((safe: typeof values) => (key === undefined ? '' : text(key, safe)), values, {
        sync: () => <SyncLink sync={sync} />,
        source: ofSource,
      })}
      {isKnown && row.note && !isByConnector ? <Name>{`: ${row.note}`}</Name> : null}
    </span>
  );
}
