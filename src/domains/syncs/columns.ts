/**
 * The header of an import file: which column is where, by its own name or by a mapping, and which columns nobody asked for and become
 * profile attributes. What is suggested where a header cannot be used is in suggest-mapping.ts.
 */
import { quote } from './fields.ts';
import { refuseFile } from './notes.ts';
import { suggestMapping } from './suggest-mapping.ts';

/** Which columns a kind of file has. */
export interface WantedColumns<Name extends string> {
  readonly kind: 'people' | 'grants';
  /** A file without a mapping has them all. */
  readonly wanted: readonly Name[];
  /** A file may have them. */
  readonly optional: readonly Name[];
  /** What a wanted column says where a mapping is used and neither it nor the file has one. Without an entry here it must be there. */
  readonly defaults: Readonly<Partial<Record<Name, string>>>;
}

/**
 * Where columns come from: the name of a wanted column -> the name of a column of the file, or `=` and a text that each row has there.
 */
export type Mapping = Readonly<Record<string, string>>;

/** The mappings that may hold for a file. */
export interface Mappings {
  /** Kept for the source. A file with all wanted names needs none of it, and keeps its own columns. */
  readonly saved?: Mapping;
  /** Asked for with this very file: goes before the saved one and before names. */
  readonly asked?: Mapping;
}

/** Where each known column stands in a row, -1 where the file has none, and the others by name. */
export interface Columns<Name extends string> {
  readonly at: Readonly<Record<Name, number>>;
  readonly others: readonly { readonly name: string; readonly at: number }[];
  readonly count: number;
  /** Texts that each row is lengthened by before it is read; `at` points at them, behind the columns of the file. */
  readonly fixed: readonly string[];
  /** The mapping that was used; empty where the header's own names were. */
  readonly used: Mapping;
}

/**
 * Reads a header; names are found in any order and case. Refuses one that names a column twice or not at all, that lacks a wanted column
 * or one that its mapping names. Where a column is lacking it names the mapping that would do, as far as it can be guessed; nothing guessed
 * is used unasked.
 */
export function readHeader<Name extends string>(
  header: readonly string[],
  format: WantedColumns<Name>,
  mappings: Mappings = {},
  line = 1,
): Columns<Name> {
  const found = header.map((name) => name.trim());
  const keys = found.map((name) => name.toLowerCase());
  const told = `; found: ${listNames(found)}; wanted: ${format.wanted.join(', ')}`;
  const twice = findTwice(keys);
  const lacking = format.wanted.filter((name) => !keys.includes(name));
  const mapping = chooseMapping(format, mappings, lacking.length === 0, keys);
  if (mapping === undefined && lacking.length > 0) {
    throw refuseFile(`the header lacks ${lacking.join(', ')}${told}${tellSuggestion(found, format)}`, line);
  }
  if (twice !== undefined) {
    throw refuseFile(`the header names ${JSON.stringify(twice.slice(0, 80))} twice${told}`, line);
  }
  if (keys.includes('')) {
    throw refuseFile(`the header has a column without a name${told}`, line);
  }
  return placeColumns({ found, keys, format, mapping: mapping ?? {}, isMapped: mapping !== undefined, told, line });
}

/** A name that stands there a second time. A header may have as many columns as fit into a row. */
function findTwice(keys: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return keys.find((name) => {
    const isKnown = seen.has(name);
    seen.add(name);
    return isKnown && name !== '';
  });
}

/** The mapping that holds for a header; undefined where its own names do. */
function chooseMapping<Name extends string>(
  format: WantedColumns<Name>,
  { saved = {}, asked = {} }: Mappings,
  isComplete: boolean,
  keys: readonly string[],
): Mapping | undefined {
  if (Object.keys(asked).length > 0) {
    return { ...saved, ...asked };
  }
  if (Object.keys(saved).length === 0) {
    return undefined;
  }
  if (!isComplete) {
    return saved;
  }
  // The file has all it must have under the right names. What the mapping adds to that is taken where it is there.
  const adds = format.optional.filter((name) => {
    const from = saved[name];
    return from !== undefined && !keys.includes(name) && (from.startsWith('=') || keys.includes(keyOf(from)));
  });
  return adds.length === 0 ? undefined : Object.fromEntries(adds.map((name) => [name, saved[name] as string]));
}

/** A name as names are compared. */
export function keyOf(name: string): string {
  return name.trim().toLowerCase();
}

interface Header<Name extends string> {
  readonly found: readonly string[];
  readonly keys: readonly string[];
  readonly format: WantedColumns<Name>;
  readonly mapping: Mapping;
  readonly isMapped: boolean;
  readonly told: string;
  readonly line: number;
}

function placeColumns<Name extends string>({ found, keys, format, mapping, isMapped, told, line }: Header<Name>): Columns<Name> {
  const at = {} as Record<Name, number>;
  const fixed: string[] = [];
  const used = new Set<number>();
  const wrong: string[] = [];
  for (const name of [...format.wanted, ...format.optional]) {
    const from = mapping[name];
    const index = from === undefined || from.startsWith('=') ? keys.indexOf(name) : keys.indexOf(keyOf(from));
    const text = from?.startsWith('=') ? from.slice(1) : index < 0 && isMapped ? format.defaults[name] : undefined;
    if (from !== undefined && !from.startsWith('=') && index < 0) {
      wrong.push(`the mapping fills ${name} from ${quote(from)}, and the file has no such column`);
    } else if (text !== undefined) {
      at[name] = found.length + fixed.length;
      fixed.push(text);
    } else {
      at[name] = index;
      used.add(index);
      if (index < 0 && format.wanted.includes(name)) {
        wrong.push(`neither the file nor the mapping has ${name}`);
      }
    }
  }
  if (wrong.length > 0) {
    throw refuseFile(`${wrong.join('; ')}${told}${tellSuggestion(found, format)}`, line);
  }
  const others = found.flatMap((name, index) => (used.has(index) ? [] : [{ name, at: index }]));
  return { at, others, count: found.length, fixed, used: mapping };
}

/** The end of a refusal: the mapping that would do, to be looked at and saved. */
function tellSuggestion<Name extends string>(found: readonly string[], format: WantedColumns<Name>): string {
  const { mapping, missing } = suggestMapping(found, format);
  if (!Object.values(mapping).some((from) => !from.startsWith('='))) {
    return '';
  }
  const lacks = missing.length === 0 ? '' : ` (without a guess: ${missing.join(', ')})`;
  return `; a proposed column mapping, to be checked and saved: ${JSON.stringify(mapping)}${lacks}`;
}

/** Names as they were found, cut where somebody sent something that is no header at all. */
function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 50).map((name) => (name.length > 80 ? `${name.slice(0, 80)}...` : name));
  return shown.join(', ') + (names.length > shown.length ? `, and ${names.length - shown.length} more` : '');
}
