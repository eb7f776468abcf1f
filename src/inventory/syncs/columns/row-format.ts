/** Way one kind of file is read, row by row: grant-rows.ts and people-rows.ts are the two. */
import type { Columns } from './columns.ts';
import type { Complain, WantedColumns } from '../values/index.ts';

/** Way one kind of file is read. */
export interface RowFormat<Name extends string> extends WantedColumns<Name> {
  /** The column that all rows of one thing have in common: what they say together is only known from all of them. */
  readonly key: Name;
  /** The columns that a row must fill to say a part of what the file is about, such as a grant. */
  readonly partKeys: readonly Name[];
  /**
   * A function that turns a row into a line of COPY text without its line end, given the columns of the file. Called once per row;
   * when it complains, its line is not used.
   */
  prepare(columns: Columns<Name>): (row: readonly string[], line: number, complain: Complain, isPlain: boolean) => string;
}
