/** A sync by the name of its source and when it began, as a link for those who read sources. */
import { Link } from '@tanstack/react-router';
import { useMay } from '~/data/session/session.ts';
import { Name } from '~/parts/words/name.tsx';
import { clock, date } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './sync-link.module.css';

/** A sync as replies name it beside what it brought about. */
export interface NamedSync {
  readonly syncId?: string | undefined;
  readonly syncConnectorId?: string | undefined;
  readonly syncConnectorDisplayName?: string | undefined;
  readonly syncStartedAt?: string | undefined;
}

export function SyncLink({ sync }: { sync: NamedSync }) {
  const mayRead = useMay('inventory.read');
  const { syncId = '', syncConnectorId = '', syncConnectorDisplayName, syncStartedAt } = sync;
  const said = (
    <>
      <Name>{syncConnectorDisplayName || text('proof.aSync')}</Name>
      {syncStartedAt === undefined ? null : `, ${date(syncStartedAt)}, ${clock(syncStartedAt)}`}
    </>
  );
  return mayRead && syncConnectorId !== '' ? (
    <Link to="/sources/$source" params={{ source: syncConnectorId }} search={{ sync: syncId }} className={styles.link}>
      {said}
    </Link>
  ) : (
    <span>{said}</span>
  );
}
