/** The sentence of each kind of event, in each language of the console. One that is missing does not compile. */
import type { EventKind, EventObject } from './index.ts';
import { de } from './words-de.ts';
import { en } from './words-en.ts';

/** The words of one language. */
export interface EventWords {
  /** ICU messages with `who` and `object`. */
  readonly sentences: Readonly<Record<EventKind, string>>;
  /** Objects as sentences name them: "the review". */
  readonly objects: Readonly<Record<EventObject, string>>;
}

/** By the codes of the languages. */
export const eventWords: Readonly<Record<'en' | 'de', EventWords>> = { en, de };
