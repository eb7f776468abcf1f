/**
 * Looking at the beginning of a file before it is imported: its columns, what they seem to be, and its first rows as they would be read.
 * Nothing is changed.
 */
import { invalidField, isAppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { requireSource } from '../sources/index.ts';
import { columnsOf, type ReadingRequest, readAskedReading } from './column-mapping.ts';
import { type Columns, type Mapping, type Mappings, readHeader } from './columns.ts';
import { grantRows } from './grant-rows.ts';
import { refuseFile } from './notes.ts';
import { type OpenRows, openRows, type RowBatch, translateFileError } from './open-rows.ts';
import { peopleRows } from './people-rows.ts';
import { groupFaults, type RowFormat, type Upload } from './read-file.ts';
import { type SuggestedMapping, suggestMapping } from './suggest-mapping.ts';

/** What is asked for beside the file. */
export interface InspectRequest extends ReadingRequest {
  readonly kind: 'people' | 'grants';
  /** The source whose mapping holds; '' for none. */
  readonly sourceId: string;
}

/** One row as an import would read it. */
export interface InspectedRow {
  readonly line: number;
  readonly values: Readonly<Record<string, string>>;
  readonly others: Readonly<Record<string, string>>;
  readonly errors: readonly string[];
}

/** What was found. */
export interface Inspection extends SuggestedMapping {
  readonly format: 'CSV' | 'XLSX';
  readonly sheets: readonly string[];
  readonly columns: readonly string[];
  /** The mapping the rows were read with: the one asked for, else the saved one, else what is suggested. */
  readonly used: Mapping;
  readonly rows: readonly InspectedRow[];
  /** Why an import would not take the header as it is; '' where it would. */
  readonly reason: string;
}

const rowsShown = 5;

/**
 * Looks at a file. INVALID_ARGUMENT for what cannot be read at all, UNSUPPORTED_MEDIA_TYPE for an unknown encoding, NOT_FOUND for no such source. Of a CSV no more is read
 * than the rows that are shown; an Excel file has its directory at its end, and is read to there.
 */
export async function inspectColumns(context: Context, request: InspectRequest, upload: Upload): Promise<Inspection> {
  const { asked, sheet } = readAskedReading(request.kind, request);
  const saved = await findSavedMapping(context, request);
  let source: OpenRows | undefined;
  try {
    source = await openRows(upload, sheet);
    const { header, rows } = await readBeginning(source);
    return { format: source.format, sheets: source.sheets, ...describe(request.kind, { saved, asked }, header, rows) };
  } catch (error) {
    throw translateFileError(error);
  } finally {
    await source?.close();
    setImmediate(() => upload.body.resume());
  }
}

async function findSavedMapping(context: Context, { kind, sourceId }: InspectRequest): Promise<Mapping> {
  if (sourceId === '') {
    return {};
  }
  const { appId, columnMapping } = await requireSource(context, sourceId);
  if ((appId === '') !== (kind === 'people')) {
    throw invalidField('connectorId', `is no source of ${kind}`);
  }
  return columnMapping;
}

interface BeginningRow {
  readonly row: readonly string[];
  readonly line: number;
  readonly faults: readonly { readonly column: number; readonly reason: string }[];
  readonly isPlain: boolean;
}

async function readBeginning(source: OpenRows): Promise<{ header: BeginningRow; rows: readonly BeginningRow[] }> {
  const rows: BeginningRow[] = [];
  for await (const batch of source.batches) {
    rows.push(...rowsOf(batch));
    if (rows.length > rowsShown) {
      break;
    }
  }
  const [header, ...rest] = rows;
  if (header === undefined) {
    throw refuseFile('the file is empty');
  }
  return { header, rows: rest.slice(0, rowsShown) };
}

function rowsOf(batch: RowBatch): BeginningRow[] {
  const faults = groupFaults(batch);
  return batch.rows.slice(0, rowsShown + 1).map((row, index) => ({
    row,
    line: batch.lines[index] as number,
    faults: faults?.get(index) ?? [],
    isPlain: batch.isPlain,
  }));
}

function describe(
  kind: 'people' | 'grants',
  mappings: Required<Mappings>,
  header: BeginningRow,
  rows: readonly BeginningRow[],
): Omit<Inspection, 'format' | 'sheets'> {
  const columns = header.row.map((name) => name.trim());
  const suggested = suggestMapping(header.row, columnsOf(kind));
  const reader = kind === 'people' ? createReader(peopleRows, header) : createReader(grantRows, header);
  const asIs = reader(mappings, rows);
  if (!(asIs instanceof Error)) {
    return { ...suggested, columns, used: asIs.used, rows: asIs.rows, reason: '' };
  }
  const guessed =
    Object.keys(mappings.asked).length > 0 || suggested.missing.length > 0 ? asIs : reader({ asked: suggested.mapping }, rows);
  const reason = asIs.message;
  return guessed instanceof Error
    ? { ...suggested, columns, used: {}, rows: [], reason }
    : { ...suggested, columns, used: guessed.used, rows: guessed.rows, reason };
}

type Reader = (mappings: Mappings, rows: readonly BeginningRow[]) => { readonly used: Mapping; readonly rows: InspectedRow[] } | Error;

/** Reads rows as an import would, or says why it would not take the header. */
function createReader<Name extends string>(format: RowFormat<Name>, header: BeginningRow): Reader {
  return (mappings, rows) => {
    let columns: Columns<Name>;
    try {
      columns = readHeader(header.row, format, mappings, header.line);
    } catch (error) {
      if (isAppError(error)) {
        return error;
      }
      throw error;
    }
    const convert = format.prepare(columns);
    return {
      used: columns.used,
      rows: rows.map(({ row, line, faults, isPlain }) => {
        const errors: string[] = [];
        const full = [...row, ...columns.fixed];
        if (row.length !== columns.count) {
          errors.push(`has ${row.length} fields where the header has ${columns.count}`);
        } else if (faults.length > 0) {
          errors.push(...faults.map(({ column, reason }) => `${header.row[column] ?? ''}: ${reason}`));
        } else {
          convert(full, line, (column, reason) => errors.push(column === '' ? reason : `${column}: ${reason}`), isPlain);
        }
        const known = [...format.wanted, ...format.optional].filter((name) => columns.at[name] >= 0);
        return {
          line,
          values: Object.fromEntries(known.map((name) => [name, full[columns.at[name]] ?? ''])),
          others: Object.fromEntries(columns.others.map(({ name, at }) => [name, row[at] ?? ''])),
          errors,
        };
      }),
    };
  };
}
