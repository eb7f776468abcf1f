/** Columns of one name: which of them are used, and whether they say the same. */
import { entryKey, quote } from '../values/index.ts';

/** A column that is used without its number, beside others of its name. */
export interface Twins {
  readonly wanted: string;
  /** The name as names are compared. */
  readonly key: string;
  readonly at: number;
  readonly others: readonly number[];
}

/** A wanted column, the entry that fills it, and the places this names. */
interface Source {
  readonly name: string;
  readonly from: string;
  readonly at: readonly number[];
}

/** Finds the columns that are used, have the name of others, and were not chosen by their number. */
export function findTwins(keys: readonly string[], sources: readonly Source[]): readonly Twins[] {
  if (new Set(keys).size === keys.length) {
    return [];
  }
  return sources.flatMap(({ name, from, at }) =>
    at.flatMap((place) => {
      const key = keys[place] ?? '';
      const same = keys.flatMap((one, index) => (one === key ? [index] : []));
      const isChosen = entryKey(from).includes(`${key} (${same.indexOf(place) + 1})`);
      return key === '' || same.length === 1 || isChosen
        ? []
        : [{ wanted: name, key, at: place, others: same.filter((index) => index !== place) }];
    }),
  );
}

/** Says where columns of one name differ in a row; undefined where they do not. */
export function tellTwins(twins: readonly Twins[], row: readonly string[]): { readonly key: string; readonly reason: string } | undefined {
  for (const { wanted, key, at, others } of twins) {
    const value = (row[at] ?? '').trim();
    const other = others.find((place) => (row[place] ?? '').trim() !== value);
    if (other !== undefined) {
      const [first, second] = [quote(value), quote((row[other] ?? '').trim())];
      return {
        key,
        reason: `the columns ${at + 1} and ${other + 1} have this name, and differ: ${first} and ${second}; say which counts, such as map=${wanted}=${key} (2)`,
      };
    }
  }
  return undefined;
}
