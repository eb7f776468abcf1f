/**
 * Notes about rows of a file, and counts, in the forms rules and stores hand them to each other.
 */

/** What is wrong, or odd, in one place of a file. `column` is '' for the whole row. */
export interface RowNote {
  /** The line the row begins on; 1 is the header. */
  readonly line: number;
  readonly column: string;
  readonly reason: string;
}

/** What is known of a file, whole or as far as it was read when it was refused. */
export interface FileFacts {
  /** '' where it was refused before that was known. */
  readonly format: 'CSV' | 'XLSX' | '';
  /** SHA-256 in hex of the expanded bytes; '' where they were not read to their end. */
  readonly sha256: string;
  /** Rows read, the header left out. */
  readonly rowCount: number;
  /** The sheet and the mapping asked for with this file alone (AskedReading.key); '' for none. */
  readonly readAs: string;
}

/** How many things of one kind an import added, changed and removed, and how many the file names. */
export interface KindCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly total: number;
}

/** Notes of which the first hundred were fetched. */
export interface CountedNotes {
  readonly count: number;
  readonly notes: readonly RowNote[];
}

/** A note with the number of all of its kind, as queries give it. */
export interface CountedNoteRow extends RowNote {
  readonly count: number;
}

/** The notes of a query that counts them all in each row. */
export function collectNotes(rows: readonly CountedNoteRow[]): CountedNotes {
  return { count: rows[0]?.count ?? 0, notes: rows.map(({ line, column, reason }) => ({ line, column, reason })) };
}
