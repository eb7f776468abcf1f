/**
 * The header of an import file: which column is where, by its own name, by a mapping or by a guess, and which columns nobody asked for and
 * become profile attributes. What is guessed is in suggest-mapping.ts, what values become in file-values.ts.
 */
import { plainName } from '../../../lib/names/plain-name.ts';
import {
  type CellRule,
  type DateOrder,
  type FileValues,
  type MadeCell,
  type Mapping,
  type Mappings,
  type Places,
  type Split,
  type WantedColumns,
  anyValue,
  canBeEndName,
  columnsIn,
  createFileValues,
  ignoredIn,
  isColumnEntry,
  isExitName,
  entryKey,
  wordMeaning,
  columnPlaces,
  quote,
  readSplit,
  refuseFile,
  senseOfName,
  settingsIn,
  strictestRules,
  useOfColumn,
  valuesIn,
  knownWords,
} from '../values/index.ts';
import { type Denial, findDenials } from './find-denials.ts';
import { findLost } from './find-lost.ts';
import { findStanding } from './find-standing.ts';
import { type Twins, findTwins, tellTwins } from './find-twins.ts';
import { findPreset, mapByPreset, presets } from './presets.ts';
import { suggestMapping } from './suggest-mapping.ts';

/** Places of the known columns in a row, -1 where the file has none, and the others by name. */
export interface Columns<Name extends string> {
  readonly at: Readonly<Record<Name, number>>;
  readonly others: readonly { readonly name: string; readonly at: number }[];
  readonly count: number;
  /** Texts that each row is lengthened by before it is read; `at` points at them, behind the columns of the file. */
  readonly fixed: readonly string[];
  /** Cells that are made of others of their row: behind those, or in their own place where the header is ours. */
  readonly made: readonly { readonly at: number; readonly make: MadeCell }[];
  /** The columns of the file that are read, each with what odd cells mean in it. */
  readonly rules: readonly CellRule[];
  readonly values: FileValues;
  /** True if all words and times of the file are made cells. */
  readonly isTranslated: boolean;
  /** Columns without a name, which must hold nothing. */
  readonly nameless: readonly number[];
  /** The mapping that was used; empty where the header's own names were. */
  readonly used: Mapping;
  /** Wanted columns that were guessed, by a preset or by their names. */
  readonly guessed: readonly string[];
  /** The preset by which it was recognised; '' for none. */
  readonly preset: string;
  /** Wanted columns that each row has the same in, because nothing in the file says it. */
  readonly constants: Readonly<Record<string, string>>;
  /** Columns that may say of a row that it gives nothing. */
  readonly denials: readonly Denial[];
  /** Columns that are used and have the name of others, which must say the same in every row. */
  readonly twins: readonly Twins[];
  /** The place whose cells hold several values, each a row of its own; undefined for none. `empty` stands for a cell without any. */
  readonly split: { readonly at: number; readonly by: Split; readonly empty: string } | undefined;
  /** True for a row that says nothing in the columns that no row of such a file may leave empty. */
  lacks(row: readonly string[]): boolean;
}

/** Ways a header may be read beside its names. */
export interface HeaderOptions extends Mappings {
  /** Some rows of the file. With them, what is guessed is used where nothing speaks against it. */
  readonly sample?: readonly (readonly string[])[];
  /** Values of columns that neither the file nor a mapping has, before the defaults of the kind of file. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** True if values are read as other systems write them although the header is ours. */
  readonly isTranslated?: boolean;
  /** Time the file is read: what is over by then; now where absent. */
  readonly now?: Date;
}

/** Way a header is read: the mapping, and how it was found. */
interface Choice {
  readonly mapping: Mapping;
  readonly isMapped: boolean;
  readonly guessed: readonly string[];
  readonly preset: string;
}

/**
 * Reads a header; names are found in any order and case. Refuses one that names a needed column twice or not at all, or that lacks a column that
 * its mapping names. A guess is used where a sample is given and nothing speaks against it; otherwise the refusal proposes it.
 */
export function readHeader<Name extends string>(
  header: readonly string[],
  format: WantedColumns<Name>,
  options: HeaderOptions = {},
  line = 1,
): Columns<Name> {
  const found = header.map((name) => name.trim());
  const keys = found.map((name) => name.toLowerCase());
  const told = `; found: ${listNames(found)}; wanted: ${format.wanted.join(', ')}`;
  const lacking = format.wanted.filter((name) => !keys.includes(name));
  const choice = chooseMapping(format, options, lacking.length === 0, found, keys);
  if (typeof choice === 'string') {
    const { lacks, suggested } = tellLacking(found, format, options, lacking);
    throw refuseFile(`${lacks}${choice}${told}${suggested}`, line);
  }
  return placeColumns({ found, keys, format, ...choice, options, told, line });
}

/** The mapping that holds for a header; where none does, why what would be guessed is not used. */
function chooseMapping<Name extends string>(
  format: WantedColumns<Name>,
  { saved = {}, asked = {}, sample }: HeaderOptions,
  isComplete: boolean,
  found: readonly string[],
  keys: readonly string[],
): Choice | string {
  const settings = { ...settingsIn(saved), ...settingsIn(asked) };
  const withStanding = (given: Choice) => addStanding(format, given, found, keys, sample);
  const byName: Choice = { mapping: settings, isMapped: false, guessed: [], preset: '' };
  const preset = settings.preset === undefined ? undefined : presets.find(({ id }) => id === settings.preset);
  const recognised =
    isComplete || sample === undefined || Object.keys(columnsIn(saved)).length > 0 ? undefined : findPreset(found, format.kind);
  if (Object.keys(columnsIn(asked)).length > 0 && preset === undefined && recognised === undefined) {
    return addGuesses(format, withStanding({ ...byName, mapping: { ...saved, ...asked }, isMapped: true }), saved, found, keys, sample);
  }
  if (preset !== undefined) {
    const mapping = { ...mapByPreset(found, preset), ...saved, ...asked };
    return { mapping, isMapped: true, guessed: [], preset: preset.id };
  }
  if (Object.keys(columnsIn(saved)).length > 0) {
    return isComplete
      ? addSaved(format, saved, settings, keys)
      : withStanding({ ...byName, mapping: { ...saved, ...asked }, isMapped: true });
  }
  if (isComplete) {
    return byName;
  }
  if (sample === undefined) {
    return '';
  }
  if (recognised !== undefined) {
    const byPreset = Object.entries(mapByPreset(found, recognised)).filter(([key]) => asked[key.split(':')[0] ?? ''] === undefined);
    const mapping = { ...Object.fromEntries(byPreset), ...settings, ...asked };
    const lost = findLost(found, sample, mapping);
    const guessed = byPreset.flatMap(([key]) => (isColumnEntry(key) ? [key] : []));
    return lost.length > 0 ? `; ${lost.join('; ')}` : { mapping, isMapped: true, guessed, preset: recognised.id };
  }
  const { mapping, missing, doubts } = suggestMapping(found, format, sample, settings);
  if (missing.length > 0 || doubts.length > 0) {
    return doubts.length === 0 ? '' : `; ${doubts.join('; ')}`;
  }
  const guessed = Object.keys(mapping).filter((column) => entryKey(mapping[column] ?? '') !== column);
  return { mapping: { ...mapping, ...settings }, isMapped: true, guessed, preset: '' };
}

/**
 * A given mapping that says nothing of who can still sign in, with the columns of the file that do: leaving them out would make suspended
 * accounts enabled. Why that is not possible, where they are not understood.
 */
function addStanding<Name extends string>(
  format: WantedColumns<Name>,
  given: Choice,
  found: readonly string[],
  keys: readonly string[],
  sample: HeaderOptions['sample'],
): Choice | string {
  const { column, at, doubts } = findStanding(found, format.kind, sample ?? [], given.mapping);
  if (given.mapping[column] !== undefined || keys.includes(column) || at.length === 0) {
    return given;
  }
  if (doubts.length > 0) {
    return `; ${doubts.join('; ')}: map ${column} to a column, or to one text for all rows`;
  }
  const from = at.map((place) => found[place]).join('+');
  return { ...given, mapping: { ...given.mapping, [column]: from }, guessed: [...given.guessed, column] };
}

/**
 * A mapping that was asked for, with guesses for what it leaves open: one of the columns is often all that somebody has to say. A saved mapping
 * leaves nothing open but what is needed.
 */
function addGuesses<Name extends string>(
  format: WantedColumns<Name>,
  given: Choice | string,
  saved: Mapping,
  found: readonly string[],
  keys: readonly string[],
  sample: HeaderOptions['sample'],
): Choice | string {
  if (typeof given === 'string' || sample === undefined || Object.keys(columnsIn(saved)).length > 0) {
    return given;
  }
  const { mapping, doubts } = suggestMapping(found, format, sample, given.mapping);
  const guesses = Object.entries(mapping).filter(
    ([column, from]) => given.mapping[column] === undefined && !keys.includes(column) && !from.startsWith('='),
  );
  if (doubts.length > 0) {
    return `; ${doubts.join('; ')}`;
  }
  return {
    ...given,
    mapping: { ...Object.fromEntries(guesses), ...given.mapping },
    guessed: [...given.guessed, ...guesses.map(([column]) => column)],
  };
}

/** The file has all it must have under the right names. What a saved mapping adds to that is taken where it is there. */
function addSaved<Name extends string>(format: WantedColumns<Name>, saved: Mapping, settings: Mapping, keys: readonly string[]): Choice {
  const adds = [...format.optional, ...format.exact].filter((name) => {
    const from = saved[name];
    return from !== undefined && !keys.includes(name) && (from.startsWith('=') || columnPlaces(from, keys) !== undefined);
  });
  const mapping = { ...settings, ...Object.fromEntries(adds.map((name) => [name, saved[name] as string])) };
  return { mapping, isMapped: adds.length > 0, guessed: [], preset: '' };
}

interface Header<Name extends string> extends Choice {
  readonly found: readonly string[];
  readonly keys: readonly string[];
  readonly format: WantedColumns<Name>;
  readonly options: HeaderOptions;
  readonly told: string;
  readonly line: number;
}

function placeColumns<Name extends string>(header: Header<Name>): Columns<Name> {
  const { found, keys, format, mapping, isMapped, options, told, line } = header;
  const isTranslated = isMapped || options.isTranslated === true;
  const at = {} as Record<Name, number>;
  const fixed: string[] = [];
  const sources: { readonly name: Name; readonly places: Places }[] = [];
  const constants: Record<string, string> = {};
  const used = new Set<number>();
  const wrong: string[] = [];
  const defaults: Readonly<Record<string, string | undefined>> = { ...format.defaults, ...options.defaults };
  const exact = format.exact.filter((name) => mapping[name] !== undefined || format.wanted.every((one) => keys.includes(one)));
  for (const name of format.exact) {
    at[name] = -1;
  }
  for (const name of [...format.wanted, ...format.optional, ...exact]) {
    const from = mapping[name];
    const places = from === undefined || from.startsWith('=') ? columnPlaces(name, keys) : columnPlaces(from, keys);
    const text = from?.startsWith('=') ? from.slice(1) : places === undefined && isMapped ? defaults[name] : undefined;
    if (from !== undefined && !from.startsWith('=') && places === undefined) {
      wrong.push(`the mapping fills ${name} from ${quote(from)}, and the file has no such column`);
    } else if (text !== undefined) {
      at[name] = found.length + fixed.length;
      const kind = format.words[name];
      fixed.push((kind && wordMeaning(kind, text)) ?? text);
      if (text !== '' && format.wanted.includes(name)) {
        constants[name] = text;
      }
    } else {
      at[name] = places?.at[0] ?? -1;
      for (const place of places?.at ?? []) {
        used.add(place);
      }
      if (places !== undefined) {
        sources.push({ name, places });
      } else if (format.wanted.includes(name)) {
        wrong.push(`neither the file nor the mapping has ${name}; say where it comes from, such as map=${name}=COLUMN`);
      }
    }
  }
  if (
    format.kind === 'people' &&
    at['email' as Name] >= found.length &&
    at['employee_id' as Name] < 0 &&
    fixed[at['email' as Name] - found.length] === ''
  ) {
    wrong.push('neither the file nor the mapping has email or employee_id, by which people are known');
  }
  const twins = findTwins(
    keys,
    sources.map(({ name, places }) => ({ name, from: mapping[name] ?? name, at: places.at })),
  );
  const [twin] = twins;
  if (twin !== undefined && options.sample === undefined) {
    throw refuseFile(`the header names ${JSON.stringify(twin.key.slice(0, 80))} twice${told}`, line);
  }
  for (const row of options.sample ?? []) {
    const different = tellTwins(twins, row);
    if (different !== undefined) {
      throw refuseFile(`the header names ${JSON.stringify(different.key.slice(0, 80))} twice: ${different.reason}${told}`, line);
    }
  }
  const nameless = found.flatMap((name, index) => (name === '' ? [index] : []));
  if (nameless.length > 0 && !isMapped) {
    throw refuseFile(`the header has a column without a name${told}`, line);
  }
  if (wrong.length > 0) {
    throw refuseFile(`${wrong.join('; ')}${told}${tellSuggestion(found, format, options)}`, line);
  }
  const values = createFileValues(mapping.dates as DateOrder | undefined, options.now ?? new Date());
  const made = makeCells(header, { sources, isTranslated, values, at, base: found.length + fixed.length, isMapped });
  const ignored = ignoredIn(mapping);
  const others = nameOthers(found, new Set([...used, ...keys.flatMap((key, index) => (ignored.has(key) ? [index] : []))]));
  const rules = ruleCells(found, mapping, sources, others);
  const by = readSplit(mapping.split ?? '');
  const split = by && { at: at[by.column as Name], by, empty: by.column === 'resource' ? (defaults[by.column] ?? '') : '' };
  const denials = isMapped && format.kind === 'grants' ? findDenials(others) : [];
  const needs = sources.flatMap(({ name, places: from }) => (isMapped && format.needs.includes(name) ? from.at : []));
  const { guessed, preset } = header;
  const count = found.length;
  return {
    at,
    others,
    count,
    fixed,
    made,
    rules,
    values,
    isTranslated,
    nameless,
    used: mapping,
    guessed,
    preset,
    constants,
    denials,
    twins,
    split,
    lacks: (row) => needs.length > 0 && needs.every((place) => (row[place] ?? '').trim() === ''),
  };
}

/** What odd cells mean in each column that is read; those that a mapping leaves out have no rule. */
function ruleCells(
  found: readonly string[],
  mapping: Mapping,
  sources: readonly { readonly name: string; readonly places: Places }[],
  others: Columns<string>['others'],
): readonly CellRule[] {
  const ofWanted = sources.flatMap(({ name: column, places }) => {
    const given = valuesIn(mapping, column);
    const isGiven = (value: string): boolean => given.size > 0 && (given.has(value.toLowerCase()) || given.has(anyValue));
    return places.at.map((at): CellRule => ({ at, name: found[at] ?? '', column, use: useOfColumn(column), isGiven }));
  });
  const ofOthers = others.map(({ name, at }): CellRule => ({ at, name, column: name, use: 'OTHER', isGiven: () => false }));
  return strictestRules([...ofWanted, ...ofOthers]);
}

/** The columns of words and times, and those of several or with values given, as cells to be made; `at` points at these from then on. */
function makeCells<Name extends string>(
  { format, mapping, found }: Header<Name>,
  into: {
    readonly sources: readonly { readonly name: Name; readonly places: Places }[];
    readonly isTranslated: boolean;
    readonly values: FileValues;
    readonly at: Record<Name, number>;
    readonly base: number;
    readonly isMapped: boolean;
  },
): Columns<Name>['made'] {
  const made: { at: number; make: MadeCell }[] = [];
  for (const { name, places } of into.sources) {
    const kind = format.words[name];
    const isTime = format.times.includes(name);
    const given = new Map(valuesIn(mapping, name));
    const isOwn = entryKey(found[places.at[0] as number] ?? '') === name;
    if (kind !== undefined && (isOwn || kind === 'type') && !given.has('')) {
      // Under our own name an empty cell means the usual case, and a type that is left out does no harm.
      given.set('', knownWords[kind][0]);
    }
    if ((into.isTranslated && (kind !== undefined || isTime)) || places.at.length > 1 || given.size > (kind === undefined ? 0 : 1)) {
      const isEnd = kind === 'status' ? canBeEndName : kind === 'employment' ? isExitName : () => false;
      const ends = places.at.map((at) => (isEnd(plainName(found[at] ?? '')) ? (found[at] ?? '') : ''));
      const opposite = places.at.map((at) => kind !== undefined && senseOfName(plainName(found[at] ?? ''))?.sense === 'opposite');
      if (into.isMapped) {
        into.at[name] = into.base + made.length;
      }
      const make = into.values.makeCell({ column: name, places, given, isTime, opposite, ends, ...(kind !== undefined && { kind }) });
      made.push({ at: into.at[name], make });
    }
  }
  return made;
}

/** The columns that become attributes; of those with the same name the second is `name (2)`. */
function nameOthers(found: readonly string[], used: ReadonlySet<number>): Columns<string>['others'] {
  const seen = new Map<string, number>();
  return found.flatMap((name, at) => {
    if (used.has(at) || name === '') {
      return [];
    }
    const count = (seen.get(name.toLowerCase()) ?? 0) + 1;
    seen.set(name.toLowerCase(), count);
    return [{ name: count === 1 ? name : `${name} (${count})`, at }];
  });
}

/** What a header lacks: where it may be guessed, only what nothing was found for. */
function tellLacking<Name extends string>(
  found: readonly string[],
  format: WantedColumns<Name>,
  options: HeaderOptions,
  lacking: readonly string[],
): { readonly lacks: string; readonly suggested: string } {
  const suggested = tellSuggestion(found, format, options);
  const given = { ...options.saved, ...options.asked };
  const { missing } = suggestMapping(found, format, options.sample, given);
  const names = options.sample === undefined ? lacking : missing;
  const lacks = names.length === 0 ? 'the header cannot be read as it is' : `the header lacks ${names.join(', ')}`;
  const [first] = missing;
  const next =
    first === undefined || options.sample === undefined
      ? ''
      : `; say which column it is, such as map=${first}=COLUMN, or, where the names stand on another line, header_line=N`;
  return { lacks, suggested: `${suggested}${next}` };
}

/** The end of a refusal: the mapping that would do, to be looked at and saved. */
function tellSuggestion<Name extends string>(found: readonly string[], format: WantedColumns<Name>, { sample }: HeaderOptions): string {
  const { mapping, missing } = suggestMapping(found, format, sample);
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
