/** The table of items: whose, what, who is asked, and what became of it. */
import { Checkbox } from '../../parts/checkbox.tsx';
import { Name } from '../../parts/name.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Mark } from '../../parts/mark.tsx';
import { When } from '../../parts/when.tsx';
import { type PlainTextKey, text } from '../../text/text.ts';
import type { Item } from './item.ts';
import styles from './items.module.css';

const words: Readonly<Record<Item['state'], PlainTextKey>> = {
  undecided: 'review.undecided',
  certified: 'review.certified',
  denied: 'review.denied',
  gone: 'review.gone',
};

interface ItemsTableProps {
  readonly items: readonly Item[];
  readonly names: ReadonlyMap<string, string>;
  /** Absent where nothing can be selected. */
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
}

export function ItemsTable({ items, names, selected, onSelect }: ItemsTableProps) {
  const toggle = (id: string, checked: boolean) => {
    const next = new Set(selected);
    if (checked) {
      next.add(id);
    } else {
      next.delete(id);
    }
    onSelect?.(next);
  };
  const select: readonly Column<Item>[] =
    selected === undefined
      ? []
      : [
          {
            id: 'select',
            head: '',
            width: 40,
            cell: (item) =>
              item.isOpen ? (
                <Checkbox
                  label={text('review.selectItem', { person: item.person || item.account, right: item.entitlement })}
                  checked={selected.has(item.id)}
                  onChange={(checked) => toggle(item.id, checked)}
                  hideLabel
                />
              ) : null,
          },
        ];
  return (
    <Table
      label={text('review.items')}
      rows={items}
      rowKey={(item) => item.id}
      columns={[
        ...select,
        {
          id: 'who',
          head: text('review.who'),
          cell: (item) => (
            <span className={styles.two}>
              {item.person || item.account || text('review.unowned')}
              <small>{item.person === '' ? text('review.unowned') : item.account}</small>
            </span>
          ),
        },
        {
          id: 'what',
          head: text('review.right'),
          cell: (item) => (
            <span className={styles.two}>
              {item.entitlement}
              <small>{item.app}</small>
            </span>
          ),
        },
        {
          id: 'asked',
          head: text('review.asked'),
          narrow: 'hide',
          cell: (item) =>
            item.isOpen && item.askedIds.length === 0 ? (
              <span className={styles.no}>{text('review.nobody')}</span>
            ) : (
              <Name>
                {item.askedIds
                  .map((id) => names.get(id) ?? '')
                  .filter(Boolean)
                  .slice(0, 3)
                  .join(', ')}
              </Name>
            ),
        },
        {
          id: 'state',
          head: text('review.state'),
          narrow: 'second',
          cell: (item) => (
            <span className={styles.state}>
              <Mark state={item.state} />
              {text(words[item.state])}
            </span>
          ),
        },
        {
          id: 'when',
          head: text('review.when'),
          align: 'end',
          narrow: 'hide',
          cell: (item) => (item.decidedAt === undefined ? null : <When at={item.decidedAt} />),
        },
      ]}
    />
  );
}
