/** Values of databases as texts of a table: nothing for NULL, times in UTC, bytes in hex. */

const maxRowBytes = 65_536;

/** Returns the time `2026-01-31 12:00:00.5`, with an offset of zero or none, as `2026-01-31T12:00:00.5Z`; '' for what is no day of a calendar. */
export function timeText(text: string): string {
  const parts = /^(\d{4,6}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00(?::?00)?)?$/.exec(text);
  return parts === null || parts[1]?.startsWith('0000-') ? '' : `${parts[1]}T${parts[2]}Z`;
}

/** True if a row has more than 64 KiB. */
export function isTooLong(row: readonly string[]): boolean {
  // Characters first: three bytes at most each, and few rows come near.
  const characters = row.reduce((sum, text) => sum + text.length, 0);
  return characters * 3 > maxRowBytes && row.reduce((sum, text) => sum + Buffer.byteLength(text), 0) > maxRowBytes;
}
