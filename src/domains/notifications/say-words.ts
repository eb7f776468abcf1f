/** Words that all sections of mails share: counts, names that others wrote, and days. */

const longestName = 200;

/** What a mail repeats of an error. */
export const longestError = 1_000;

/** "1 item", "12 items". */
export function countOf(count: number, noun: string, several = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : several}`;
}

/** What somebody wrote as a part of one line: no line of its own, nothing that turns the direction of writing, and not without end. */
export function plain(text: string, longest = longestName): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, longest);
}

/** A name between quotation marks. */
export function quoted(name: string): string {
  return `"${plain(name)}"`;
}

/** A day as people write it, where the tenant is. */
export function dayOf(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(moment);
}

/** The first of several as a list, and how many more there are. */
export function listOfNames({ count, names }: { readonly count: number; readonly names: readonly string[] }): string[] {
  const rest = count - names.length;
  return [...names.map((name) => plain(name)), ...(rest > 0 ? [`and ${rest} more`] : [])];
}
