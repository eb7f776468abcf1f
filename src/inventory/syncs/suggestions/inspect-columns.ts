/**
 * Looking at the beginning of a file before it is imported: its columns, what they seem to be, and its first rows as they would be read.
 * Nothing is changed.
 */
import { AppError, invalidField, isAppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import type { TextEncoding } from '../../../lib/tables/text-encoding.ts';
import { findApp } from '../../catalog/index.ts';
import { requireSource } from '../../sources/index.ts';
import { type ReadingRequest, readAskedReading } from './column-mapping.ts';
import {
  type RowFormat,
  type SuggestedMapping,
  complainOfDenial,
  findHeader,
  type FoundHeader,
  findLost,
  findOwnExport,
  findPreset,
  mapByPreset,
  takeSample,
  suggestMapping,
} from '../columns/index.ts';
import {
  type Faults,
  type OpenRows,
  type RowBatch,
  type SentFile,
  createRowSieve,
  grantRows,
  groupFaults,
  openRows,
  peopleRows,
  translateFileError,
} from '../rows/index.ts';
import { findAppColumnIn } from '../apps/index.ts';
import { type HowRead, type Mapping, type Mappings, createOddCellReader, noteFaults, refuseFile } from '../values/index.ts';

/** Request that comes with the file. */
export interface InspectRequest extends ReadingRequest {
  readonly kind: 'people' | 'grants';
  /** The source whose mapping holds; '' for none. */
  readonly sourceId: string;
  /** The app the file is of, which the resource is where nothing else says it; '' where it is not known. */
  readonly app: string;
}

/** One row as an import would read it. */
export interface InspectedRow {
  readonly line: number;
  readonly values: Readonly<Record<string, string>>;
  readonly others: Readonly<Record<string, string>>;
  readonly errors: readonly string[];
}

/** Findings. */
export interface Inspection extends SuggestedMapping {
  readonly format: 'CSV' | 'XLSX';
  readonly sheets: readonly string[];
  readonly columns: readonly string[];
  /** Of grants: the column that plainly names the app of each row; '' for none. */
  readonly appColumn: string;
  /** The mapping the rows were read with: the one asked for, else the saved one, else what is suggested. */
  readonly used: Mapping;
  readonly rows: readonly InspectedRow[];
  /** Reason an import refuses the header as it is; '' where it would. */
  readonly reason: string;
  /** Summary it would give of the rows that were read; undefined where there is no reading. */
  readonly reading: HowRead | undefined;
  /** Count of rows read for it. */
  readonly rowsRead: number;
}

const rowsShown = 5;
/** Rows whose values are counted. */
const rowsCounted = 50_000;

/**
 * Looks at a file. INVALID_ARGUMENT for what cannot be read at all, UNSUPPORTED_MEDIA_TYPE for an unknown encoding, NOT_FOUND for no such source. Of a CSV no
 * more is read than the rows that are counted; an Excel file has its directory at its end, and is read to there.
 */
export async function inspectColumns(context: Context, request: InspectRequest, upload: SentFile): Promise<Inspection> {
  const { asked, sheet } = readAskedReading(request.kind, request);
  const { saved, app } = await findSavedMapping(context, request);
  let source: OpenRows | undefined;
  try {
    source = await openRows(upload, sheet, (asked.encoding ?? saved.encoding) as TextEncoding | undefined);
    const rows = await readBeginning(source);
    const format = source.sheets.length === 0 ? 'CSV' : 'XLSX';
    const isPadded = format === 'XLSX';
    const found =
      request.kind === 'people'
        ? describe(peopleRows, { saved, asked }, rows, { app: '', isPadded })
        : describe(grantRows, { saved, asked }, rows, { app, isPadded });
    const { reading } = found;
    const appColumn = request.kind === 'grants' ? findAppColumnIn(found.columns) : '';
    return { format, sheets: source.sheets, appColumn, ...found, reading: reading && { ...reading, ...source.form() } };
  } catch (error) {
    throw translateFileError(error);
  } finally {
    await source?.close();
  }
}

async function findSavedMapping(
  context: Context,
  { kind, sourceId, app }: InspectRequest,
): Promise<{ readonly saved: Mapping; readonly app: string }> {
  if (sourceId === '') {
    return { saved: {}, app };
  }
  const { appId, columnMapping } = await requireSource(context, sourceId);
  if ((appId === '') !== (kind === 'people')) {
    throw invalidField('connectorId', `is no source of ${kind}`);
  }
  return { saved: columnMapping, app: appId === '' ? '' : ((await findApp(context, appId))?.displayName ?? app) };
}

interface BeginningRow {
  readonly row: readonly string[];
  readonly line: number;
  readonly faults: Faults;
  readonly isPlain: boolean;
}

async function readBeginning(source: OpenRows): Promise<readonly BeginningRow[]> {
  const rows: BeginningRow[] = [];
  try {
    for await (const batch of source.batches) {
      rows.push(...rowsOf(batch));
      if (rows.length > rowsCounted) {
        break;
      }
    }
  } catch (error) {
    // The end of what was sent may be the middle of a row.
    if (rows.length <= rowsShown) {
      throw error;
    }
  }
  if (rows.length === 0) {
    throw refuseFile('the file is empty');
  }
  return rows;
}

function rowsOf(batch: RowBatch): BeginningRow[] {
  const faults = groupFaults(batch);
  return batch.rows.map((row, index) => ({
    row,
    line: batch.lines[index] as number,
    faults: faults?.get(index) ?? [],
    isPlain: batch.isPlain,
  }));
}

type Described = Omit<Inspection, 'format' | 'sheets' | 'appColumn'>;

function describe<Name extends string>(
  format: RowFormat<Name>,
  mappings: Required<Mappings>,
  rows: readonly BeginningRow[],
  { app, isPadded }: { readonly app: string; readonly isPadded: boolean },
): Described {
  const cells = rows.map(({ row }) => row);
  const lines = rows.map(({ line }) => line);
  // Where the app is not known yet, the import will name it.
  const defaults = { resource: app === '' ? '(the app)' : app };
  const none = { used: {}, rows: [], reading: undefined, rowsRead: 0 };
  const asIs = attempt(() => findHeader(cells, lines, format, { ...mappings, sample: [], defaults }));
  const header = asIs instanceof AppError ? findRefused(asIs, rows) : { names: asIs.names, first: asIs.first };
  const columns = header.names.map((name) => name.trim());
  const suggested = suggest(header.names, format, takeSample(header.names, cells, header.first));
  if (!(asIs instanceof AppError)) {
    return { ...suggested, columns, ...readRows(format, asIs, rows, isPadded), reason: '' };
  }
  if (findOwnExport(header.names) !== undefined) {
    // Nothing is proposed, or somebody would import what they only looked at.
    return { suggestions: [], mapping: {}, missing: [], doubts: [], columns, ...none, reason: asIs.message };
  }
  const canGuess = Object.keys(mappings.asked).length === 0 && suggested.missing.length === 0 && suggested.doubts.length === 0;
  const guessed = canGuess ? attempt(() => findHeader(cells, lines, format, { asked: suggested.mapping, sample: [], defaults })) : asIs;
  return {
    ...suggested,
    columns,
    ...(guessed instanceof AppError ? none : readRows(format, guessed, rows, isPadded)),
    reason: asIs.message,
  };
}

/** Finds a mapping: by the preset of the export, where it is a known one. */
function suggest<Name extends string>(
  header: readonly string[],
  format: RowFormat<Name>,
  sample: readonly (readonly string[])[],
): SuggestedMapping {
  const preset = findPreset(header, format.kind);
  if (preset === undefined) {
    return suggestMapping(header, format, sample.slice(0, 200));
  }
  const mapping = mapByPreset(header, preset);
  const suggestions = [...format.wanted, ...format.optional].flatMap((column) => {
    const from = mapping[column];
    return from === undefined ? [] : [{ column, from, confidence: 90 }];
  });
  return { suggestions, mapping, missing: [], doubts: findLost(header, sample.slice(0, 200), mapping) };
}

/** The row that was refused as a header. */
function findRefused(
  { violations = [] }: AppError,
  rows: readonly BeginningRow[],
): { readonly names: readonly string[]; readonly first: number } {
  const index = rows.findIndex(({ line }) => violations.some(({ field }) => field === `line ${line}`));
  return { names: rows[Math.max(index, 0)]?.row ?? [], first: Math.max(index, 0) + 1 };
}

function attempt<T>(work: () => T): T | AppError {
  try {
    return work();
  } catch (error) {
    if (isAppError(error)) {
      return error;
    }
    throw error;
  }
}

/** The rows under a header as an import would read them: the first in full, all of them for what their values mean. */
function readRows<Name extends string>(
  format: RowFormat<Name>,
  { index: headerAt, first, names, columns }: FoundHeader<Name>,
  all: readonly BeginningRow[],
  isPadded: boolean,
): Pick<Described, 'used' | 'rows' | 'reading' | 'rowsRead'> {
  const convert = format.prepare(columns);
  const readOddCells = createOddCellReader(columns.rules);
  const shown: InspectedRow[] = [];
  const headerLine = all[headerAt]?.line ?? 1;
  let rowsRead = 0;
  const show = (line: number, full: readonly string[], row: readonly string[], errors: readonly string[]) => {
    const known = [...format.wanted, ...format.optional, ...format.exact].filter((name) => columns.at[name] >= 0);
    shown.push({
      line,
      values: Object.fromEntries(known.map((name) => [name, full[columns.at[name]] ?? ''])),
      others: Object.fromEntries(columns.others.map(({ name, at }) => [name, row[at] ?? ''])),
      errors,
    });
  };
  const around = all.slice(0, first).filter((_, at) => at !== headerAt);
  const refuse = ({ line, reason }: { readonly line: number; readonly reason: string }) => {
    if (shown.length < rowsShown) {
      show(line, [], [], [reason]);
    }
  };
  const sieve = createRowSieve({ names, headerLine, around, isPadded, lacks: columns.lacks, refuse });
  for (const { row, line, faults, isPlain } of all.slice(first)) {
    if (!sieve.isRow(row, line)) {
      continue;
    }
    rowsRead++;
    const isShown = shown.length < rowsShown;
    const errors: string[] = [];
    const complain = (column: string, reason: string) => errors.push(column === '' ? reason : `${column}: ${reason}`);
    const fitted = isPadded ? [...row, ...Array.from({ length: Math.max(0, columns.count - row.length) }, () => '')] : row;
    const full = [...fitted, ...columns.fixed];
    if (fitted.length !== columns.count) {
      errors.push(`has ${row.length} fields where the header has ${columns.count}`);
    } else {
      readOddCells(full, complain, columns.values.count);
      noteFaults(columns.rules, faults, complain);
      complainOfDenial(columns.denials, fitted, complain);
      for (const { at, make } of errors.length > 0 ? [] : columns.made) {
        full[at] = make(full, line, complain);
      }
      if (errors.length === 0 && isShown) {
        convert(full, line, complain, isPlain);
      }
    }
    if (isShown) {
      show(line, full, row, errors);
    }
  }
  const { preset, used, guessed, constants } = columns;
  const facts = columns.values.facts();
  const skipped = sieve.end();
  const reading = {
    encoding: '',
    separator: '',
    headerLine,
    preset,
    mapping: used,
    guessed,
    constants,
    values: facts.values,
    dateOrder: facts.dateOrder ?? '',
    skipped: skipped.first,
    skippedCount: skipped.count,
  };
  return { used, rows: shown, reading, rowsRead };
}
