/** Files that were delivered, newest first: when, how many rows, and what changed. */
import { count, type Sync } from '~/data/inventory/inventory.ts';
import { Icon } from '~/parts/words/icon.tsx';
import { Name } from '~/parts/words/name.tsx';
import { clock, date } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { Delta } from './delta.tsx';
import styles from './sync-list.module.css';

interface SyncListProps {
  readonly syncs: readonly Sync[];
  readonly onOpen: (id: string) => void;
}

export function SyncList({ syncs, onOpen }: SyncListProps) {
  return (
    <ul className={styles.list}>
      {syncs.map((sync) => (
        <li key={sync.id}>
          <span className={isRefused(sync) ? styles.no : styles.ok}>
            <Icon name={isRefused(sync) ? 'cross' : 'check'} />
          </span>
          <span className={styles.what}>
            <button type="button" className={styles.open} onClick={() => onOpen(sync.id ?? '')}>
              {`${date(sync.createdAt ?? '', true)}, ${clock(sync.createdAt ?? '')}`}
            </button>
            <small>{isRefused(sync) ? <Name>{`${text('sync.refused')} ${sync.error ?? ''}`}</Name> : summary(sync)}</small>
          </span>
          {isRefused(sync) ? null : <Delta plus={count(sync.added)} changed={count(sync.changed)} minus={count(sync.removed)} />}
        </li>
      ))}
    </ul>
  );
}

export function isRefused(sync: Sync): boolean {
  return sync.state === 'IMPORT_STATE_FAILED';
}

function summary(sync: Sync): string {
  const rows = text('sync.rows', { count: count(sync.rows) });
  const odd = count(sync.warningCount);
  const parts = [
    rows,
    ...(odd === 0 ? [] : [text('sync.odd', { count: odd })]),
    ...(sync.incompleteReason ? [text('sync.incomplete')] : []),
  ];
  return parts.join(', ');
}
