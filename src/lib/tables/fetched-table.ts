/** Rows of another system, as a fetcher yields them: a table with the columns of an upload. A fetcher knows no database of ours. */
import type { OutgoingRules } from '../outgoing.ts';
import type { NoteStep } from './fetch-steps.ts';

/** Rows of one kind under the names of the columns that an upload would have. */
export interface FetchedTable {
  readonly kind: 'PEOPLE' | 'GRANTS';
  readonly columns: readonly string[];
  /** To be read once; a batch has at most 5,000 rows, a row as many texts as there are columns, '' where it says nothing. */
  readonly batches: AsyncIterable<readonly (readonly string[])[]>;
}

/** Things of the process that a fetcher needs. */
export interface FetchParts {
  /** Servers that may be asked. */
  readonly rules: OutgoingRules;
  /** Ends the fetch. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Absent where nobody looks on. */
  readonly noteStep?: NoteStep | undefined;
}

/** Truths about a fetch as a whole, known once its rows were read to the end. */
export interface FetchedFacts {
  /** Earliest moment that its data can be of. */
  readonly observedFrom: Date;
  /** '' where everything was there; else a word such as INGEST_DROPPED: what is missing may still exist. */
  readonly incompleteReason: string;
  /** Sentences for the owner of the source, at most 100. */
  readonly warnings: readonly string[];
}
