/** Days as fields write them, YYYY-MM-DD: whether one is whole, and those before and after it. No zone takes part. */

const dayMs = 86_400_000;

/** Four digits of a year that was typed to its end: 2026 is 0002, 0020 and 0202 on the way. */
const wholes = {
  date: /^[1-9]\d{3}-\d{2}-\d{2}$/,
  'datetime-local': /^[1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}$/,
  time: /^\d{2}:\d{2}$/,
} as const;

/** Kinds of such fields, as browsers call them. */
export type DateKind = keyof typeof wholes;

/** True if a field says a whole day, moment or time of the day. */
export function isWhole(value: string, kind: DateKind = 'date'): boolean {
  const moment = wholes[kind].test(value)
    ? Date.parse(`${kind === 'time' ? '2000-01-01T' : ''}${value}${kind === 'date' ? 'T00:00' : ''}Z`)
    : Number.NaN;
  // Of the 31st of February a computer makes the 3rd of March.
  return !Number.isNaN(moment) && new Date(moment).toISOString().includes(value);
}

/** The day so many days after another, or before it. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, -'T00:00:00.000Z'.length);
}
