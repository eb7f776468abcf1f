/** Order of the list, without a box. */
import type { Order } from '~/data/queue/queue-rows.ts';
import { SelectBox } from '~/parts/controls/select-box.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { ariaShortcut } from '~/parts/words/keys.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import { sorts } from '~/screens/queue/address.ts';
import styles from '~/screens/queue/queue.module.css';

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
      <SelectBox
        aria-label={text('queue.sort')}
        aria-keyshortcuts={ariaShortcut('s')}
        value={value}
        onChange={onChange}
        options={sorts.map((sort) => ({ value: sort, label: text(names[sort]) }))}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && event.currentTarget.ariaExpanded !== 'true') {
            event.preventDefault();
            event.stopPropagation();
            onLeave();
          }
        }}
      />
    </span>
  );
}
