/**
 * Wall time in a time zone of the IANA data base, in its parts: what a clock on the wall shows at a moment, and at which moment it shows something.
 * The rules are those of RFC 5545, section 3.3.5; zones.ts knows the offsets. Which zone is meant is for the caller to know.
 */
import { atWallTime, offsetOf, utc } from './zones.ts';

/** Reading of a clock on the wall. Months and days count from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Returns what a zone's clocks say; RangeError where there is no such zone, which whoever took its name has refused. */
function known<T>(zone: string, found: T | undefined): T {
  if (found === undefined) {
    throw new RangeError(`there is no time zone ${JSON.stringify(zone)}`);
  }
  return found;
}

/** True if this is the name of a zone, such as Europe/Berlin or UTC. An offset such as +02:00 is none: it knows nothing of summer. */
export function isTimeZone(zone: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_+/-]{0,99}$/.test(zone) && offsetOf(zone, 0) !== undefined;
}

/** Time on clocks in this zone at a moment. */
export function wallTimeAt(moment: Date, zone: string): WallTime {
  const shown = new Date(moment.getTime() + known(zone, offsetOf(zone, moment.getTime())));
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
    second: shown.getUTCSeconds(),
  };
}

/** The wall time as if it were one in UTC, in milliseconds: for counting days. */
export function asUtcMs(wall: WallTime): number {
  return utc(wall.year, wall.month, wall.day, wall.hour, wall.minute, wall.second);
}

/**
 * The moment at which clocks in this zone show a wall time. One that comes twice is the first of both; one that a change of the clocks leaves out
 * takes the offset from before it.
 */
export function toMoment(wall: WallTime, zone: string): Date {
  return new Date(known(zone, atWallTime(zone, asUtcMs(wall))));
}

/** The day of a moment in this zone: from its first moment to the first of the next. */
export function dayAt(moment: Date, zone: string): { readonly from: Date; readonly to: Date } {
  const wall = { ...wallTimeAt(moment, zone), hour: 0, minute: 0, second: 0 };
  return { from: toMoment(wall, zone), to: toMoment({ ...wall, day: wall.day + 1 }, zone) };
}

/** The next moment after `moment` at which clocks in this zone show a time of the day. */
export function nextDailyTime(moment: Date, time: { readonly hour: number; readonly minute: number }, zone: string): Date {
  const today = wallTimeAt(moment, zone);
  for (let days = 0; ; days++) {
    const date = new Date(Date.UTC(today.year, today.month - 1, today.day + days));
    const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    const next = toMoment({ ...day, ...time, second: 0 }, zone);
    if (next > moment) {
      return next;
    }
  }
}
