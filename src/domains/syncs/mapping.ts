/**
 * What a mapping of a file's columns is, and its parts: where columns come from, what values mean, how dates are written. How clients write
 * one is in column-mapping.ts, how a header is read with one in columns.ts.
 */

import { textEncodings } from '../../lib/text-encoding.ts';

/** A list of words that a column may hold, and the texts of other systems that mean them; see value-words.ts. */
export type WordKind = 'status' | 'type' | 'employment';

/** Which columns a kind of file has. */
export interface WantedColumns<Name extends string> {
  readonly kind: 'people' | 'grants';
  /** A file without a mapping has them all. */
  readonly wanted: readonly Name[];
  /** A file may have them. */
  readonly optional: readonly Name[];
  /** What a wanted column says where a mapping is used and neither it nor the file has one. Without an entry here it must be there. */
  readonly defaults: Readonly<Partial<Record<Name, string>>>;
  /** Columns that hold one of a few words. */
  readonly words: Readonly<Partial<Record<Name, WordKind>>>;
  /** Columns that hold a time. */
  readonly times: readonly Name[];
}

/**
 * Where columns come from: the name of a wanted column -> the name of a column of the file, several joined by `+`, the first that is not
 * empty of several by `|`, or `=` and a text that each row has there. Beside that, `column:value` -> what a value means there (`column:*`: any other), and the options below.
 */
export type Mapping = Readonly<Record<string, string>>;

/** The mappings that may hold for a file. */
export interface Mappings {
  /** Kept for the source. A file with all wanted names needs none of it, and keeps its own columns. */
  readonly saved?: Mapping;
  /** Asked for with this very file: goes before the saved one and before names. */
  readonly asked?: Mapping;
}

/** What a mapping may say of the file as a whole, with the words it takes. */
export const mappingOptions = {
  dates: ['DMY', 'MDY'],
  encoding: textEncodings,
} as const;

/** In which order a date such as 03/04/2026 is written. */
export type DateOrder = (typeof mappingOptions.dates)[number];

/** Longest name, text or value in a mapping. */
export const maxNameLength = 200;

/** The value that stands for all that are not named. */
export const anyValue = '*';

/** Whether an entry of a mapping is about a column. */
export function isColumnEntry(key: string): boolean {
  return !key.includes(':') && !(key in mappingOptions) && key !== 'preset';
}

/** The part of a mapping that says where columns come from. */
export function columnsIn(mapping: Mapping): Mapping {
  return Object.fromEntries(Object.entries(mapping).filter(([key]) => isColumnEntry(key)));
}

/** The part of a mapping that is not about columns. */
export function settingsIn(mapping: Mapping): Mapping {
  return Object.fromEntries(Object.entries(mapping).filter(([key]) => !isColumnEntry(key)));
}

/** What values mean in a column: by the value as values are compared. */
export function valuesIn(mapping: Mapping, column: string): ReadonlyMap<string, string> {
  const prefix = `${column}:`;
  return new Map(
    Object.entries(mapping).flatMap(([key, word]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length).trim().toLowerCase(), word]] : [],
    ),
  );
}

/** A name as names are compared. */
export function keyOf(name: string): string {
  return name.trim().toLowerCase();
}

/** Columns of the file that one wanted column is made of. */
export interface Places {
  readonly at: readonly number[];
  /** One after the other, or the first that is not empty. */
  readonly how: 'joined' | 'first';
}

/** The places in a header of the columns that an entry names: one, several joined by `+`, or by `|` of which the first that is not empty counts; undefined where one is not there. */
export function placesOf(from: string, keys: readonly string[]): Places | undefined {
  const whole = keys.indexOf(keyOf(from));
  if (whole >= 0) {
    return { at: [whole], how: 'joined' };
  }
  const how = from.includes('|') ? 'first' : 'joined';
  const at = from.split(how === 'first' ? '|' : '+').map((part) => keys.indexOf(keyOf(part)));
  return at.length > 1 && at.every((place) => place >= 0) ? { at, how } : undefined;
}
