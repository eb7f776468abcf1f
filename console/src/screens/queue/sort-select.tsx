/** What comes first in the list: the browser's own list of a few, without a box. */
import type { Order } from '../../data/queue-rows.ts';
import { Icon } from '../../parts/icon.tsx';
import { shortcutOf } from '../../parts/keys.tsx';
import { type PlainTextKey, text } from '../../text/text.ts';
import { sorts } from './address.ts';
import styles from './queue.module.css';

const names: Readonly<Record<Order, PlainTextKey>> = {
  closer: 'queue.sortCloser',
  person: 'queue.sortPerson',
  right: 'queue.sortRight',
  unused: 'queue.sortUnused',
  newest: 'queue.sortNewest',
};

interface SortSelectProps {
  readonly value: Order;
  readonly onChange: (value: Order) => void;
  readonly onLeave: () => void;
}

export function SortSelect({ value, onChange, onLeave }: SortSelectProps) {
  return (
    <span className={styles.sort}>
      <Icon name="filter" />
      <select
        aria-label={text('queue.sort')}
        aria-keyshortcuts={shortcutOf('s')}
        value={value}
        onChange={(event) => onChange(event.target.value as Order)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === 'Escape') {
            event.preventDefault();
            event.stopPropagation();
            onLeave();
          }
        }}
      >
        {sorts.map((sort) => (
          <option key={sort} value={sort}>
            {text(names[sort])}
          </option>
        ))}
      </select>
    </span>
  );
}
