/**
 * Column mappings as clients write them: what is a mapping at all, the one kept for a source, and the one asked for with a single
 * file. How a header is read with one is in columns.ts.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError, type FieldViolation } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { recordEvent, refuseStale } from '../../../foundation/audit/index.ts';
import { requireLockedSource, requireSource, updateColumnMapping } from '../../sources/index.ts';
import {
  type Mapping,
  type WantedColumns,
  ignoredIn,
  isColumnEntry,
  mappingOptions,
  maxHeaderLine,
  maxNameLength,
  quote,
  readSplit,
  knownWords,
} from '../values/index.ts';
import { grantRows, peopleRows } from '../rows/index.ts';
import { presets } from '../columns/index.ts';

/** Reading asked for of one file. */
export interface AskedReading {
  readonly asked: Mapping;
  readonly sheet: string;
  /** Text of what was asked, '' for nothing: the same bytes read in another way say something else. */
  readonly key: string;
}

/** Client's request for it: `wanted=Column` texts, and the name of a sheet. */
export interface ReadingRequest {
  readonly map?: readonly string[];
  readonly sheet?: string;
  /** The line that the names of the columns stand on; 0 where they are to be found. */
  readonly headerLine?: number;
}

/** The columns of a kind of file. */
function wantedColumns(kind: 'people' | 'grants'): WantedColumns<string> {
  return kind === 'people' ? peopleRows : grantRows;
}

/** Reads `wanted=Column` texts. INVALID_ARGUMENT, naming `map`, for what is none, names no column of ours or one twice. */
export function readAskedReading(kind: 'people' | 'grants', { map = [], sheet = '', headerLine = 0 }: ReadingRequest): AskedReading {
  const violations: FieldViolation[] = [];
  const entries = new Map<string, string>();
  for (const text of map) {
    const end = text.indexOf('=');
    const column = text.slice(0, Math.max(end, 0)).trim().toLowerCase();
    if (end < 1) {
      violations.push({
        field: 'map',
        description: `${quote(text)} must be like account=Login, account_type==USER or account_status:Frozen=DISABLED`,
      });
    } else if (entries.has(column)) {
      violations.push({ field: 'map', description: `${quote(column)} is given twice` });
    } else {
      entries.set(column, text.slice(end + 1));
    }
  }
  if (headerLine !== 0 && entries.has('header_line')) {
    violations.push({ field: 'headerLine', description: 'is in map, too: leave one of them out' });
  } else if (headerLine !== 0) {
    entries.set('header_line', String(headerLine));
  }
  const asked = checkMapping(
    kind,
    Object.fromEntries(entries),
    (key) => (key === 'header_line' && headerLine !== 0 ? 'headerLine' : 'map'),
    violations,
  );
  const isPlain = entries.size === 0 && sheet === '';
  return { asked, sheet, key: isPlain ? '' : JSON.stringify([sheet, Object.entries(asked).sort()]) };
}

/** A mapping with trimmed names. INVALID_ARGUMENT, naming what `fieldOf` says, for a column that is not ours or comes from nowhere. */
function checkMapping(
  kind: 'people' | 'grants',
  mapping: Mapping,
  fieldOf: (column: string) => string,
  violations: FieldViolation[] = [],
): Mapping {
  const { wanted, optional, exact } = wantedColumns(kind);
  const known = [...wanted, ...optional, ...exact];
  const clean: [string, string][] = [];
  for (const [column, written] of Object.entries(mapping)) {
    const from = written.startsWith('=') ? written : written.trim();
    const field = fieldOf(column);
    if (!isColumnEntry(column)) {
      const setting = checkSetting(kind, column, from);
      if (setting.wrong !== undefined) {
        violations.push({ field, description: setting.wrong });
      } else {
        clean.push([column, setting.value]);
      }
    } else if (!known.includes(column)) {
      violations.push({ field, description: `${quote(column)} is not a wanted column of ${kind}; those are ${known.join(', ')}` });
    } else if (from === '') {
      violations.push({ field, description: `${column} must be a column of the file, or = and a text; otherwise leave it out` });
    } else if (from.length > maxNameLength || [...from].some((char) => char < ' ')) {
      violations.push({ field, description: `must not be longer than ${maxNameLength} characters, or hold control characters` });
    } else {
      clean.push([column, from]);
    }
  }
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', violations.map(({ description }) => description).join('; '), { violations });
  }
  return Object.fromEntries(clean.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** An entry that is not about where a column comes from, as it is kept; or what is wrong with it. */
function checkSetting(kind: 'people' | 'grants', key: string, written: string): { readonly value: string; readonly wrong?: string } {
  const refuse = (wrong: string) => ({ value: '', wrong });
  const oneOf = (words: readonly string[]) => {
    const word = words.find((one) => one.toLowerCase() === written.toLowerCase());
    return word === undefined ? refuse(`${key} must be one of ${words.join(', ')}`) : { value: word };
  };
  if (key === 'preset') {
    return oneOf(presets.flatMap((preset) => (preset.kind === kind ? [preset.id] : [])));
  }
  if (key in mappingOptions) {
    return oneOf(mappingOptions[key as keyof typeof mappingOptions]);
  }
  if (key === 'header_line') {
    return /^\d{1,4}$/.test(written) && Number(written) >= 1 && Number(written) <= maxHeaderLine
      ? { value: String(Number(written)) }
      : refuse(`header_line must be the line of the file on which the names of the columns stand, from 1 to ${maxHeaderLine}`);
  }
  if (key === 'split') {
    return kind === 'grants' && readSplit(written) !== undefined
      ? { value: written }
      : refuse('split must be resource or entitlement of grants, with what stands between the values where that is no comma: resource;');
  }
  if (key === 'ignore') {
    return ignoredIn({ ignore: written }).size > 0 && isShort(written)
      ? { value: written }
      : refuse(`ignore must name a column of the file, or several with | between them, in at most ${maxNameLength} characters`);
  }
  const { wanted, optional, exact, words } = wantedColumns(kind);
  const column = key.slice(0, key.indexOf(':'));
  if (![...wanted, ...optional, ...exact].includes(column)) {
    return refuse(`${quote(column)} is not a wanted column of ${kind}, so nothing can be said of its values`);
  }
  if (!isShort(key) || !isShort(written)) {
    return refuse(`must not be longer than ${maxNameLength} characters, or hold control characters`);
  }
  const word = words[column];
  return word === undefined ? { value: written } : oneOf(knownWords[word]);
}

function isShort(text: string): boolean {
  return text.length <= maxNameLength && ![...text].some((char) => char < ' ');
}

/** The mapping kept for a source, empty where there is none. NOT_FOUND for no such source. */
export async function getColumnMapping(context: Context, sourceId: string): Promise<Mapping> {
  return (await requireSource(context, sourceId)).columnMapping;
}

/** Keeps a mapping for the files of a source, in place of the one before. NOT_FOUND for no such source, INVALID_ARGUMENT for a bad one. */
export async function setColumnMapping(context: Context, sourceId: string, sent: Mapping): Promise<Mapping> {
  return inTransaction(context, async (inside) => {
    const source = await requireLockedSource(inside, sourceId);
    const mapping = checkMapping(source.appId === '' ? 'people' : 'grants', sent, (column) => `columnMapping.${column}`);
    if (!isDeepStrictEqual(source.columnMapping, mapping)) {
      const before = { columnMapping: source.columnMapping };
      await refuseStale(inside, { targetId: sourceId, kinds: ['connector.column_mapping_changed'], before });
      await updateColumnMapping(inside, sourceId, mapping);
      await recordEvent(inside, {
        kind: 'connector.column_mapping_changed',
        targetId: sourceId,
        data: { appId: source.appId, displayName: source.displayName, from: source.columnMapping, to: mapping },
      });
    }
    return mapping;
  });
}
