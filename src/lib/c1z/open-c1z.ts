/**
 * Reads a c1z, the file that a Baton connector writes (https://github.com/conductorone/baton-sdk), as the rows of an upload of grants. Its database is
 * read by a thread of its own, so that the process goes on with its work meanwhile.
 */
import type { FetchedFacts, FetchedTable } from '../tables/fetched-table.ts';
import { type ExpandLimits, expandC1z } from './expand-c1z.ts';
import type { C1zOptions } from './messages.ts';
import { readStart } from './read-start.ts';
import { startReader } from './start-reader.ts';
import { listColumns, takeRows } from './take-rows.ts';

/** Options of a c1z. */
export interface OpenC1zOptions extends C1zOptions {
  /** Time zone of the connector's host, for the times of its sync, which have none; unknown where undefined. */
  readonly zone?: string | undefined;
  readonly limits?: ExpandLimits;
}

/** A c1z that is being read. */
export interface OpenC1z {
  readonly table: FetchedTable;
  /** To be asked once all rows were read. */
  facts(): FetchedFacts;
  /** Ends the reading and removes what is on disk; to be called whatever happens. */
  close(): Promise<void>;
}

/**
 * Opens a c1z from its bytes, which are read to their end first. Throws a C1zError, then and while rows are read, for whatever is wrong with the
 * file: rows that were read until then are to be thrown away.
 */
export async function openC1z(bytes: AsyncIterable<Uint8Array>, options: OpenC1zOptions = {}): Promise<OpenC1z> {
  const { zone, limits, profileAllowList = [], profileIgnoreList = [] } = options;
  const file = await expandC1z(bytes, limits);
  const reader = startReader(file.path, { profileAllowList, profileIgnoreList });
  const close = async () => {
    reader.end();
    await file.remove();
  };
  try {
    const opened = await reader.next();
    if (opened.kind !== 'OPENED') {
      throw new Error('the thread that reads a c1z did not begin at the beginning');
    }
    // From here on the thread holds it open, and nothing remains of it after a kill.
    await file.remove();
    const observedFrom = readStart(opened.startedAt, zone);
    let warnings: readonly string[] | undefined;
    const batches = takeRows(opened, reader.next, (found) => {
      warnings = found;
    });
    const facts = () => {
      if (warnings === undefined) {
        throw new Error('the rows of a c1z were not read to their end');
      }
      return { observedFrom, incompleteReason: opened.incompleteReason, warnings };
    };
    return { table: { kind: 'GRANTS', columns: listColumns(opened), batches }, facts, close };
  } catch (error) {
    await close();
    throw error;
  }
}
