/** Words that all sections of mails share: counts, names that others wrote, and days. */
import { showHidden } from '../../lib/names/visible-text.ts';
import type { Section } from './mailers/index.ts';
import type { NoticeRow } from './notices/index.ts';

const longestName = 200;

/** Most characters of an error in a mail. */
const longestError = 1_000;

/** "1 item", "12 items". */
export function countNoun(count: number, noun: string, several = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : several}`;
}

/** Fits somebody's text into one line: no line of its own, nothing that turns the direction of writing or that nobody sees, and not without end. */
export function plain(text: string, longest = longestName): string {
  return showHidden(text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, longest);
}

/** A name between quotation marks. */
export function quoted(name: string): string {
  return `"${plain(name)}"`;
}

/** A day as people write it, in a time zone. */
export function dayOf(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(moment);
}

/** The first of several as a list, and how many more there are. */
export function listOfNames({ count, names }: { readonly count: number; readonly names: readonly string[] }): string[] {
  const rest = count - names.length;
  return [...names.map((name) => plain(name)), ...(rest > 0 ? [`and ${rest} more`] : [])];
}

/** The text that the data of a notice has under this name; '' for none. */
export function textIn({ data }: NoticeRow, member: 'error' | 'occursAt' | 'endsAt' | 'clientId'): string {
  return plain(data[member] ?? '', longestError);
}

/** A section with a list. */
export const section = (heading: string, lines: readonly string[], items: readonly string[], label: string, url: string): Section => ({
  heading,
  lines,
  items,
  markdown: '',
  link: { label, url },
});
