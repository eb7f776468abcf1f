/** Statements of the code as a server is asked to prepare them, and the place of the code that its errors are about. */
import type { Found } from './statements.ts';
import type { SourceFile } from './tree.ts';

/** A statement that can be prepared. */
export interface Whole {
  /** The call that hands it over: file and line. */
  readonly call: string;
  readonly text: string;
  /** The file and the line of a position in the text, counted from 1. */
  readonly placeAt: (position: number) => string;
}

/** Statements that are prepared; those of the rest set something, or make what lives as long as a transaction. */
const prepared = /^[\s(]*(?:SELECT|WITH|INSERT|UPDATE|DELETE|VALUES|MERGE|TABLE)\b/i;

/** Temporary tables and their indexes, which later statements of their transactions are about. */
const temporary = /^\s*CREATE\s+TEMP(?:ORARY)?\s+TABLE\b/i;

function lineOf(files: ReadonlyMap<string, string>, path: string, at: number): string {
  return `${path}:${(files.get(path) ?? '').slice(0, at).split('\n').length}`;
}

function textOf({ parts }: Found): string {
  let number = 0;
  return parts.map((part) => ('text' in part ? part.text : 'gap' in part ? '' : `$${++number}`)).join('');
}

/** Statements by what can be done with them. */
export interface Sorted {
  readonly whole: readonly Whole[];
  /** Statements that make temporary tables, which stay beyond the transaction. */
  readonly made: readonly string[];
  /** Every call that hands over a statement of the kinds that are prepared, or one that the code alone does not tell. */
  readonly calls: readonly string[];
}

/** Sorts statements by what can be done with them. */
export function sortStatements(files: readonly SourceFile[], found: readonly Found[]): Sorted {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const whole: Whole[] = [];
  const made = new Set<string>();
  const calls = new Set<string>();
  for (const one of found) {
    const call = lineOf(texts, one.path, one.at);
    const text = textOf(one);
    const isWhole = !one.parts.some((part) => 'gap' in part);
    if (temporary.test(text)) {
      made.add(text.replace(/\s+ON\s+COMMIT\s+DROP/g, ''));
    }
    if (!isWhole || prepared.test(text)) {
      calls.add(call);
    }
    if (isWhole && prepared.test(text)) {
      whole.push({ call, text, placeAt: (position) => placeAt(texts, one, position - 1) ?? call });
    }
  }
  return { whole, made: [...made], calls: [...calls] };
}

function placeAt(files: ReadonlyMap<string, string>, { parts }: Found, position: number): string | undefined {
  let number = 0;
  let from = 0;
  for (const part of parts) {
    const length = 'text' in part ? part.text.length : 'gap' in part ? 0 : `$${++number}`.length;
    if (position < from + length) {
      return 'text' in part && part.path !== '' ? lineOf(files, part.path, part.at + position - from) : undefined;
    }
    from += length;
  }
  return undefined;
}
