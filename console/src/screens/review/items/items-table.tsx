/** The table of items: whose, what, who is asked, and what became of it. */
import { Link, type LinkOptions } from '@tanstack/react-router';
import type { NameAt } from '~/data/names-at.ts';
import { Name } from '~/parts/words/name.tsx';
import { Table, type TableStates } from '~/parts/tables/table.tsx';
import { Menu, type MenuItem } from '~/parts/over/menu.tsx';
import { Mark } from '~/parts/words/mark.tsx';
import { When } from '~/parts/words/when.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import { type Item, sayDecided } from '~/app/reviews/item.ts';
import styles from './items.module.css';

const words: Readonly<Record<Item['state'], PlainTextKey>> = {
  undecided: 'review.undecided',
  certified: 'review.certified',
  denied: 'review.denied',
  gone: 'review.gone',
};

interface ItemsTableProps extends TableStates {
  readonly items: readonly Item[];
  readonly nameAt: NameAt;
  /** Absent where nothing can be selected. */
  readonly selected?: ReadonlySet<string>;
  /** The address of the story of one. */
  readonly linkOf: (id: string) => LinkOptions;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
  /** Menu of what can be done with one; absent where nothing can. */
  readonly menuOf?: (item: Item) => readonly MenuItem[];
}

export function ItemsTable({ items, nameAt, selected, linkOf, onSelect, menuOf, ...states }: ItemsTableProps) {
  return (
    <Table
      {...states}
      label={text('review.items')}
      rows={items}
      rowKey={(item) => item.id}
      selection={
        onSelect === undefined
          ? undefined
          : {
              selected: selected ?? new Set(),
              onChange: onSelect,
              may: (item) => item.isOpen || (menuOf?.(item).length ?? 0) > 0,
              labelOf: (item) => text('review.selectItem', { person: item.person || item.account, right: item.entitlement }),
            }
      }
      columns={(column) => [
        column('who', text('review.who'), (item) => (
          <span className={styles.two}>
            <Link {...linkOf(item.id)}>
              <Name>{item.person || item.account || text('review.unowned')}</Name>
            </Link>
            <small>{item.person === '' ? text('review.unowned') : item.account}</small>
          </span>
        )),
        column(
          'what',
          text('review.right'),
          (item) => (
            <span className={styles.two}>
              {item.entitlement}
              <small>{item.app}</small>
            </span>
          ),
          { narrow: 'second' },
        ),
        column(
          'asked',
          text('review.asked'),
          (item) =>
            item.isOpen && item.askedIds.length === 0 ? (
              <span className={styles.no}>{text('review.nobody')}</span>
            ) : (
              <Name>
                {item.askedIds
                  .map((id) => nameAt(id, item.decidedAt))
                  .filter(Boolean)
                  .slice(0, 3)
                  .join(', ')}
              </Name>
            ),
          { narrow: 'hide' },
        ),
        column(
          'state',
          text('review.state'),
          (item) => (
            <span className={styles.state}>
              <Mark state={item.state} />
              {text(words[item.state])}
            </span>
          ),
          { narrow: 'second' },
        ),
        column('by', text('item.decidedBy'), (item) => (item.isOpen ? null : <Name>{sayDecided(item, nameAt)}</Name>), { narrow: 'hide' }),
        column('when', text('review.when'), (item) => (item.decidedAt === undefined ? null : <When at={item.decidedAt} />), {
          align: 'end',
          narrow: 'hide',
        }),
        ...(menuOf === undefined
          ? []
          : [
              column(
                'more',
                '',
                (item: Item) => {
                  const entries = menuOf(item);
                  const label = text('review.moreWithItem', { person: item.person || item.account, right: item.entitlement });
                  return entries.length === 0 ? null : <Menu label={label} items={entries} />;
                },
                { width: 48 },
              ),
            ]),
      ]}
    />
  );
}
