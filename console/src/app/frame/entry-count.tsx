/** Count of what waits beside a navigation entry: conflicts and removals that are open, claims on people, and data that needs somebody. */
import { useQuery } from '@tanstack/react-query';
import { maxClaims, useClaimCount, useDisputedCount } from '~/data/inventory/claim-count.ts';
import { useLater } from '~/data/later.ts';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './shell.module.css';

/** Most that are counted one by one. */
const most = 100;
const kept = { staleTime: 300_000 };

interface Counted {
  readonly list?: readonly unknown[];
  readonly nextPageToken?: string;
}

/** So many, and whether there are more. */
function Count({ value, isMore = false }: { value: number; isMore?: boolean }) {
  return value === 0 ? null : (
    <span className={styles.waiting}>{isMore ? text('app.moreThan', { count: number(value) }) : number(value)}</span>
  );
}

function lengths(replies: readonly (Counted | undefined)[]) {
  return {
    value: replies.reduce((sum, reply) => sum + (reply?.list?.length ?? 0), 0),
    isMore: replies.some((reply) => (reply?.nextPageToken ?? '') !== ''),
  };
}

function ConflictCount() {
  const mayRead = useMay('policies.read');
  const isLater = useLater();
  const { data } = useQuery({
    ...read('ConflictAlertService.List', { state: 'CONFLICT_ALERT_STATE_ACTIVE', pageSize: most }),
    ...kept,
    enabled: mayRead && isLater,
  });
  return <Count {...lengths([data])} />;
}

function RemovalCount() {
  const { data } = useQuery({ ...read('RevocationService.Count', {}), ...kept, enabled: useLater() });
  return <Count value={Number(data?.open ?? 0)} />;
}

function ClaimCount() {
  const value = useClaimCount('settings.read');
  return <Count value={value} isMore={value >= maxClaims} />;
}

function QualityCount() {
  const enabled = useLater();
  const leavers = useQuery({ ...read('IdentityService.ListLeaversWithAccounts', { pageSize: most }), ...kept, enabled }).data;
  const unowned = useQuery({ ...read('IdentityService.ListUnownedAccounts', { pageSize: most }), ...kept, enabled }).data;
  const ambiguous = useQuery({ ...read('IdentityService.ListAmbiguousAccounts', { pageSize: most }), ...kept, enabled }).data;
  const disputed = useDisputedCount('settings.read');
  const { value, isMore } = lengths([leavers, unowned, ambiguous]);
  return <Count value={value + disputed} isMore={isMore || disputed >= maxClaims} />;
}

/** The count of an entry; nothing for those that count nothing. */
export function EntryCount({ to }: { to: string }) {
  switch (to) {
    case '/conflicts':
      return <ConflictCount />;
    case '/revocations':
      return <RemovalCount />;
    case '/sources':
      return <ClaimCount />;
    case '/quality':
      return <QualityCount />;
    default:
      return null;
  }
}
