/**
 * Facts a test needs of a search: which row each of its filters shows and which it leaves out. The searches are in the files beside this one; which
 * filters there are is read from the contract.
 */
import type { Loose } from '../api.ts';
import type { Filled } from './filled.ts';

/** One request: what it sends, and keys of rows that it must and must not show. */
export interface Case {
  readonly send: Readonly<Record<string, unknown>>;
  readonly shows?: readonly string[];
  readonly hides?: readonly string[];
}

/** Cases of one filter, or why it changes nothing, with a value to send. */
export type Filter = readonly Case[] | { readonly idle: string; readonly send: Readonly<Record<string, unknown>> };

/** A search. */
export interface Search {
  readonly operation: string;
  /** Parameters of its path. */
  readonly path?: (filled: Filled) => Readonly<Record<string, string>>;
  /** Rest of each request. */
  readonly base?: (filled: Filled) => Readonly<Record<string, unknown>>;
  readonly keyOf: (row: Loose) => string;
  /** By the filter's name in JSON. */
  readonly filters: (filled: Filled) => Readonly<Record<string, Filter>>;
}

/** The filter shows this row when sent so, and leaves it out when sent otherwise. */
export const tells =
  (subject: string) =>
  (send: Readonly<Record<string, unknown>>, otherwise: Readonly<Record<string, unknown>>): readonly Case[] => [
    { send, shows: [subject] },
    { send: otherwise, hides: [subject] },
  ];

/** A filter that lists what is asked for: it shows the row for the first list and leaves it out for the second. */
export const oneOf =
  (subject: string) =>
  (name: string, right: unknown, wrong: unknown): readonly Case[] =>
    tells(subject)({ [name]: [right] }, { [name]: [wrong] });
