/**
 * The header of an import file: which column is where, and which columns nobody asked for and become profile attributes.
 */
import { refuseFile } from './notes.ts';

/** Where each wanted column stands in a row, and the others by name. */
export interface Columns<Name extends string> {
  readonly at: Readonly<Record<Name, number>>;
  readonly others: readonly { readonly name: string; readonly at: number }[];
  readonly count: number;
}

/** Reads a header; wanted names are found in any order and case. Refuses one that lacks a wanted column, or names one twice or not at all. */
export function readHeader<Name extends string>(header: readonly string[], wanted: readonly Name[]): Columns<Name> {
  const found = header.map((name) => name.trim());
  const keys = found.map((name) => name.toLowerCase());
  const missing = wanted.filter((name) => !keys.includes(name));
  const told = `; found: ${listNames(found)}; wanted: ${wanted.join(', ')}`;
  if (missing.length > 0) {
    throw refuseFile(`the header lacks ${missing.join(', ')}${told}`, 1);
  }
  const twice = keys.find((name, index) => keys.indexOf(name) !== index);
  if (twice !== undefined) {
    throw refuseFile(`the header names ${JSON.stringify(twice.slice(0, 80))} twice${told}`, 1);
  }
  if (keys.includes('')) {
    throw refuseFile(`the header has a column without a name${told}`, 1);
  }
  const at = {} as Record<Name, number>;
  for (const name of wanted) {
    at[name] = keys.indexOf(name);
  }
  const isWanted = new Set<string>(wanted);
  const others = found.flatMap((name, index) => (isWanted.has(name.toLowerCase()) ? [] : [{ name, at: index }]));
  return { at, others, count: header.length };
}

/** Names as they were found, cut where somebody sent something that is no header at all. */
function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 50).map((name) => (name.length > 80 ? `${name.slice(0, 80)}...` : name));
  return shown.join(', ') + (names.length > shown.length ? `, and ${names.length - shown.length} more` : '');
}
