/** Fetches the rows of one statement from a database of others, as a table. Knows no database of ours; drivers are loaded with the first use. */
import { FetchFault } from '../tables/fetch-fault.ts';
import type { FetchedFacts, FetchedTable, FetchParts } from '../tables/fetched-table.ts';
import type { NoteStep } from '../tables/fetch-steps.ts';
import { connectJudged, type JudgedConnection } from './connect-judged.ts';
import { findSettingFaults, type SqlSettings } from './settings.ts';
import { isTooLong } from './texts.ts';

/** Longest time of a fetch, from the connection to the last row. */
const timeLimitMs = 600_000;
const maxColumns = 1_000;

/** A statement that runs. */
export interface OpenStatement {
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<string[][]>;
  /** The moment that a copy of a database is of; undefined for the database itself. */
  readonly observedBy: Date | undefined;
}

/** Limits of a statement, and whom it tells how far it came. */
export interface Running {
  readonly timeLimitMs: number;
  readonly noteStep: NoteStep | undefined;
}

/** Rows that are being fetched. */
export interface OpenSql {
  readonly table: FetchedTable;
  facts(): FetchedFacts;
  /** Gives up the connection; to be called whatever happens. */
  close(): void;
}

/**
 * Signs in, checks that the user may only read, and runs the statement. Throws a FetchFault, as reading the rows does. Whoever ends the signal gets
 * its reason.
 */
export async function openSql(
  settings: SqlSettings,
  secrets: { readonly password?: string | undefined },
  parts: FetchParts,
): Promise<OpenSql> {
  const [fault] = findSettingFaults(settings);
  if (fault !== undefined) {
    throw new FetchFault('SETTINGS', `${fault.field} ${fault.reason}.`, { field: fault.field });
  }
  const { password = '' } = secrets;
  if (password === '') {
    throw new FetchFault('REFUSED', 'The source has no secret named password.', { field: 'password' });
  }
  const tooLong = new FetchFault('REFUSED', 'The database took longer than 10 minutes.');
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(tooLong), timeLimitMs);
  timer.unref();
  const signal = AbortSignal.any([parts.signal, limit.signal]);
  const begun = parts.now();
  const close = (): void => clearTimeout(timer);
  try {
    const connection = await connectJudged(settings, { ...parts, signal });
    try {
      const { columns, batches, observedBy } = await run(settings, password, connection, parts.noteStep);
      requireColumns(columns);
      const observedFrom = observedBy !== undefined && observedBy < begun ? observedBy : begun;
      return {
        table: { kind: settings.isPeople ? 'PEOPLE' : 'GRANTS', columns, batches: withoutLongRows(batches, signal) },
        facts: () => ({ observedFrom, incompleteReason: '', warnings: [] }),
        close() {
          close();
          connection.close();
        },
      };
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    close();
    signal.throwIfAborted();
    throw error;
  }
}

async function run(
  settings: SqlSettings,
  password: string,
  connection: JudgedConnection,
  noteStep: NoteStep | undefined,
): Promise<OpenStatement> {
  if (settings.engine === 'POSTGRESQL') {
    const { openPostgresql } = await import('./postgresql.ts');
    return openPostgresql(settings, password, connection, { timeLimitMs, noteStep });
  }
  const { openMysql } = await import('./mysql.ts');
  return openMysql(settings, password, connection, { timeLimitMs, noteStep });
}

function requireColumns(columns: readonly string[]): void {
  if (columns.length === 0 || columns.length > maxColumns) {
    throw new FetchFault('SETTINGS', `The statement must answer rows of 1 to ${maxColumns} columns.`, { field: 'statement' });
  }
}

async function* withoutLongRows(batches: AsyncIterable<string[][]>, signal: AbortSignal): AsyncGenerator<string[][]> {
  let count = 0;
  try {
    for await (const rows of batches) {
      const at = rows.findIndex(isTooLong);
      if (at >= 0) {
        throw new FetchFault('SETTINGS', `Row ${count + at + 1} has more than 64 KiB. Select fewer columns.`, { field: 'statement' });
      }
      count += rows.length;
      yield rows;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
