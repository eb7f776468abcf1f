/** The column by which rows are selected: one, those up to another with Shift, or all that are shown. */
import type { Row, RowData } from '@tanstack/react-table';
import { useRef } from 'react';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { text } from '~/text/text.ts';
import type { Column, Features } from './columns.ts';

export interface Selection<T extends RowData> {
  /** Keys of the rows. */
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
  readonly labelOf: (row: T) => string;
  /** True for a row that can be selected; without it, all can. */
  readonly may?: ((row: T) => boolean) | undefined;
}

export const selectId = 'select';

export function selectColumn<T extends RowData>({ labelOf }: Selection<T>): Column<T> {
  return {
    id: selectId,
    meta: { width: 40 },
    header: ({ table }) => (
      <Checkbox
        label={text('parts.selectAll')}
        checked={table.getIsAllRowsSelected()}
        some={table.getIsSomeRowsSelected()}
        onChange={(isAll) => table.toggleAllRowsSelected(isAll)}
        hideLabel
      />
    ),
    cell: ({ row }) => (row.getCanSelect() ? <SelectRow row={row} label={labelOf(row.original)} /> : null),
  };
}

function SelectRow<T extends RowData>({ row, label }: { row: Row<Features, T>; label: string }) {
  /** Held while it is pressed, which the checkbox does not say. */
  const isShift = useRef(false);
  return (
    <span
      onClickCapture={({ shiftKey }) => {
        isShift.current = shiftKey;
      }}
    >
      <Checkbox
        label={label}
        checked={row.getIsSelected()}
        onChange={(checked) => row.getToggleSelectedHandler()({ target: { checked }, shiftKey: isShift.current })}
        hideLabel
      />
    </span>
  );
}
