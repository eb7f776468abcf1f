/** Describes a sheet of a report as an Excel file. */
import type { Context } from '../../context.ts';
import type { Cell, SheetColumn } from '../../lib/workbook/xlsx-writer.ts';
import type { BuildCursor } from './build-cursor.ts';
import type { ReportRow } from './store.ts';

/** The report that a sheet is part of, and what was worked out once for all of it. */
export interface SheetPlace extends Pick<BuildCursor, 'flagsOf' | 'hasSecond' | 'formerAddresses' | 'pastEnds' | 'asksSignatures'> {
  readonly report: ReportRow;
}

/** Rows of a sheet; `after` is where the next begin, undefined behind the last. */
export interface SheetPage {
  readonly rows: readonly (readonly Cell[])[];
  readonly after: string | undefined;
}

/** One sheet. */
export interface ReportSheet {
  readonly name: string;
  /** True if it goes on in another sheet when it is full. */
  readonly isSplit: boolean;
  columns(place: SheetPlace): readonly SheetColumn[];
  /** The rows after `after`, '' for the first. */
  read(context: Context, place: SheetPlace, after: string): Promise<SheetPage>;
}
