/**
 * Rows of one kind. On a phone each row is two lines: what has no `narrow` stays in the first, `second` goes to the next, `hide` is left out.
 * A row with an address is a link as a whole; controls in it stay controls.
 */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { linkTo } from './link-to.ts';
import styles from './table.module.css';

export interface Column<T> {
  readonly id: string;
  readonly head: ReactNode;
  readonly align?: 'start' | 'center' | 'end' | undefined;
  /** In pixels, or as a share such as `20%`. */
  readonly width?: string | number | undefined;
  readonly cell: (row: T) => ReactNode;
  readonly narrow?: 'hide' | 'second' | undefined;
}

interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  /** Where a row leads; the first cell's words are the link's. */
  readonly rowLink?: ((row: T) => string | undefined) | undefined;
}

export function Table<T>({ label, columns, rows, rowKey, rowLink }: TableProps<T>) {
  return (
    // The roles are said because a table that is laid out otherwise on a phone loses them.
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <table className={styles.table} aria-label={label} role="table">
      <colgroup>
        {columns.map((column) => (
          <col key={column.id} width={column.width} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" data-align={column.align}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <tbody role="rowgroup">
        {rows.map((row) => (
          <Row key={rowKey(row)} row={row} columns={columns} link={rowLink?.(row)} />
        ))}
      </tbody>
    </table>
  );
}

function Row<T>({ row, columns, link }: { row: T; columns: readonly Column<T>[]; link: string | undefined }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <tr role="row" className={link === undefined ? undefined : styles.linked}>
      {columns.map((column, index) => (
        // biome-ignore lint/a11y/noRedundantRoles: see above
        <td key={column.id} role="cell" data-align={column.align} data-narrow={column.narrow}>
          {index === 0 && link !== undefined ? (
            <Link {...linkTo(link)} className={styles.link}>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}
