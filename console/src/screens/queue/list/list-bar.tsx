/** Above the list: which group it is, what is left of it, the filter, and the order. */
import { SearchBox } from '~/app/lists/search-box.tsx';
import { text } from '~/text/text.ts';
import { readGroups, readTotals } from '~/data/queue/state/read-state.ts';
import type { QueueView } from '~/data/queue/state/view.ts';
import styles from '~/screens/queue/queue.module.css';
import { useQueueState } from '~/screens/queue/use-queue.ts';
import { SortSelect } from './sort-select.tsx';

interface ListBarProps {
  readonly view: QueueView;
  readonly onView: (parts: Partial<QueueView>) => void;
  readonly onLeave: () => void;
}

const titles = { app: 'queue.allApps', person: 'queue.byPersonTitle', resource: 'queue.allResources', list: 'queue.allItems' } as const;

export function ListBar({ view, onView, onLeave }: ListBarProps) {
  const group = useQueueState((state) => (view.group === '' ? undefined : readGroups(state).find(({ id }) => id === view.group)));
  const totals = useQueueState(readTotals);
  const { total, left } = group ?? totals;
  const read = useQueueState(({ rows }) => (rows.phase === 'more' ? rows.list.length : undefined));
  const all = useQueueState(({ rows }) => rows.counts.total);
  const name = group?.name ?? text(titles[view.by]);
  return (
    <div className={styles.bar}>
      <h2>
        {name} <small>{text('queue.itemsLeft', { left, total })}</small>
      </h2>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter and Escape lead back to the list */}
      <div
        className={styles.search}
        onKeyDown={(event) => {
          if (/^(?:Enter|Escape|ArrowDown)$/.test(event.key) && !event.nativeEvent.isComposing) {
            event.preventDefault();
            event.stopPropagation();
            onLeave();
          }
        }}
      >
        <SearchBox label={text('queue.filter')} value={view.q} onChange={(q = '') => onView({ q })} />
      </div>
      <SortSelect value={view.sort} onChange={(sort) => onView({ sort })} onLeave={onLeave} />
      {read !== undefined && view.q !== '' ? <small role="status">{text('queue.stillReading', { read, total: all })}</small> : null}
    </div>
  );
}
