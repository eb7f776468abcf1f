/** Origin of an import's rows: the body of a request, or a fetch. It is read in open-rows.ts, fetched-rows.ts and read-file.ts. */
import type { Readable } from 'node:stream';
import type { FetchedFacts } from '../../../lib/tables/fetched-table.ts';
import type { OpenRows } from './open-rows.ts';

/** The body of a request, as it came. */
export interface SentFile {
  readonly body: Readable;
  /** Content-Encoding in lower case, '' where there is none. */
  readonly encoding: string;
  /** Aborted when the client goes away before it was answered. */
  readonly left?: AbortSignal | undefined;
  /** Rows of the body that were read already: those of one app of several. */
  readonly opened?: OpenRows | undefined;
}

/** Rows of another system (openFetched). */
export interface FetchedRows {
  readonly body?: undefined;
  readonly opened: OpenRows;
  /** Answers once the rows were read to their end. */
  readonly facts: () => FetchedFacts;
  /** The fetch that brought them; '' where none is recorded. */
  readonly fetchId: string;
  /** Aborted when they are wanted no more. */
  readonly left?: AbortSignal | undefined;
}

/** Rows to be imported. */
export type Upload = SentFile | FetchedRows;

/** To be called before anything else is waited for: an upload that breaks off before it is read must not end the process. Its reader hears of it. */
export function expectUpload({ body }: Upload): void {
  body?.on('error', () => undefined);
}
