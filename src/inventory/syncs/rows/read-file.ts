/**
 * From an uploaded file to a spool of its rows, and from there to rows the database can take: header, rows, errors of single rows. Rules that
 * need more than one row, or the database, are in import-people.ts and import-grants.ts.
 */
import { hash } from 'node:crypto';
import type { TextEncoding } from '../../../lib/tables/text-encoding.ts';
import {
  type Columns,
  type DomainList,
  type DomainStripping,
  type HeaderOptions,
  type RowFormat,
  type RowGroups,
  createDomainList,
  findHeader,
  readHeader,
} from '../columns/index.ts';
import {
  type CountedNotes,
  type DateOrder,
  type FileFacts,
  type HowRead,
  type Mappings,
  type NoteList,
  RefusedFile,
  type RowNote,
  createNoteList,
  quote,
  readHeaderLine,
  refuseFile,
  splitCell,
} from '../values/index.ts';
import { isAppError } from '../../../errors.ts';
import { nextBatch, takeHead } from './head.ts';
import { type OpenRows, openRows, type RowBatch, translateFileError } from './open-rows.ts';
import { createRowSieve } from './row-sieve.ts';
import { convertRows, createGroupSink, createTextSink, type RowSink } from './row-sink.ts';
import { openSpool, type Spool } from './spool.ts';
import { createTableReader, groupFaults } from './table-reader.ts';
import type { Upload } from './upload.ts';

/** Options of reading a file, beside its kind. */
export interface ReadOptions extends Mappings {
  /** The sheet of an Excel file; the first where it is absent or ''. */
  readonly sheet?: string;
  /** Reading asked for with this file alone, as it is recorded; '' where absent. */
  readonly key?: string;
  /** Values of columns in neither the file nor a mapping. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Time of reading. */
  readonly now?: Date;
  /** Empty groups to take in what rows say, where only some of the rows may be needed later. */
  readonly groups?: RowGroups;
}

/** A file that was read: its spool holds the rows without errors, those in groups as they came. */
export interface ReadFile extends FileFacts {
  /** To be closed by whoever reads the file. */
  readonly spool: Spool;
  /** Errors found so far: of rows in groups, only what concerns the row as a whole. */
  readonly errors: NoteList;
  /** What is odd about the file as a whole. */
  readonly warnings: CountedNotes;
  readonly hasProfiles: boolean;
  /** Rows read that say a grant, one with several values in a cell counted once for each. */
  readonly partCount: number;
  /** Whether `DOMAIN\\name` is matched as the user name `name`. */
  readonly stripsDomains: DomainStripping;
  /** That its accounts are of several domains, where no mapping says what to do with them. */
  readonly severalDomains: RowNote | undefined;
  /** The columns that became attributes. */
  readonly attributes: readonly string[];
  /** The wanted and optional columns it has, or that a mapping fills. */
  readonly columns: ReadonlySet<string>;
  /** Way its rows are read: under another one the same rows may say something else. */
  readonly reading: string;
  /** Way it was read, for the summary. */
  readonly howRead: HowRead;
  /** Order of its dates for PostgreSQL; undefined where they are all written as RFC 3339 has it. */
  readonly dateOrder: DateOrder | undefined;
  /**
   * The rows without errors as COPY text, to be read as often as the transaction is tried; of a file in groups, those that are wanted. The errors
   * are complete when the rows have been read.
   */
  rows(isWanted?: (group: number) => boolean): { readonly text: AsyncIterable<string | Buffer>; readonly errors: NoteList };
}

/** To be raised when rows are read otherwise than before: what was known of files until then is known no more. */
const readingVersion = 4;

/** Refusals that are about the file. Those that are not, such as a full disk, say nothing of it. */
const fileCodes: readonly string[] = ['INVALID_ARGUMENT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** Turns a reading error into a RefusedFile where the file is to blame. */
function refuseUnread(error: unknown, file: FileFacts): unknown {
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
  let batches: AsyncIterator<RowBatch> | undefined;
  const progress = { rowCount: 0, parts: 0 };
  try {
    const encoding = options.asked?.encoding ?? options.saved?.encoding;
    source =
      upload.body === undefined
        ? upload.opened
        : (upload.opened ?? (await openRows(upload, options.sheet ?? '', encoding as TextEncoding | undefined)));
    batches = source.batches[Symbol.asyncIterator]();
    return await fillSpool({ source, batches, spool, progress }, format, options);
  } catch (error) {
    await spool.close();
    const sha256 = source?.sha256() ?? '';
    throw refuseUnread(error, { format: source?.format ?? '', sha256, rowCount: progress.rowCount, readAs: options.key ?? '' });
  } finally {
    await batches?.return?.();
    await source?.close();
  }
}

/** A file that is being read. */
interface Reading {
  readonly source: OpenRows;
  readonly batches: AsyncIterator<RowBatch>;
  readonly spool: Spool;
  readonly progress: { rowCount: number; parts: number };
}

/** Takes a row, as often as a cell of it holds several values: once for each. Returns how often it said a part of what the file is about. */
function takeParts<Name extends string>(
  sink: RowSink<Name>,
  row: string[],
  line: number,
  isPlain: boolean,
  columns: Columns<Name>,
  isWrong: boolean,
  partKeys: readonly Name[],
): number {
  const { split } = columns;
  const isPart = () => partKeys.every((name) => row[columns.at[name]] !== '');
  if (split === undefined || split.at < 0) {
    sink.take(row, line, isPlain, columns, isWrong);
    return isPart() ? 1 : 0;
  }
  const parts = splitCell(row[split.at] ?? '', split.by);
  let count = 0;
  for (const part of parts.length === 0 ? [split.empty] : parts) {
    row[split.at] = part;
    sink.take(row, line, isPlain, columns, isWrong);
    count += isPart() ? 1 : 0;
  }
  return count;
}

/** Says that accounts are of several domains, so that none of them is matched by its name alone. */
function noteDomains(domains: DomainList): RowNote | undefined {
  const found = domains.several();
  if (found === undefined) {
    return undefined;
  }
  const [one, other] = found.names.map(quote);
  const reason = `the accounts are of several domains, such as ${one} and ${other}, and one name may be two people there: none is matched to a person by the name behind its domain. If each name is one person in all of them, send map=domains=STRIP; if not, map=domains=KEEP`;
  return { line: found.line, column: 'account', reason };
}

async function fillSpool<Name extends string>(
  { source, batches, spool, progress }: Reading,
  format: RowFormat<Name>,
  options: ReadOptions,
): Promise<ReadFile> {
  const { groups } = options;
  const found = createNoteList();
  const head = await takeHead(batches, readHeaderLine({ ...options.saved, ...options.asked }));
  const rows = head.batches.flatMap((batch) => batch.rows);
  const lines = head.batches.flatMap((batch) => batch.lines);
  if (rows.length === 0) {
    throw refuseFile(`the file is empty; wanted: ${format.wanted.join(', ')}`);
  }
  const headerOptions: HeaderOptions = { ...options, sample: [] };
  const header = findHeader(rows, lines, format, headerOptions, source.isExact);
  const { names } = header;
  const headerLine = lines[header.index] as number;
  const table = createTableReader(format, header.columns, {
    errors: found,
    isPadded: source.format === 'XLSX',
    isExact: source.isExact === true,
    translate: () => readHeader(names, format, { ...headerOptions, isTranslated: true }, headerLine),
  });
  const sink = groups === undefined ? createTextSink(format, spool, found) : createGroupSink(format, spool, found, groups);
  const sieve =
    source.isExact === true
      ? undefined
      : createRowSieve({
          names,
          headerLine,
          around: rows.slice(0, header.first).flatMap((row, at) => (at === header.index ? [] : [{ row, line: lines[at] as number }])),
          isPadded: source.format === 'XLSX',
          lacks: (row) => table.columns().lacks(row),
          refuse: (note) => {
            progress.rowCount++;
            found.add(note);
          },
        });
  const domains = createDomainList(header.columns);
  let toSkip = header.first;
  for (let batch = await nextBatch(head, batches); batch !== undefined; batch = await nextBatch(head, batches)) {
    const faults = groupFaults(batch);
    for (let index = 0; index < batch.rows.length; index++) {
      if (toSkip > 0) {
        toSkip--;
        continue;
      }
      const row = batch.rows[index] as string[];
      const line = batch.lines[index] as number;
      if (sieve?.isRow(row, line) === false) {
        continue;
      }
      progress.rowCount++;
      const state = table.prepare(row, line, faults?.get(index));
      if (state !== 'NONE') {
        domains.see(row, line);
        progress.parts += takeParts(sink, row, line, batch.isPlain, table.columns(), state === 'WRONG', format.partKeys);
      }
    }
    await sink.flush();
  }
  const skipped = sieve?.end() ?? { count: 0, first: [] };
  const { rowCount } = progress;
  if (rowCount === 0) {
    throw refuseFile('the file has a header and no rows');
  }
  const columns = table.columns();
  const { at, others, fixed, used, guessed, preset, constants, split } = columns;
  const { values, dateOrder, hasOpenDates, openDate, openDateLine, over } = columns.values.facts();
  if (openDateLine > 0) {
    throw refuseFile(
      `${quote(openDate)} can be read with the day or with the month first, and no date of the file shows which; send map=dates=DMY or map=dates=MDY`,
      openDateLine,
    );
  }
  const order = hasOpenDates ? dateOrder : undefined;
  const stripsDomains = domains.strips(used.domains);
  return {
    spool,
    errors: found,
    warnings: warnOfEncoding(source.twice?.()),
    format: source.format,
    readAs: options.key ?? '',
    rowCount,
    partCount: progress.parts,
    stripsDomains,
    severalDomains: used.domains === undefined ? noteDomains(domains) : undefined,
    attributes: others.map(({ name }) => name),
    sha256: source.sha256(),
    hasProfiles: others.length > 0,
    columns: new Set([...format.wanted, ...format.optional, ...format.exact].filter((name) => at[name] >= 0)),
    reading: hash(
      'sha256',
      JSON.stringify([
        readingVersion,
        at,
        others,
        fixed,
        order,
        ...(split === undefined ? [] : [split]),
        ...(stripsDomains === 'NONE' ? [] : ['domains', stripsDomains]),
        ...(over > 0 ? [over] : []),
      ]),
    ),
    dateOrder: order,
    howRead: {
      ...source.form(),
      headerLine,
      preset,
      mapping: used,
      guessed,
      constants,
      values,
      dateOrder: dateOrder ?? '',
      skipped: skipped.first,
      skippedCount: skipped.count,
    },
    rows(isWanted = () => true) {
      const errors = createNoteList();
      errors.addMany({ count: found.list().count, notes: found.list().first });
      return { text: groups === undefined ? spool.read() : convertRows(format, columns, spool, errors, isWanted), errors };
    },
  };
}

/** The warning that names were spoiled before the file was made: they are read as they stand. */
function warnOfEncoding(twice: { readonly line: number; readonly word: string } | undefined): CountedNotes {
  if (twice === undefined) {
    return { count: 0, notes: [] };
  }
  const reason = `${quote(twice.word)} looks as if UTF-8 had been read as Windows-1252 where the file was made: check the names, and export it again as UTF-8`;
  return { count: 1, notes: [{ line: twice.line, column: '', reason }] };
}
