/**
 * Mapping of a file's columns, and its parts: where columns come from, what values mean, how dates are written. How clients write one is in
 * column-mapping.ts, how a header is read with one in columns.ts.
 */

import { textEncodings } from '../../../lib/tables/text-encoding.ts';

/** A list of words that a column may hold, and the texts of other systems that mean them; see value-words.ts. */
export type WordKind = 'status' | 'type' | 'employment';

/** Columns of a kind of file. */
export interface WantedColumns<Name extends string> {
  readonly kind: 'people' | 'grants';
  /** A file without a mapping has them all. */
  readonly wanted: readonly Name[];
  /** A file may have them. */
  readonly optional: readonly Name[];
  /** A file may have them, too, under these very names beside all that are wanted, or where a mapping names them: they are not guessed. */
  readonly exact: readonly Name[];
  /** Value of a wanted column where a mapping is used and neither it nor the file has one. Without an entry here it must be there. */
  readonly defaults: Readonly<Partial<Record<Name, string>>>;
  /** A row of another system's file says something in one of these at least. */
  readonly needs: readonly Name[];
  /** Columns that hold one of a few words. */
  readonly words: Readonly<Partial<Record<Name, WordKind>>>;
  /** Columns that hold a time. */
  readonly times: readonly Name[];
}

/**
 * Sources of columns: the name of a wanted column -> the name of a column of the file, several joined by `+`, the first that is not empty of
 * several by `|`, or `=` and a text that each row has there. Of columns of one name the second is `Name (2)`. Beside that, `column:value` -> what a value means there (`column:*`: any other), and
 * the options below: `dates`, `domains`, `encoding`, `preset`, `ignore` (columns of the file to leave out, `A|B`), `split` (`resource` or
 * `entitlement`: its cells hold several values) and `header_line` (the line that the names stand on).
 */
export type Mapping = Readonly<Record<string, string>>;

/** The mappings that may hold for a file. */
export interface Mappings {
  /** Kept for the source. A file with all wanted names needs none of it, and keeps its own columns. */
  readonly saved?: Mapping;
  /** Asked for with this very file: goes before the saved one and before names. */
  readonly asked?: Mapping;
}

/** Options of a mapping for the whole file, with the words they take. */
export const mappingOptions = {
  dates: ['DMY', 'MDY'],
  encoding: textEncodings,
  domains: ['STRIP', 'KEEP'],
} as const;

/** In which order a date such as 03/04/2026 is written. */
export type DateOrder = (typeof mappingOptions.dates)[number];

/** Longest name, text or value in a mapping. */
export const maxNameLength = 200;

/** The value that stands for all that are not named. */
export const anyValue = '*';

/** Other options of a mapping, in words of its own: the export it is of, the columns to leave out, the column of several values, the line of the header. */
const freeOptions: readonly string[] = ['preset', 'ignore', 'split', 'header_line'];

/** The last line that a header may be said to stand on. */
export const maxHeaderLine = 1000;

/** Reads the line that the names of the columns are said to stand on; undefined where nothing says it. */
export function readHeaderLine({ header_line: written }: Mapping): number | undefined {
  return written === undefined ? undefined : Number(written);
}

/** True if an entry of a mapping is about a column. */
export function isColumnEntry(key: string): boolean {
  return !key.includes(':') && !(key in mappingOptions) && !freeOptions.includes(key);
}

/** The columns of the file that a mapping leaves out, as names are compared. */
export function ignoredIn({ ignore = '' }: Mapping): ReadonlySet<string> {
  return new Set(
    ignore
      .split('|')
      .map(entryKey)
      .filter((name) => name !== ''),
  );
}

/** A wanted column whose cells hold several values, and what stands between these. */
export interface Split {
  readonly column: 'resource' | 'entitlement';
  readonly separator: string;
}

/** The names of separators that a command line or an address takes apart. */
const separatorNames: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', bar: '|', slash: '/', line: '\n', space: ' ' };

/** Reads `resource`, `entitlement;` or `entitlement line`: a column, and what stands between its values, a comma where that is left out. Undefined for anything else. */
export function readSplit(text: string): Split | undefined {
  const [, column, written = ''] = /^\s*(resource|entitlement)\s*(.{0,12}?)\s*$/is.exec(text) ?? [];
  if (column === undefined) {
    return undefined;
  }
  const separator = written === '' ? ',' : (separatorNames[written.toLowerCase()] ?? written);
  return [...separator].length === 1 && !/[\p{L}\p{N}]/u.test(separator)
    ? { column: column.toLowerCase() as Split['column'], separator }
    : undefined;
}

/** The different values of a cell, without spaces around them. */
export function splitCell(text: string, { separator }: Split): readonly string[] {
  return [
    ...new Set(
      text
        .split(separator)
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
  ];
}

/** The part of a mapping that says where columns come from. */
export function columnsIn(mapping: Mapping): Mapping {
  return Object.fromEntries(Object.entries(mapping).filter(([key]) => isColumnEntry(key)));
}

/** The part of a mapping that is not about columns. */
export function settingsIn(mapping: Mapping): Mapping {
  return Object.fromEntries(Object.entries(mapping).filter(([key]) => !isColumnEntry(key)));
}

/** Reads meanings in a column: by the value as values are compared. */
export function valuesIn(mapping: Mapping, column: string): ReadonlyMap<string, string> {
  const prefix = `${column}:`;
  return new Map(
    Object.entries(mapping).flatMap(([key, word]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length).trim().toLowerCase(), word]] : [],
    ),
  );
}

/** A name as names are compared. */
export function entryKey(name: string): string {
  return name.trim().toLowerCase();
}

/** Columns of the file that one wanted column is made of. */
export interface Places {
  readonly at: readonly number[];
  /** One after the other, or the first that is not empty. */
  readonly how: 'joined' | 'first';
}

/** The place of a column by its name; of several of one name the first, or the one whose number stands behind it, as in `Role (2)`. */
function placeOf(name: string, keys: readonly string[]): number {
  const whole = keys.indexOf(name);
  const [, bare, number] = whole >= 0 ? [] : (/^(.+) \((\d{1,3})\)$/.exec(name) ?? []);
  if (bare === undefined) {
    return whole;
  }
  const places = keys.flatMap((key, at) => (key === bare ? [at] : []));
  return places.length > 1 ? (places[Number(number) - 1] ?? -1) : -1;
}

/** The places in a header of the columns that an entry names: one, several joined by `+`, or by `|` of which the first that is not empty counts; undefined where one is not there. */
export function columnPlaces(from: string, keys: readonly string[]): Places | undefined {
  const whole = placeOf(entryKey(from), keys);
  if (whole >= 0) {
    return { at: [whole], how: 'joined' };
  }
  const how = from.includes('|') ? 'first' : 'joined';
  const at = from.split(how === 'first' ? '|' : '+').map((part) => placeOf(entryKey(part), keys));
  return at.length > 1 && at.every((place) => place >= 0) ? { at, how } : undefined;
}
