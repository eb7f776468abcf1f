/** Fault of a CSV text. In a file of its own, so that what reads its parts needs not the whole. */

/** Reason a text is not CSV at all; unlike a wrong value, nothing after it can be read. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
  /** Its line, counted from 1; a row that spans lines counts as its first. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
