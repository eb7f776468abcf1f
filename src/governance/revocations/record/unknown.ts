/** Grounds for not knowing whether access is gone: the reason with what belongs to it, and as a sentence. Pure. */
import { openStates } from './store-states.ts';
import { quoteName } from '../../../lib/names/visible-text.ts';
import type { ResidualRow, RevocationRow } from './store.ts';

/** The day of a time, in UTC. */
export const isoDay = (time: Date | string): string => new Date(time).toISOString().slice(0, 10);

/** A name that turns no word of a sentence around: one with marks of direction stands between those that keep them to itself. */
function keepApart(name: string): string {
  return /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/.test(name) ? `\u2068${name}\u2069` : name;
}

/** The source that reports the access, in words. */
export function nameSource({ sourceName, appDisplayName }: Pick<RevocationRow, 'sourceName' | 'appDisplayName'>): string {
  return `the source ${keepApart(JSON.stringify(sourceName))} of ${keepApart(appDisplayName)}`;
}

/** Reason nothing is known. */
export interface Unknown {
  readonly reason:
    | 'NOT_REPORTED'
    | 'FILE_REFUSED'
    | 'EXPIRED_HERE'
    | 'ENDED_HERE'
    | 'SYNC_TOO_EARLY'
    | 'NO_SYNC_SINCE'
    | 'ABSENT_ONCE'
    | 'LOOKS_THE_SAME';
  /** Time the file was refused, the early sync began, or since which no sync has begun. */
  readonly at: Date | null;
  readonly syncId: string;
  readonly note: string;
}

/** Returns what is held under names that look the same while the access itself is gone; undefined for nothing. */
export function findLookAlike({ isPresent, residual }: Pick<RevocationRow, 'isPresent' | 'residual'>): ResidualRow | undefined {
  return isPresent ? undefined : residual.find(({ looksTheSame }) => looksTheSame);
}

function tellLookAlike(row: RevocationRow): string {
  const { account = '', entitlementDisplayName = '' } = findLookAlike(row) ?? {};
  const [one, other] = [
    [row.account, row.entitlementDisplayName],
    [account, entitlementDisplayName],
  ].map((names) => names.map(quoteName).join(', ')) as [string, string];
  return (
    `Not known: it is held under a name that looks the same. The removal is of ${one}; reported is ${other}. ` +
    'If that is the same access, it is still there. If not, one person says that it is removed, and another one confirms it.'
  );
}

/** The reason; undefined where it is known, or nobody has asked for it yet. */
export function findUnknown(row: RevocationRow): Unknown | undefined {
  const because = (reason: Unknown['reason'], more: Partial<Unknown> = {}): Unknown => ({
    reason,
    at: null,
    syncId: '',
    note: '',
    ...more,
  });
  if (!openStates.includes(row.state) || row.requestedAt === null) {
    return undefined;
  }
  if (row.sourceNo === 0) {
    return because('NOT_REPORTED');
  }
  const { lastSync, lastRefusal, requestedAt } = row;
  const startedAt = lastSync === null ? undefined : new Date(lastSync.startedAt);
  const since = lastSync === null ? undefined : new Date(lastSync.observedFrom);
  const refusedAt = lastRefusal === null ? undefined : new Date(lastRefusal.startedAt);
  if (refusedAt !== undefined && refusedAt > requestedAt && (startedAt === undefined || refusedAt > startedAt)) {
    return because('FILE_REFUSED', { at: refusedAt, note: lastRefusal?.error ?? '' });
  }
  if (!row.isPresent) {
    if (findLookAlike(row) !== undefined) {
      return because('LOOKS_THE_SAME', { syncId: row.goneSyncId, at: row.goneSyncAt });
    }
    if (row.goneCause === 'EXPIRY') {
      return because('EXPIRED_HERE');
    }
    if (row.goneSyncId === '') {
      return because('ENDED_HERE');
    }
    const isLate = row.sourceKind === 'BATON' && row.goneSyncAt !== null && row.goneSyncAt > requestedAt;
    return because(isLate ? 'ABSENT_ONCE' : 'SYNC_TOO_EARLY', { syncId: row.goneSyncId, at: row.goneSyncAt });
  }
  if (row.sourceKind === 'SCIM') {
    return undefined;
  }
  const wanted = row.state === 'CLAIMED' && row.claimedAt !== null ? row.claimedAt : requestedAt;
  return since === undefined || since <= wanted ? because('NO_SYNC_SINCE', { at: wanted }) : undefined;
}

/** The reason as a sentence; empty where there is none. */
export function explainUnknown(row: RevocationRow): string {
  const unknown = findUnknown(row);
  switch (unknown?.reason) {
    case undefined:
      return '';
    case 'NOT_REPORTED':
      return 'Not known: no sync reports this access. One person has to say that it is removed, and another one to confirm it.';
    case 'FILE_REFUSED':
      return `Not known: the last file of ${nameSource(row)} was refused on ${isoDay(unknown.at ?? row.stateAt)}, so it proves nothing. ${unknown.note}`;
    case 'EXPIRED_HERE':
      return `Not known: the access ended here at its date, and no sync of ${nameSource(row)} with data of after that says that it is gone there.`;
    case 'ENDED_HERE':
      return `Not known: the access ended here, and no sync of ${nameSource(row)} with data of after that says that it is gone there.`;
    case 'SYNC_TOO_EARLY':
      return `Not known: sync ${unknown.syncId} no longer has it, but its data may be of before the removal was requested.`;
    case 'ABSENT_ONCE':
      return `Not known: sync ${unknown.syncId} no longer has it, nor anything on the same resource, which its connector may have failed to read. Another sync, an hour later or more, has to lack it, too.`;
    case 'LOOKS_THE_SAME':
      return tellLookAlike(row);
    case 'NO_SYNC_SINCE':
      return `Not known: no complete sync of ${nameSource(row)} has data of after ${isoDay(unknown.at ?? row.stateAt)}.`;
  }
}
