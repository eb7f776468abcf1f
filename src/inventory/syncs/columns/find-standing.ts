/**
 * Finding what a file says of who can still sign in, or still works here: the columns that say so, and what about them is not understood. Whoever
 * overlooks one takes people who left for people who are there.
 */
import { plainName } from '../../../lib/names/plain-name.ts';
import {
  type Mapping,
  type WordKind,
  anyValue,
  isEndName,
  isExitName,
  isOver,
  maxNameLength,
  wordMeaning,
  oppositeWord,
  senseOfName,
  valuesIn,
  knownWords,
} from '../values/index.ts';

/** Values without a meaning that a doubt names. */
const maxUnknown = 12;

/** Some rows of a file. */
export type Sample = readonly (readonly string[])[];

/** Finding for a column. */
export interface Standing {
  /** The wanted column it is about. */
  readonly column: 'account_status' | 'employment_status';
  /** The columns of the file that say it together, by their places. */
  readonly at: readonly number[];
  /** In percent. */
  readonly confidence: number;
  /** Reasons it must not be used unasked. */
  readonly doubts: readonly string[];
}

/** The columns that say whether an account or a person is one in use, and what is not understood of them. */
export function findStanding(found: readonly string[], fileKind: 'people' | 'grants', sample: Sample, mapping: Mapping = {}): Standing {
  const [own, kind] = fileKind === 'people' ? (['employment_status', 'employment'] as const) : (['account_status', 'status'] as const);
  const given = valuesIn(mapping, own);
  const doubts: string[] = [];
  const plain: { at: number; isVague: boolean }[] = [];
  const opposite: number[] = [];
  const ends: number[] = [];
  const exits: number[] = [];
  for (const [at, name] of found.entries()) {
    const key = name.length > maxNameLength ? '' : plainName(name);
    const sense = key === plainName(own) ? { sense: 'plain' as const, isVague: false } : senseOfName(key);
    if (sense === undefined) {
      if (kind === 'employment' && isExitName(key)) {
        exits.push(at);
      } else if (kind === 'status' && isEndName(key)) {
        ends.push(at);
        const unread = valuesAt(sample, at).find(
          (value) => isOver(value, 'DMY', new Date(0)) === undefined && isOver(value, 'MDY', new Date(0)) === undefined,
        );
        if (unread !== undefined) {
          doubts.push(`the column ${JSON.stringify(name)} may say when an account ends, and ${JSON.stringify(unread)} in it is no time`);
        }
      }
      continue;
    }
    const values = valuesAt(sample, at);
    const means = sense.sense === 'plain' ? wordMeaning : oppositeWord;
    const unknown = given.has(anyValue)
      ? []
      : values.filter((value) => means(kind, value) === undefined && !given.has(value.toLowerCase()));
    if (sense.isVague && (values.length === 0 || unknown.length > 0)) {
      continue;
    }
    if (unknown.length > 0) {
      const [usual] = knownWords[kind];
      const examples = unknown.slice(0, maxUnknown).map((value) => JSON.stringify(`${own}:${value}=${usual}`));
      doubts.push(
        `the column ${JSON.stringify(name)} may say who is active, and ${JSON.stringify(unknown[0])} in it has no known meaning; give it, such as ${examples.join(', such as ')}`,
      );
    }
    if (sense.sense === 'plain') {
      plain.push({ at, isVague: sense.isVague });
    } else {
      opposite.push(at);
    }
  }
  const chosen = plain.filter(({ isVague }) => !isVague || plain.length === 1);
  if (chosen.length > 1 && saysDifferent(chosen, kind, sample)) {
    const names = chosen.map(({ at }) => JSON.stringify(found[at]));
    doubts.push(`the columns ${names.join(' and ')} may both say who is active, and differ`);
  }
  const first = chosen.slice(0, 1).map(({ at }) => at);
  const isOwn = first[0] !== undefined && plainName(found[first[0]] ?? '') === plainName(own);
  if (first.length + opposite.length === 0) {
    // A day of leaving may be of an earlier employment: it counts where nothing else says who works here.
    ends.push(...exits);
  }
  return { column: own, at: [...first, ...opposite, ...ends], confidence: isOwn && opposite.length + ends.length === 0 ? 100 : 90, doubts };
}

function saysDifferent(chosen: readonly { readonly at: number }[], kind: WordKind, sample: Sample): boolean {
  return sample.some((row) => new Set(chosen.map(({ at }) => wordMeaning(kind, row[at] ?? ''))).size > 1);
}

/** The different values of a column, without the empty one. */
export function valuesAt(sample: Sample, at: number): string[] {
  return [...new Set(sample.map((row) => (row[at] ?? '').trim()))].filter((value) => value !== '');
}
