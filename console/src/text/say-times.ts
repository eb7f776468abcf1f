/** Times that the server writes into its sentences, as everything else says them. */
import { clock, date } from './format.ts';

/** A moment as programs write it: 2026-11-30T01:02:03.456Z. */
const moment = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})(?![\w-])/g;

/** The sentence with its moments by the reader's language and time zone. */
export function sayTimes(sentence: string): string {
  return sentence.replace(moment, (at) => (Number.isNaN(Date.parse(at)) ? at : `${date(at)}, ${clock(at)}`));
}
