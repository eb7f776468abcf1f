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
