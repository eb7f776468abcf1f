/** Going back from a moment by a length of time that a client chose, without leaving the calendar. */

/** The years that times on the wire have; PostgreSQL stores all of them. */
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59Z');

/** The moment this many milliseconds before `now`, or after it where they are negative; at most the first or last of years 1 to 9999. */
export function timeBefore(now: Date, milliseconds: number): Date {
  return new Date(Math.min(latest, Math.max(earliest, now.getTime() - milliseconds)));
}
