/** Rows of a table, or of one of its groups. */
import { Link, type LinkOptions } from '@tanstack/react-router';
import type { Row as TableRow, RowData } from '@tanstack/react-table';
import { type ReactNode, type Ref, Suspense } from 'react';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import type { Features } from './columns.ts';
import { selectId } from './select-column.tsx';
import styles from './table.module.css';

/** From so many rows on, those in sight alone are drawn. */
const longFrom = 200;

const LongRows = lazyPart(() => import('./long-rows.tsx').then(({ LongRows: component }) => component));

interface BodyProps<T extends RowData> {
  readonly rows: readonly TableRow<Features, T>[];
  /** Number of columns. */
  readonly columns: number;
  readonly head: ReactNode;
  readonly foot: ReactNode;
  readonly rowLink: ((row: T) => LinkOptions | undefined) | undefined;
  readonly rowDetail: ((row: T) => ReactNode) | undefined;
  /** Called once before rows come and go. */
  readonly onLong: () => void;
}

export function Body<T extends RowData>({ rows, columns, head, foot, rowLink, rowDetail, onLong }: BodyProps<T>) {
  const of = (row: TableRow<Features, T>) => ({ row, link: rowLink?.(row.original), detail: rowDetail?.(row.original) });
  const whole = rows.map((row) => <Row key={row.id} {...of(row)} />);
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a table that is laid out otherwise loses its roles
    <tbody role="rowgroup">
      {head === undefined ? null : (
        <tr className={styles.group}>
          <th scope="rowgroup" colSpan={columns}>
            {head}
          </th>
        </tr>
      )}
      {rows.length < longFrom ? (
        whole
      ) : (
        <Suspense fallback={whole}>
          <LongRows
            ids={rows.map(({ id }) => id)}
            columns={columns}
            whole={whole}
            onStart={onLong}
            draw={(index, ref) => {
              const row = rows[index];
              return row === undefined ? null : <Row key={row.id} {...of(row)} index={index} innerRef={ref} />;
            }}
          />
        </Suspense>
      )}
      {foot === undefined ? null : (
        <tr className={styles.foot}>
          <td colSpan={columns}>{foot}</td>
        </tr>
      )}
    </tbody>
  );
}

interface RowProps<T extends RowData> {
  readonly row: TableRow<Features, T>;
  readonly link: LinkOptions | undefined;
  readonly detail: ReactNode;
  /** The place of this row and how its height is learned, where not all rows are drawn. */
  readonly index?: number;
  readonly innerRef?: Ref<HTMLTableRowElement>;
}

function Row<T extends RowData>({ row, link, detail, index, innerRef }: RowProps<T>) {
  const cells = row.getAllCells();
  const naming = cells.findIndex(({ column }) => column.id !== selectId);
  return (
    <tr
      ref={innerRef}
      // biome-ignore lint/a11y/noRedundantRoles: a table that is laid out otherwise loses its roles
      role="row"
      data-index={index}
      aria-rowindex={index === undefined ? undefined : index + 2}
      data-selected={row.getIsSelected() || undefined}
      className={link === undefined ? undefined : styles.linked}
    >
      {cells.map((cell, at) => {
        const { cell: words, meta } = cell.column.columnDef;
        const said = (typeof words === 'function' ? words(cell.getContext()) : words) as ReactNode;
        const isNaming = at === naming;
        const Cell = isNaming ? 'th' : 'td';
        return (
          <Cell
            key={cell.id}
            scope={isNaming ? 'row' : undefined}
            role={isNaming ? 'rowheader' : 'cell'}
            data-align={meta?.align}
            data-least={meta?.least}
            data-narrow={meta?.narrow}
            data-extra={meta?.isExtra}
          >
            {isNaming && link !== undefined ? (
              <Link {...link} className={styles.link}>
                {said}
              </Link>
            ) : (
              said
            )}
            {isNaming ? detail : null}
          </Cell>
        );
      })}
    </tr>
  );
}
