/**
 * From an uploaded file to a spool of rows the database can take: header, rows, errors of single rows. Rules that need more than one
 * row, or the database, are in import-people.ts and import-grants.ts.
 */
import type { Readable } from 'node:stream';
import { createContentDigest } from './content-digest.ts';
import { type Columns, type Mappings, readHeader, type WantedColumns } from './columns.ts';
import type { Complain } from './fields.ts';
import { isAppError } from '../../errors.ts';
import { createNoteList, type NoteList, RefusedFile, refuseFile } from './notes.ts';
import { type OpenRows, openRows, type RowBatch, translateFileError } from './open-rows.ts';
import { openSpool, type Spool } from './spool.ts';
import type { FileFacts } from './types.ts';

/** The body of a request, as it came. */
export interface Upload {
  readonly body: Readable;
  /** Content-Encoding in lower case, '' where there is none. */
  readonly encoding: string;
  /** The hash of the expanded bytes, where they were received whole before. */
  readonly sha256?: string;
}

/** How one kind of file is read. */
export interface RowFormat<Name extends string> extends WantedColumns<Name> {
  /**
   * A function that turns a row into a line of COPY text without its line end, given the columns of the file. Called once per row;
   * when it complains, its line is not used.
   */
  prepare(columns: Columns<Name>): (row: readonly string[], line: number, complain: Complain, isPlain: boolean) => string;
}

/** How a file wants to be read, beside its kind. */
export interface ReadOptions extends Mappings {
  /** The sheet of an Excel file; the first where it is absent or ''. */
  readonly sheet?: string;
  /** What was asked for with this file alone, as it is recorded; '' where absent. */
  readonly key?: string;
  /** Whether the digest of what the rows say is wanted. */
  readonly isDigested?: boolean;
}

/** A file that was read: its spool holds the rows without errors. */
export interface ReadFile extends FileFacts {
  readonly spool: Spool;
  readonly errors: NoteList;
  readonly hasProfiles: boolean;
  /** Of what its rows say, in no order; '' where it was not asked for. */
  readonly contentDigest: string;
  /** The wanted and optional columns it has, or that a mapping fills. */
  readonly columns: ReadonlySet<string>;
}

/** Refusals that are about the file. Those that are not, such as a full disk, say nothing of it. */
const fileCodes: readonly string[] = ['INVALID_ARGUMENT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** What reading a file threw, as a RefusedFile where the file is to blame. */
export function refuseUnread(error: unknown, file: FileFacts): unknown {
  const told = translateFileError(error);
  return isAppError(told) && fileCodes.includes(told.code) ? new RefusedFile(told, file) : told;
}

/**
 * Reads an upload to its end. Throws a RefusedFile: INVALID_ARGUMENT for what is no such file at all, UNSUPPORTED_MEDIA_TYPE for an unknown
 * encoding, PAYLOAD_TOO_LARGE over 20 GiB. The caller closes the spool; after an error there is none.
 */
export async function readFile<Name extends string>(upload: Upload, format: RowFormat<Name>, options: ReadOptions = {}): Promise<ReadFile> {
  const spool = await openSpool();
  let source: OpenRows | undefined;
  const progress = { rowCount: 0 };
  try {
    source = await openRows(upload, options.sheet ?? '');
    return await fillSpool(source, format, options, { spool, progress });
  } catch (error) {
    await spool.close();
    const sha256 = upload.sha256 ?? source?.sha256() ?? '';
    throw refuseUnread(error, { format: source?.format ?? '', sha256, rowCount: progress.rowCount, readAs: options.key ?? '' });
  } finally {
    await source?.close();
    // A client that is still sending hears of a refusal only if the rest is read, to be thrown away. Later, because the stream must first
    // forget who read it until now.
    setImmediate(() => upload.body.resume());
  }
}

type Faults = NonNullable<RowBatch['faults']>;

/** A row as a line of COPY text; undefined where something is wrong with it, which was noted. */
type RowReader = (row: string[], line: number, isPlain: boolean, faults: Faults | undefined) => string | undefined;

/** Reads rows under a header, of which `names` are the columns as they stand there. */
function createRowReader<Name extends string>(
  format: RowFormat<Name>,
  columns: Columns<Name>,
  names: readonly string[],
  errors: NoteList,
): RowReader {
  const convert = format.prepare(columns);
  let line = 0;
  let isWrong = false;
  const complain: Complain = (column, reason) => {
    isWrong = true;
    errors.add({ line, column, reason });
  };
  return (row, at, isPlain, faults) => {
    line = at;
    isWrong = false;
    if (row.length !== columns.count) {
      complain('', `has ${row.length} fields where the header has ${columns.count}`);
    }
    for (const { column, reason } of isWrong ? [] : (faults ?? [])) {
      complain(names[column] ?? '', reason);
    }
    if (isWrong) {
      return undefined;
    }
    if (columns.fixed.length > 0) {
      row.push(...columns.fixed);
    }
    const text = convert(row, line, complain, isPlain);
    return isWrong ? undefined : text;
  };
}

async function fillSpool<Name extends string>(
  source: OpenRows,
  format: RowFormat<Name>,
  options: ReadOptions,
  { spool, progress }: { readonly spool: Spool; readonly progress: { rowCount: number } },
): Promise<ReadFile> {
  const errors = createNoteList();
  const digest = options.isDigested === true ? createContentDigest() : undefined;
  let columns: Columns<Name> | undefined;
  let read: RowReader | undefined;
  for await (const batch of source.batches) {
    const faults = groupFaults(batch);
    const out: string[] = [];
    for (let index = 0; index < batch.rows.length; index++) {
      const row = batch.rows[index] as string[];
      const line = batch.lines[index] as number;
      if (read === undefined) {
        columns = readHeader(row, format, options, line);
        read = createRowReader(format, columns, row, errors);
        continue;
      }
      progress.rowCount++;
      const text = read(row, line, batch.isPlain, faults?.get(index));
      if (text !== undefined) {
        out.push(text);
        digest?.add(text);
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
  const { rowCount } = progress;
  if (rowCount === 0) {
    throw refuseFile('the file has a header and no rows');
  }
  const { at, others } = columns;
  const known = [...format.wanted, ...format.optional].filter((name) => at[name] >= 0);
  return {
    spool,
    format: source.format,
    readAs: options.key ?? '',
    rowCount,
    sha256: source.sha256(),
    errors,
    hasProfiles: others.length > 0,
    contentDigest: digest?.value(known) ?? '',
    columns: new Set(known),
  };
}

/** The faults of a batch by their row; undefined where there are none, as nearly always. */
export function groupFaults({ faults }: RowBatch): ReadonlyMap<number, Faults> | undefined {
  return faults === undefined || faults.length === 0 ? undefined : Map.groupBy(faults, ({ index }) => index);
}
