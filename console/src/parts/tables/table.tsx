/**
 * Rows of one kind, and what stands there while they come, where there are none, and where they did not come. Columns are TanStack Table's. In a narrow
 * place each row is a card of two lines. A row with an address is a link as a whole; controls in it stay controls. A long table draws the rows in sight.
 */
import type { LinkOptions } from '@tanstack/react-router';
import { type RowData, type RowSelectionState, useTable } from '@tanstack/react-table';
import { type ReactNode, useRef, useState } from 'react';
import { Failed } from '~/parts/states/failed.tsx';
import type { Loadable } from '~/parts/states/load.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { Body } from './body.tsx';
import { type Column, column, features, type MakeColumn } from './columns.ts';
import { Head } from './head.tsx';
import { type Paged, Pages } from './pages.tsx';
import { type Selection, selectColumn } from './select-column.tsx';
import styles from './table.module.css';

/** Rows below a head of their own. */
export interface Group<T extends RowData> {
  readonly id: string;
  readonly head?: ReactNode;
  readonly rows: readonly T[];
  /** Below its rows, such as the way to the next page of this group. */
  readonly foot?: ReactNode;
}

/** Parts read of the query whose rows these are. */
type TableQuery = Loadable<unknown> | (Loadable<unknown> & Paged);

/** States of a table without rows: while they come, and where there are none. */
export interface TableStates {
  /** Until it has answered the table is a skeleton; where it comes in pages, the way to the next is below the rows. */
  readonly query?: TableQuery | undefined;
  /** In the place of a table without rows. */
  readonly empty?: ReactNode;
}

interface TableProps<T extends RowData> extends TableStates {
  readonly label: string;
  readonly columns: (column: MakeColumn<T>) => readonly Column<T>[];
  readonly rows: readonly T[];
  /** The same rows below heads of their own. */
  readonly groups?: readonly Group<T>[] | undefined;
  readonly rowKey: (row: T) => string;
  /** Target of a row; the words of the first cell are the link's. */
  readonly rowLink?: ((row: T) => LinkOptions | undefined) | undefined;
  /** Second line of the first cell, which is no part of its link. */
  readonly rowDetail?: ((row: T) => ReactNode) | undefined;
  readonly selection?: Selection<T> | undefined;
  /** True if its head is for those who listen alone. */
  readonly hideHead?: boolean | undefined;
}

export function Table<T extends RowData>({ rows, query, empty, ...rest }: TableProps<T>) {
  if (query !== undefined && query.data === undefined) {
    return query.error ? <Failed error={query.error} retry={() => void query.refetch()} /> : <Skeleton rows={6} />;
  }
  return (
    <>
      {rows.length === 0 && empty !== undefined ? empty : <Frame rows={rows} {...rest} />}
      {query !== undefined && 'fetchNextPage' in query ? <Pages query={query} /> : null}
    </>
  );
}

function Frame<T extends RowData>({
  label,
  columns,
  rows,
  groups,
  rowKey,
  rowLink,
  rowDetail,
  selection,
  hideHead,
}: Omit<TableProps<T>, keyof TableStates>) {
  const frame = useRef<HTMLTableElement>(null);
  /** Shares of the width that columns keep while rows come and go. */
  const [shares, setShares] = useState<readonly number[]>();
  const rowSelection: RowSelectionState = Object.fromEntries([...(selection?.selected ?? [])].map((id) => [id, true]));
  const table = useTable({
    features,
    columns: [...(selection === undefined ? [] : [selectColumn(selection)]), ...columns(column<T>)],
    data: rows,
    getRowId: rowKey,
    state: { rowSelection },
    enableRowSelection: ({ original }) => selection?.may?.(original) ?? true,
    onRowSelectionChange: (change) => {
      const next = typeof change === 'function' ? change(rowSelection) : change;
      selection?.onChange(new Set(Object.keys(next).filter((id) => next[id])));
    },
  });
  const all = table.getRowModel().rows;
  const shown = table.getAllLeafColumns();
  const keepWidths = () => {
    const widths = [...(frame.current?.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.offsetWidth);
    const sum = widths.reduce((total, width) => total + width, 0);
    setShares(sum === 0 ? undefined : widths.map((width) => (width / sum) * 100));
  };
  const kept = shares?.length === shown.length ? shares : undefined;
  let first = 0;
  return (
    <div className={styles.place}>
      {/* The roles are said because a table that is laid out otherwise in a narrow place loses them. */}
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <table ref={frame} className={styles.table} aria-label={label} role="table" data-kept={kept !== undefined || undefined}>
        <colgroup>
          {shown.map(({ id, columnDef: { meta } }, index) => (
            <col key={id} width={kept === undefined ? meta?.width : `${kept[index] ?? 0}%`} data-extra={meta?.isExtra} />
          ))}
        </colgroup>
        <Head table={table} isHidden={hideHead} />
        {(groups ?? [{ id: '', rows }]).map(({ id, head, foot, rows: { length } }: Group<T>) => {
          const from = first;
          first += length;
          return (
            <Body
              key={id}
              rows={all.slice(from, from + length)}
              columns={shown.length}
              head={head}
              foot={foot}
              rowLink={rowLink}
              rowDetail={rowDetail}
              onLong={keepWidths}
            />
          );
        })}
      </table>
    </div>
  );
}
