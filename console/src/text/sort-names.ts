/** The order of names as the reader's language has it: whatever the case, accents last, numbers by what they count. */
import { locale } from './text.ts';

/** Sorts rows by their names. */
export function sortByName<T>(rows: readonly T[], nameOf: (row: T) => string): T[] {
  const { compare } = new Intl.Collator(locale(), { numeric: true });
  return rows.toSorted((one, other) => compare(nameOf(one), nameOf(other)));
}
