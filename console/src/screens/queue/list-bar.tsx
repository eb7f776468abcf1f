/** Above the list: which group it is, what is left of it, the filter, and the order. */
import { SearchField } from '../../parts/search-field.tsx';
import { text } from '../../text/text.ts';
import type { QueueView } from './address.ts';
import styles from './queue.module.css';
import type { QueueModel } from './model.ts';
import { SortSelect } from './sort-select.tsx';

interface ListBarProps {
  readonly model: QueueModel;
  readonly view: QueueView;
  readonly onView: (view: QueueView) => void;
  readonly onLeave: () => void;
}

const titles = { app: 'queue.allApps', person: 'queue.byPersonTitle', resource: 'queue.allResources', list: 'queue.allItems' } as const;

export function ListBar({ model, view, onView, onLeave }: ListBarProps) {
  const group = view.group === '' ? undefined : model.groups().find(({ id }) => id === view.group);
  const { total, left } = group ?? model.totals();
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
          if (event.key === 'Enter' || event.key === 'Escape' || event.key === 'ArrowDown') {
            event.preventDefault();
            event.stopPropagation();
            onLeave();
          }
        }}
      >
        <SearchField label={text('queue.filter')} value={view.q} keys="/" onChange={(q) => onView({ ...view, q })} />
      </div>
      <SortSelect value={view.sort} onChange={(sort) => onView({ ...view, sort })} onLeave={onLeave} />
      {model.rows.state === 'more' && view.q !== '' ? (
        <small role="status">{text('queue.stillReading', { read: model.rows.rows.length, total: model.rows.counts.total })}</small>
      ) : null}
    </div>
  );
}
