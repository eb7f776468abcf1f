/** Reads the refusal of a file, as far as the page offers something against it. */
import { ClientError } from '~/data/query.ts';

/** A file that would take away more than its source allows. */
export interface TooMuch {
  readonly removed: number;
  readonly total: number;
  readonly found: number;
  readonly share: number;
}

/** The figures of the guard against removals; undefined for any other refusal. */
export function readTooMuch(error: unknown): TooMuch | undefined {
  if (!(error instanceof ClientError) || !error.violations.some(({ field }) => field === 'allowRemovals')) {
    return undefined;
  }
  return readGuard(error.message);
}

/** The figures in the guard's sentence. */
export function readGuard(message: string): TooMuch {
  const [, removed, total, found, share] =
    /would \S+ (\d+) of the (\d+) .*\(([\d.]+) %\), which is more than ([\d.]+) %/s.exec(message) ?? [];
  return { removed: Number(removed ?? 0), total: Number(total ?? 0), found: Number(found ?? 0), share: Number(share ?? 0) };
}

/** A value of the file whose meaning is asked for. */
export interface Unknown {
  readonly column: string;
  readonly value: string;
}

/** The values that a text says are not known: `give it, such as "account_status:BAR=ENABLED"`. */
export function readUnknown(said: readonly string[]): Unknown[] {
  const found = new Map<string, Unknown>();
  for (const one of said) {
    for (const [, column = '', value = ''] of one.matchAll(/such as "([a-z_]+):(.*?)=[A-Z_]+"/gs)) {
      found.set(`${column}:${value}`, { column, value });
    }
  }
  return [...found.values()];
}

/** True if a text asks for the meaning of a value: the page has a field for each. */
export function asksForMeaning(said: string): boolean {
  return readUnknown([said]).length > 0;
}

/** True if a text asks how dates are written. */
export function asksForDates(said: readonly string[]): boolean {
  return said.some((one) => /\bDMY\b/.test(one) && /\bMDY\b/.test(one));
}
