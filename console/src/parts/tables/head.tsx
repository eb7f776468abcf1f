/** The head of a table: it stays in sight, and orders the rows where the server can. */
import type { HeaderContext, ReactTable, RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { Icon } from '~/parts/words/icon.tsx';
import type { Features } from './columns.ts';
import styles from './table.module.css';

interface HeadProps<T extends RowData> {
  readonly table: Pick<ReactTable<Features, T>, 'getHeaderGroups'>;
  readonly isHidden: boolean | undefined;
}

export function Head<T extends RowData>({ table, isHidden }: HeadProps<T>) {
  return (
    <thead data-hidden={isHidden}>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {group.headers.map((header) => {
            const { header: words, meta } = header.column.columnDef;
            const said =
              typeof words === 'function' ? (words(header.getContext() as HeaderContext<Features, T, unknown>) as ReactNode) : words;
            const { sort } = meta ?? {};
            return (
              <th
                key={header.id}
                scope="col"
                data-align={meta?.align}
                data-least={meta?.least}
                data-extra={meta?.isExtra}
                aria-sort={sort?.isSorted || undefined}
              >
                {sort === undefined ? (
                  said
                ) : (
                  <button type="button" className={styles.sort} onClick={sort.onSort}>
                    {said}
                    <Icon name="down" size={14} />
                  </button>
                )}
              </th>
            );
          })}
        </tr>
      ))}
    </thead>
  );
}
