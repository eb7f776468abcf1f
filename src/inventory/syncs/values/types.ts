/**
 * Notes about rows of a file, and counts, in the forms rules and stores hand them to each other.
 */
import { showUnseen } from '../../../lib/names/visible-text.ts';

/** Fault, or oddity, in one place of a file. `column` is '' for the whole row. */
export interface RowNote {
  /** The line the row begins on; 1 is the header. */
  readonly line: number;
  readonly column: string;
  readonly reason: string;
}

/** Facts of a file, whole or as far as it was read when it was refused. */
export interface FileFacts {
  /** '' where it was refused before that was known, and for fetched rows of no file. */
  readonly format: 'CSV' | 'XLSX' | 'C1Z' | '';
  /** SHA-256 in hex of the expanded bytes; '' where they were not read to their end. */
  readonly sha256: string;
  /** Rows read, the header left out. */
  readonly rowCount: number;
  /** The sheet and the mapping asked for with this file alone (AskedReading.key); '' for none. */
  readonly readAs: string;
}

/** Reading of a file: what was found, what was guessed, and what its values were taken for. */
export interface HowRead {
  /** '' for an Excel file, as is the separator. */
  readonly encoding: string;
  readonly separator: string;
  readonly headerLine: number;
  /** The known export it is of; '' for none. */
  readonly preset: string;
  /** The mapping it was read with; empty where its own names were enough. */
  readonly mapping: Readonly<Record<string, string>>;
  /** Wanted columns whose place was guessed. */
  readonly guessed: readonly string[];
  /** Wanted columns that say the same in all rows because nothing in the file says it. */
  readonly constants: Readonly<Record<string, string>>;
  readonly values: readonly { readonly column: string; readonly value: string; readonly meaning: string; readonly count: number }[];
  /** Order of dates such as 03/04/2026; '' where it has none. */
  readonly dateOrder: string;
  /** Rows that are none of its table: the first hundred. The reason is their text, or why they are none. */
  readonly skipped: readonly RowNote[];
  /** All of them; absent where an earlier release counted none but those. */
  readonly skippedCount?: number;
}

/** Points an import left for people to look at. */
export interface Findings {
  readonly isNewApp: boolean;
  /** Apps with nearly the name of the new one. */
  readonly similarApps: readonly string[];
  readonly unowned: number;
  /** Accounts that match several people. */
  readonly ambiguous: number;
  /** Accounts whose owner was found by an address that they had before; absent where an earlier release did not count them. */
  readonly byFormerAddress?: number;
  /** Rows that say a grant that another row has said. */
  readonly repeated: number;
}

/** Counts of things of one kind an import added, changed and removed, and of those in the file. */
export interface KindCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly total: number;
  /** Of people: rows of whom it is disputed who they are. */
  readonly disputed?: number;
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
  return { count: rows[0]?.count ?? 0, notes: rows.map(({ line, column, reason }) => ({ line, column, reason: showUnseen(reason) })) };
}
