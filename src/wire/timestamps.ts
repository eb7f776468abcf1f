/** Times and durations as the wire spells them. */

const rfc3339 = /^(\d{4}-\d\d-\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const durationText = /^-?(\d{1,12})(?:\.\d{1,9})?s$/;
const msOfDay = 86_400_000;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
/** The day written last, and its text up to the T: the times of a page are mostly of a few days. */
let lastDay = Number.NaN;
let lastDayText = '';
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

/** True if this is a duration as proto3 JSON has it: `3600s`, `-0.5s`. */
export function isDuration(text: string): boolean {
  const seconds = durationText.exec(text)?.[1];
  return seconds !== undefined && Number(seconds) <= maxDurationSeconds;
}

/** The Date of a time as `sent` holds it (to the millisecond); undefined where there is none. */
export function parseDate(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

/** RFC 3339 in UTC with as many digits as needed. */
export function timestamp(date: Date): string;
/** The same; undefined where there is no time. */
export function timestamp(date: Date | null | undefined): string | undefined;
export function timestamp(date: Date | null | undefined): string | undefined {
  if (date === null || date === undefined) {
    return undefined;
  }
  const moment = date.getTime();
  const day = Math.floor(moment / msOfDay);
  if (day !== lastDay) {
    // Throws for an invalid date, which is no day.
    lastDayText = date.toISOString().slice(0, -13);
    lastDay = day;
  }
  const ms = moment - day * msOfDay;
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const time = `${lastDayText}${twoDigits[hours]}:${twoDigits[minutes - hours * 60]}:${twoDigits[seconds - minutes * 60]}`;
  const rest = ms - seconds * 1000;
  return rest === 0 ? `${time}Z` : `${time}.${String(rest).padStart(3, '0')}Z`;
}
