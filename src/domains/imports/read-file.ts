/**
 * From an uploaded file to a spool of rows the database can take: header, rows, errors of single rows. Rules that need more than one
 * row, or the database, are in import-people.ts and import-grants.ts.
 */
import type { Readable } from 'node:stream';
import { AppError, isAppError } from '../../errors.ts';
import { CsvError, readCsv } from '../../lib/csv.ts';
import { openSource, SourceError } from '../../lib/csv-source.ts';
import { type Columns, readHeader } from './columns.ts';
import type { Complain } from './fields.ts';
import { fileLimits } from './limits.ts';
import { createNoteList, type NoteList, refuseFile } from './notes.ts';
import { openSpool, type Spool } from './spool.ts';

/** The body of a request, as it came. */
export interface Upload {
  readonly body: Readable;
  /** Content-Encoding in lower case, '' where there is none. */
  readonly encoding: string;
}

/** How one kind of file is read. */
export interface RowFormat<Name extends string> {
  readonly wanted: readonly Name[];
  /**
   * A function that turns a row into a line of COPY text without its line end, given the columns of the file. Called once per row;
   * when it complains, its line is not used.
   */
  prepare(columns: Columns<Name>): (row: readonly string[], line: number, complain: Complain, isPlain: boolean) => string;
}

/** A file that was read: its spool holds the rows without errors. */
export interface ReadFile {
  readonly spool: Spool;
  readonly rowCount: number;
  readonly sha256: string;
  readonly errors: NoteList;
  readonly hasProfiles: boolean;
}

/**
 * Reads an upload to its end. INVALID_ARGUMENT for what is no such file at all, UNSUPPORTED_MEDIA_TYPE for an unknown encoding,
 * PAYLOAD_TOO_LARGE over 20 GiB. The caller closes the spool; after an error there is none.
 */
export async function readFile<Name extends string>(upload: Upload, format: RowFormat<Name>): Promise<ReadFile> {
  const spool = await openSpool();
  try {
    return await fillSpool(upload, format, spool);
  } catch (error) {
    await spool.close();
    throw translate(error);
  } finally {
    // A client that is still sending hears of a refusal only if the rest is read, to be thrown away. Later, because the stream must first
    // forget who read it until now.
    setImmediate(() => upload.body.resume());
  }
}

async function fillSpool<Name extends string>(upload: Upload, format: RowFormat<Name>, spool: Spool): Promise<ReadFile> {
  const source = openSource(upload.body, upload.encoding, fileLimits);
  const errors = createNoteList();
  let columns: Columns<Name> | undefined;
  let convert: ReturnType<RowFormat<Name>['prepare']> | undefined;
  let rowCount = 0;
  let line = 0;
  let isWrong = false;
  const complain: Complain = (column, reason) => {
    isWrong = true;
    errors.add({ line, column, reason });
  };

  for await (const batch of readCsv(source.pieces, fileLimits)) {
    const out: string[] = [];
    for (let index = 0; index < batch.rows.length; index++) {
      const row = batch.rows[index] as string[];
      line = batch.lines[index] as number;
      if (columns === undefined || convert === undefined) {
        columns = readHeader(row, format.wanted);
        convert = format.prepare(columns);
        continue;
      }
      rowCount++;
      isWrong = false;
      if (row.length !== columns.count) {
        complain('', `has ${row.length} fields where the header has ${columns.count}`);
        continue;
      }
      const text = convert(row, line, complain, batch.isPlain);
      if (!isWrong) {
        out.push(text);
      }
    }
    if (out.length > 0) {
      out.push('');
      await spool.append(out.join('\n'));
    }
  }
  if (columns === undefined) {
    throw refuseFile(`the file is empty; wanted: ${format.wanted.join(', ')}`);
  }
  if (rowCount === 0) {
    throw refuseFile('the file has a header and no rows');
  }
  return { spool, rowCount, sha256: source.sha256(), errors, hasProfiles: columns.others.length > 0 };
}

function translate(error: unknown): unknown {
  if (isAppError(error)) {
    return error;
  }
  if (error instanceof CsvError) {
    return refuseFile(error.message, error.line);
  }
  if (error instanceof SourceError) {
    switch (error.reason) {
      case 'encoding':
        return new AppError('UNSUPPORTED_MEDIA_TYPE', `Nothing was imported: ${error.message}.`);
      case 'size':
        return new AppError('PAYLOAD_TOO_LARGE', `Nothing was imported: ${error.message}.`);
      default:
        return refuseFile(error.message);
    }
  }
  return error;
}
