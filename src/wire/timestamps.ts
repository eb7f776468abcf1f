/** Times and durations as the wire spells them. Writing a Date is `timestamp` in reply.ts. */

const rfc3339 = /^(\d{4}-\d\d-\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const durationText = /^-?(\d{1,12})(?:\.\d{1,9})?s$/;
/** 10,000 years, the most that proto3 JSON allows. */
const maxDurationSeconds = 315_576_000_000;

/**
 * An RFC 3339 time with any offset, in UTC with `Z` and 0, 3 or 6 digits; digits beyond microseconds are dropped. Undefined for
 * anything else: no zone, a day that does not exist, a leap second, a year outside 1 to 9999.
 */
export function normalizeTimestamp(text: string): string | undefined {
  const match = rfc3339.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, day, hour, minute, second, fraction = '', sign, offsetHours, offsetMinutes] = match;
  const wallText = `${day}T${hour}:${minute}:${second}`;
  const wall = Date.parse(`${wallText}Z`);
  // JavaScript takes February 30 for March 2.
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(wallText)) {
    return undefined;
  }
  const offset = sign === undefined ? 0 : (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -60_000 : 60_000);
  const utc = new Date(wall - offset).toISOString();
  if (utc.length !== 24 || utc.startsWith('0000')) {
    return undefined;
  }
  const micros = fraction.slice(0, 6).padEnd(6, '0');
  const digits = micros === '000000' ? '' : micros.endsWith('000') ? `.${micros.slice(0, 3)}` : `.${micros}`;
  return `${utc.slice(0, 19)}${digits}Z`;
}

/** Whether this is a duration as proto3 JSON has it: `3600s`, `-0.5s`. */
export function isDuration(text: string): boolean {
  const seconds = durationText.exec(text)?.[1];
  return seconds !== undefined && Number(seconds) <= maxDurationSeconds;
}

/** The Date of a time as `sent` holds it (to the millisecond); undefined where there is none. */
export function dateOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
