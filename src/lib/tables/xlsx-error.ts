/** The one error of reading Excel files. */

/** Reason a file cannot be read as an Excel file at all; a wrong value in a cell is a fault of its row instead. */
export class XlsxError extends Error {
  override readonly name = 'XlsxError';
  /** The row of the sheet, counted from 1, where one is to blame. */
  readonly row: number | undefined;

  constructor(message: string, row?: number) {
    super(message);
    this.row = row;
  }
}
