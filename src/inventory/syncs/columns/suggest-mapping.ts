/**
 * Guessing what the columns of a file are, from their names and from some of its rows. A guess says how sure it is, and what speaks against
 * using it unasked: above all a column that may say who cannot sign in any more, and is not understood.
 */
import { plainName } from '../../../lib/names/plain-name.ts';
import { accountNames, nameParts, type Names, personNames } from './column-names.ts';
import { findLost } from './find-lost.ts';
import { findStanding, type Sample, valuesAt } from './find-standing.ts';
import {
  type Mapping,
  type WantedColumns,
  ignoredIn,
  isColumnEntry,
  isSurelyNothing,
  entryKey,
  maxNameLength,
  wordMeaning,
  columnPlaces,
} from '../values/index.ts';

/** Likely origin of one wanted column. */
export interface Suggestion {
  readonly column: string;
  /** A column of the file as it is named there, several joined by `+`, or `=` and a text for all rows. */
  readonly from: string;
  /** In percent: 100 the name itself, 94 and 95 a name for what only one person has, 90 a usual name for it, 60 a name that may mean something else, too, 50 the user's name or address for the account, 30 a word for all rows. */
  readonly confidence: number;
}

/** A guess at a whole header. */
export interface SuggestedMapping {
  readonly suggestions: readonly Suggestion[];
  /** The suggestions as a mapping that can be saved. */
  readonly mapping: Mapping;
  /** Columns that must be there and for which nothing was found. */
  readonly missing: readonly string[];
  /** Reasons the guess must not be used unasked. */
  readonly doubts: readonly string[];
}

/** Words that a grants file may have in all rows where nothing in it says otherwise. */
const words: Readonly<Record<string, string>> = { account_type: 'USER', account_status: 'ENABLED', resource_type: 'resource' };

/** Ends of names for what is held, whatever stands before: `Site Role`, `Membership type`. */
const heldPattern = /(roles?|rolle|responsibility(name)?|permissions?|profile|accesslevel)$/;
/** Ends of names for what is held where neither a role nor a group is. */
const kindPattern = /(membershiptype|licensetype|seat)$/;

/** Guesses what the columns of a header are; each column of the file is suggested once at most. */
export function suggestMapping<Name extends string>(
  header: readonly string[],
  format: WantedColumns<Name>,
  sample: Sample = [],
  given: Mapping = {},
): SuggestedMapping {
  const names = format.kind === 'people' ? personNames : accountNames;
  const known: readonly string[] = [...format.wanted, ...format.optional].filter((column) => given[column] === undefined);
  const found = leaveOut(header, given);
  const places = placesByName(found);
  const taken = new Set<number>();
  const best = new Map<string, Suggestion>();
  const doubts: string[] = [];
  const take = (column: string, at: readonly number[], confidence: number) => {
    for (const index of at) {
      taken.add(index);
    }
    best.set(column, { column, from: at.map((index) => found[index] as string).join('+'), confidence });
  };

  const status = findStanding(found, format.kind, sample, given);
  const standing = status.column;
  if (given[standing] === undefined) {
    if (status.at.length > 0) {
      take(standing, status.at, status.confidence);
    }
    doubts.push(...status.doubts);
  }

  // What is surer first, so that a name that may mean two things goes to the one that nothing else means.
  const hasNumbers = names.employee_id !== undefined && namesIn(names.employee_id).some((name) => places.has(name));
  for (const [confidence, namesOf] of degrees(names, hasNumbers || places.has('employeeid'))) {
    for (const column of known) {
      const named = best.has(column) ? [] : namesOf(column).flatMap((name) => places.get(name) ?? []);
      // Of usual names the first in the file, of others the likeliest.
      const free = confidence > 60 ? named.sort((a, b) => rankOf(found[a]) - rankOf(found[b]) || a - b) : named;
      // A column with the very name is meant, whatever stands in it: rows that do not fit are refused by their lines.
      const at = free.find((index) => !taken.has(index) && (entryKey(found[index] as string) === column || fits(column, index, sample)));
      if (at !== undefined) {
        take(column, [at], confidence);
      }
    }
  }
  const findHeld = (pattern: RegExp) =>
    found.findIndex((name, index) => !taken.has(index) && pattern.test(plainName(name)) && fits('entitlement', index, sample));
  if (known.includes('entitlement') && !best.has('entitlement')) {
    const at = findHeld(heldPattern);
    // Where nothing else may be it, a column that is empty in some rows is: the refusal then names these rows.
    const usual = names.entitlement?.usual.flatMap((name) => places.get(name) ?? []).find((index) => !taken.has(index));
    if (at >= 0 || usual !== undefined) {
      take('entitlement', [at >= 0 ? at : (usual as number)], 60);
    }
  }
  if (known.includes('display_name')) {
    joinNames(best, taken, places, take);
  }
  if (known.includes('manager_email')) {
    joinManagers(best, taken, places, found);
  }
  if (known.includes('entitlement')) {
    giveGroupToEntitlement(best, found);
    const at = best.has('entitlement') ? -1 : findHeld(kindPattern);
    if (at >= 0) {
      take('entitlement', [at], 60);
    }
  }
  const isNamed = best.get('account')?.confidence === 60 && holdsNames(sample, found.indexOf(best.get('account')?.from ?? ''));
  if (known.includes('account') && isNamed && !best.has('display_name') && (best.has('username') || best.has('email'))) {
    // Two people may have one name.
    best.set('display_name', { column: 'display_name', from: best.get('account')?.from ?? '', confidence: 60 });
    best.delete('account');
  }
  // An account is often named by the user's name or address, which the file then has only once.
  const other = best.get('username') ?? best.get('email') ?? best.get('employee_id');
  if (known.includes('account') && !best.has('account') && other !== undefined) {
    best.set('account', { column: 'account', from: other.from, confidence: 50 });
  }
  if (known.includes('email')) {
    giveAddress(best, found, sample);
  }
  if (known.includes('account_type')) {
    giveType(best, found, sample);
  }
  doubts.push(...findLost(found, sample, { ...Object.fromEntries([...best].map(([column, { from }]) => [column, from])), ...given }));
  for (const column of format.wanted) {
    const word = words[column];
    if (!best.has(column) && word !== undefined && !(column === standing && doubts.length > 0)) {
      best.set(column, { column, from: `=${word}`, confidence: 30 });
    }
  }
  const suggestions = known.flatMap((column) => best.get(column) ?? []);
  const has = (column: string): boolean => best.has(column) || given[column] !== undefined;
  const isNameless = format.kind === 'people' && !has('email') && !has('employee_id');
  const needed = format.wanted.filter(
    (column) => !has(column) && (format.defaults[column] === undefined || (isNameless && column === 'email')),
  );
  return { suggestions, mapping: Object.fromEntries(suggestions.map(({ column, from }) => [column, from])), missing: needed, doubts };
}

/** An address that is marked as private goes behind all others: nobody signs in with it. */
const rankOf = (name = ''): number => (/[([](private?|privat|home|personal|perso|personnel|personnelle)[)\]]/i.test(name) ? 1 : 0);

/** The names of a header, without those that a given mapping reads or leaves out, and without what has the name of a column before it. */
function leaveOut(header: readonly string[], given: Mapping): readonly string[] {
  const names = header.map((name) => name.trim());
  const keys = names.map(entryKey);
  const used = new Set(
    Object.entries(given).flatMap(([key, from]) =>
      isColumnEntry(key) && !from.startsWith('=') ? (columnPlaces(from, keys)?.at ?? []) : [],
    ),
  );
  const ignored = ignoredIn(given);
  const seen = new Set<string>();
  return names.map((name, at) => {
    const key = keys[at] ?? '';
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst && !used.has(at) && !ignored.has(key) ? name : '';
  });
}

function placesByName(found: readonly string[]): Map<string, number[]> {
  const places = Map.groupBy(found.keys(), (index) => {
    const name = found[index] as string;
    return name.length > maxNameLength ? '' : plainName(name);
  });
  places.delete('');
  return places;
}

/**
 * True if the values of a column can be what it is taken for: a type has known words, an address has an @.
 */
function fits(column: string, at: number, sample: Sample): boolean {
  const values = valuesAt(sample, at).filter((value) => !isSurelyNothing(value));
  switch (column) {
    case 'account_type':
      return values.every((value) => wordMeaning('type', value) !== undefined);
    case 'resource':
    case 'entitlement':
      // They must not be empty: a column that is in some rows says something else.
      return sample.every((row) => (row[at] ?? '').trim() !== '');
    case 'email':
      return values.length === 0 || values.some((value) => value.includes('@'));
    default:
      return true;
  }
}

/** A name in parts where none is whole, or where what seems whole is the family name beside a first name. */
function joinNames(
  best: ReadonlyMap<string, Suggestion>,
  taken: ReadonlySet<number>,
  places: ReadonlyMap<string, readonly number[]>,
  take: (column: string, at: readonly number[], confidence: number) => void,
): void {
  const whole = best.get('display_name');
  const at = (names: readonly string[]) => names.flatMap((name) => places.get(name) ?? [])[0];
  const first = at(nameParts.first);
  const last = at(nameParts.last) ?? at(nameParts.lastBesideFirst);
  const isPart =
    whole === undefined || [...nameParts.first, ...nameParts.last, ...nameParts.lastBesideFirst].includes(plainName(whole.from));
  if (first !== undefined && last !== undefined && first !== last && isPart) {
    const isElsewhere = [first, last].some((index) => taken.has(index) && whole === undefined);
    if (!isElsewhere) {
      take('display_name', [first, last], 90);
    }
  }
}

/** Names of columns that name a manager, the surest first; those that may mean somebody else are left out. */
const managers: readonly string[] = (({ unique = [], numbered = [], usual }: Names) => [
  ...unique,
  ...numbered,
  ...usual,
  'manager',
  'supervisor',
])(personNames.manager_email as Names);

/**
 * A manager whom several columns name: the surest that is not empty in a row, an address before a number and both before a name, so that whoever lacks
 * the one still has a manager by the other.
 */
function joinManagers(
  best: Map<string, Suggestion>,
  taken: Set<number>,
  places: ReadonlyMap<string, readonly number[]>,
  found: readonly string[],
): void {
  const first = best.get('manager_email');
  if (first === undefined) {
    return;
  }
  const others = managers.flatMap((name) => places.get(name) ?? []).filter((at) => !taken.has(at) && !/[+|]/.test(found[at] ?? ''));
  for (const at of others) {
    taken.add(at);
  }
  best.set('manager_email', { ...first, from: [first.from, ...others.map((at) => found[at] ?? '')].join('|') });
}

/** A group is what is held where nothing else is: the resource is then the app. */
function giveGroupToEntitlement(best: Map<string, Suggestion>, found: readonly string[]): void {
  const resource = best.get('resource');
  const names = accountNames.entitlement as Names;
  if (resource === undefined || best.has('entitlement') || !found.includes(resource.from)) {
    return;
  }
  if ([...names.usual, ...names.possible].includes(plainName(resource.from))) {
    best.delete('resource');
    best.set('entitlement', { column: 'entitlement', from: resource.from, confidence: 60 });
  }
}

/** Accounts named by addresses show their owners', too, where the file has no other. */
function giveAddress(best: Map<string, Suggestion>, found: readonly string[], sample: Sample): void {
  const account = best.get('account');
  if (account === undefined || best.has('email')) {
    return;
  }
  const values = valuesAt(sample, found.indexOf(account.from));
  if (values.length > 0 && values.every((value) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value))) {
    best.set('email', { column: 'email', from: account.from, confidence: 50 });
  }
}

/** True if most values of a column are names of people, as they are written out. */
function holdsNames(sample: Sample, at: number): boolean {
  const values = valuesAt(sample, at);
  return values.length > 0 && values.filter((value) => /^\p{L}[\p{L}.'’-]*,? \p{L}[\p{L} .'’-]*$/u.test(value)).length * 2 > values.length;
}

/** Accounts that begin with what they are, such as `serviceAccount:ci@project`, say their type, too. */
function giveType(best: Map<string, Suggestion>, found: readonly string[], sample: Sample): void {
  const account = best.get('account');
  if (account === undefined || best.has('account_type')) {
    return;
  }
  const values = valuesAt(sample, found.indexOf(account.from));
  if (values.length > 0 && values.every((value) => /^\w+:\S/.test(value) && wordMeaning('type', value) !== undefined)) {
    best.set('account_type', { column: 'account_type', from: account.from, confidence: 50 });
  }
}

type Degree = readonly [confidence: number, namesOf: (column: string) => readonly string[]];

const namesIn = ({ usual, possible }: Names): readonly string[] => [...usual, ...possible];

function degrees(names: Readonly<Record<string, Names>>, hasNumbers: boolean): readonly Degree[] {
  return [
    [100, (column) => [plainName(column)]],
    [95, (column) => names[column]?.unique ?? []],
    [94, (column) => (hasNumbers ? (names[column]?.numbered ?? []) : [])],
    [90, (column) => names[column]?.usual ?? []],
    [61, (column) => names[column]?.numbered ?? []],
    [60, (column) => names[column]?.possible ?? []],
  ];
}
