/** Columns of a table, as TanStack Table defines them, with what our table knows of each beside. */
import { type ColumnDef, type RowData, rowSelectionFeature, tableFeatures } from '@tanstack/react-table';
import type { ReactNode } from 'react';

interface ColumnMeta {
  readonly align?: 'start' | 'center' | 'end' | undefined;
  /** In pixels, or as a share such as `20%`. */
  readonly width?: string | number | undefined;
  /** Names of people and things are broken where they must be, but not below this width. */
  readonly least?: 'name' | 'words' | undefined;
  /** Place in a row that is a card: in its second line, or left out. Without it, a cell stands in the first line. */
  readonly narrow?: 'hide' | 'second' | undefined;
  /** Left out where a table with all its columns would be crowded. */
  readonly isExtra?: boolean | undefined;
  /** The server can order by it. */
  readonly sort?: ColumnSort | undefined;
}

/** Order of a column, as the address has it, and how to change it. */
export interface ColumnSort {
  readonly isSorted: 'ascending' | 'descending' | false;
  readonly onSort: () => void;
}

/** Features of TanStack Table that are loaded. Filters, order and pages are the server's. */
export const features = tableFeatures({ rowSelectionFeature, columnMeta: {} as ColumnMeta });
export type Features = typeof features;

export type Column<T extends RowData> = ColumnDef<Features, T, unknown>;

/**
 * Returns a column that shows something of each row. `show` is called as a function and not made a component, so that columns which are made anew in
 * each render keep what stands in their cells.
 */
export function column<T extends RowData>(id: string, header: string, show: (row: T) => ReactNode, meta: ColumnMeta = {}): Column<T> {
  return { id, header, meta, cell: ({ row }) => show(row.original) };
}

/** Makes columns of a table, knowing its rows. */
export type MakeColumn<T extends RowData> = typeof column<T>;
