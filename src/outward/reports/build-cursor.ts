/** Progress of the job that makes a report. */
import type { WorkbookState } from '../../lib/workbook/xlsx-writer.ts';
import type { FlagsOf } from './items/index.ts';

/** After which row, how many pieces there are, whether all rows are written, and whose decisions deserve a look. */
export interface BuildCursor {
  readonly after: string;
  readonly pieces: number;
  readonly isWritten: boolean;
  readonly flagsOf: FlagsOf;
  /** True if a second review is over, so that its decisions are shown. */
  readonly hasSecond: boolean;
  /** Number of accounts that were matched by an address which their owner had before. */
  readonly formerAddresses: number;
  /** True if the review asks for signatures, so that each decision names its own. */
  readonly asksSignatures: boolean;
  /** Number of items whose reported end had passed. */
  readonly pastEnds: number;
  /** Of an Excel file: the sheet that comes next or is being written, and the place in the file; null for others, and before its first piece. */
  readonly sheet: number;
  readonly book: WorkbookState | null;
}

/** A piece that was written: its rows, those of them that are items of the review, and where to go on. */
export interface WrittenPiece {
  readonly rows: number;
  readonly items: number;
  readonly cursor: Partial<BuildCursor>;
}
