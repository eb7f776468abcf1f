/** The functions of texts. Places in texts count characters (code points), as the language has it. */
import { RE2JS } from '@bufbuild/re2';
import type { CallName } from './calls.ts';
import { Failure, type Result, type Value } from './values.ts';
import type { Work } from './work.ts';

/** A function: its arguments are of the types that it takes. */
export type Apply = (work: Work, args: readonly Value[]) => Result;

const patterns = new Map<string, RE2JS>();

/** A regular expression in linear time. Few are kept: those of an expression are asked for again and again. */
function compiled(pattern: string): RE2JS {
  let found = patterns.get(pattern);
  if (found === undefined) {
    found = RE2JS.compile(pattern);
    if (patterns.size >= 100) {
      patterns.clear();
    }
    patterns.set(pattern, found);
  }
  return found;
}

/** Longest patterns, in UTF-16 units, that are not written in the expression: making a program of one takes time too. */
const longestPattern = 8192;

function matches(work: Work, text: string, pattern: string): Result {
  if (pattern.length > longestPattern) {
    return new Failure('the regular expression is too long');
  }
  work.spend(pattern.length * 10);
  let program: RE2JS;
  try {
    program = compiled(pattern);
  } catch {
    return new Failure('this is not a regular expression');
  }
  // At worst, each character visits each instruction of the program.
  work.spend((text.length + 1) * (1 + program.re2Input.prog.inst.length / 16));
  return program.test(text);
}

/** The characters of a text: its UTF-16 units where it has no pair of surrogates. */
const characters = (text: string): string | string[] => (/[\ud800-\udfff]/.test(text) ? Array.from(text) : text);
const sliced = (text: string | string[], start: number, end?: number): string =>
  typeof text === 'string' ? text.slice(start, end) : text.slice(start, end).join('');

function outside(index: bigint, length: number): Failure | undefined {
  return index < 0n || index > BigInt(length) ? new Failure(`place ${index} is outside the text`) : undefined;
}

function charAt(text: string, index: bigint): Result {
  const all = characters(text);
  return outside(index, all.length) ?? all[Number(index)] ?? '';
}

function indexOf(text: string, part: string, from = 0n): Result {
  const all = characters(text);
  const wrong = outside(from, all.length);
  if (wrong !== undefined) {
    return wrong;
  }
  if (typeof all === 'string') {
    return BigInt(all.indexOf(part, Number(from)));
  }
  const found = text.indexOf(part, sliced(all, 0, Number(from)).length);
  return found < 0 ? -1n : BigInt(Array.from(text.slice(0, found)).length);
}

function substring(text: string, start: bigint, end?: bigint): Result {
  const all = characters(text);
  const wrong = outside(start, all.length) ?? (end === undefined ? undefined : outside(end, all.length));
  if (wrong !== undefined) {
    return wrong;
  }
  return end !== undefined && start > end
    ? new Failure('substring() begins behind its end')
    : sliced(all, Number(start), end === undefined ? undefined : Number(end));
}

function replace(work: Work, text: string, part: string, other: string, times?: bigint): Result {
  // An empty part stands before every character and behind the last.
  const pieces = part === '' ? ['', ...Array.from(text), ''] : text.split(part);
  const count = times === undefined || times < 0n || times >= BigInt(pieces.length) ? pieces.length - 1 : Number(times);
  work.spend(text.length + count * other.length);
  const head = pieces.slice(0, count + 1).join(other);
  const tail = pieces.slice(count + 1);
  return work.text(tail.length === 0 ? head : `${head}${part}${tail.join(part)}`);
}

const split = (text: string, separator: string): string[] => (separator === '' ? Array.from(text) : text.split(separator));

function splitTo(work: Work, text: string, separator: string, count?: bigint): Result {
  work.spend(text.length);
  const pieces = split(text, separator);
  if (count === undefined || count < 0n || count >= BigInt(pieces.length)) {
    return work.list(pieces);
  }
  const limit = Number(count);
  return limit === 0 ? [] : [...pieces.slice(0, limit - 1), pieces.slice(limit - 1).join(separator)];
}

function joinTexts(work: Work, list: readonly Value[], separator: string): Result {
  if (!list.every((item) => typeof item === 'string')) {
    return new Failure('join() takes a list of texts');
  }
  const length = list.reduce((sum, item) => sum + item.length + separator.length, 0);
  work.spend(length);
  return work.text(list.join(separator));
}

/** White space as the language's extension for texts defines it. */
const spaces = new Set(
  '\u0009\u000a\u000b\u000c\u000d\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
);

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && spaces.has(text[start]!)) {
    start++;
  }
  while (end > start && spaces.has(text[end - 1]!)) {
    end--;
  }
  return text.slice(start, end);
}

const texts = (call: (...args: string[]) => Result): Apply => {
  return (work, args) => {
    const given = args as readonly string[];
    work.spend(given.reduce((sum, one) => sum + one.length, 0));
    return call(...given);
  };
};

/** Each function of texts, by its name. */
export const textFunctions = {
  contains: texts((text, part) => text!.includes(part!)),
  startsWith: texts((text, part) => text!.startsWith(part!)),
  endsWith: texts((text, part) => text!.endsWith(part!)),
  matches: (work, [text, pattern]) => matches(work, text as string, pattern as string),
  lowerAscii: texts((text) => text!.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())),
  upperAscii: texts((text) => text!.replace(/[a-z]+/g, (letters) => letters.toUpperCase())),
  ifEmpty: texts((text, other) => (text === '' ? other! : text!)),
  trim: texts((text) => trim(text!)),
  charAt: (work, [text, index]) => {
    work.spend((text as string).length);
    return charAt(text as string, index as bigint);
  },
  indexOf: (work, [text, part, from]) => {
    work.spend((text as string).length);
    return indexOf(text as string, part as string, from as bigint | undefined);
  },
  substring: (work, [text, start, end]) => {
    work.spend((text as string).length);
    return substring(text as string, start as bigint, end as bigint | undefined);
  },
  replace: (work, [text, part, other, times]) =>
    replace(work, text as string, part as string, other as string, times as bigint | undefined),
  split: (work, [text, separator, count]) => splitTo(work, text as string, separator as string, count as bigint | undefined),
  join: (work, [list, separator]) => joinTexts(work, list as readonly Value[], (separator ?? '') as string),
} satisfies Partial<Record<CallName, Apply>>;
