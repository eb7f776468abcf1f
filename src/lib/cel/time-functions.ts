/** The functions of moments and durations. */
import { formatTime, parseTime } from './layouts.ts';
import { type CallName, timeFormats } from './calls.ts';
import type { Apply } from './text-functions.ts';
import { Duration, Failure, type Result, Timestamp, type Value } from './values.ts';
import { atWallTime, offsetOf, utc } from '../zones.ts';

const second = 1_000_000_000n;
const firstMoment = -62_135_596_800n * second;
const afterLastMoment = 253_402_300_800n * second;
const longest = 1n << 63n;

/** The moment, or an error where it is before the year 1 or after 9999. */
export function moment(nanos: bigint): Result {
  return nanos >= firstMoment && nanos < afterLastMoment
    ? new Timestamp(nanos)
    : new Failure('this moment is before the year 1 or after 9999');
}

/** The duration, or an error where it is longer than 292 years. */
export function duration(nanos: bigint): Result {
  return nanos >= -longest && nanos < longest ? new Duration(nanos) : new Failure('this duration is longer than 292 years');
}

const noZone = (zone: string): Failure => new Failure(`there is no time zone ${zone.slice(0, 100)}`);

/** Nanoseconds as whole milliseconds, rounded down. */
const milliseconds = (nanos: bigint): number => Number(nanos >= 0n ? nanos / 1_000_000n : -((-nanos + 999_999n) / 1_000_000n));

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3600n * second,
};

/** The duration that a text such as '1h30m' or '-1.5h' names. */
export function parseDuration(text: string): Result {
  const wrong = new Failure('a duration is written like "1h30m" or "720h"');
  if (text.length > 100 || !/^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+)$/.test(text)) {
    return wrong;
  }
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit] of text.matchAll(/(\d*)\.?(\d*)(ns|us|µs|ms|s|m|h)/g)) {
    const size = units[unit!]!;
    nanos += BigInt(whole || 0) * size + (BigInt(fraction || 0) * size) / 10n ** BigInt(fraction.length);
  }
  return duration(text.startsWith('-') ? -nanos : nanos);
}

/** The moment that an RFC 3339 text names. */
export function parseTimestamp(text: string): Result {
  const nanos = parseTime(text, timeFormats.RFC3339, 'UTC');
  return nanos === undefined ? new Failure('a timestamp is written like "2026-01-31T08:00:00Z"') : moment(nanos);
}

/** A part of a moment in a zone, or of a duration. */
function component(read: (date: Date) => number, length?: (nanos: bigint) => bigint): Apply {
  return (work, [value, zone]) => {
    work.spend(50);
    if (value instanceof Duration) {
      return length === undefined ? new Failure('a duration has no such part') : length(value.nanos);
    }
    const at = milliseconds((value as Timestamp).nanos);
    const offset = offsetOf((zone ?? 'UTC') as string, at);
    return offset === undefined ? noZone(zone as string) : BigInt(read(new Date(at + offset)));
  };
}

const dayOfYear = (date: Date): number => Math.floor((date.getTime() - utc(date.getUTCFullYear(), 1, 1)) / 86_400_000);

/** The wall time at which the unit around a wall time begins, `later` units later; undefined for no unit. */
function startOf(wall: Date, unit: string, later: number): number | undefined {
  const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth() + 1, wall.getUTCDate()];
  switch (unit) {
    case 'second':
      return utc(year, month, day, wall.getUTCHours(), wall.getUTCMinutes(), wall.getUTCSeconds() + later);
    case 'minute':
      return utc(year, month, day, wall.getUTCHours(), wall.getUTCMinutes() + later);
    case 'hour':
      return utc(year, month, day, wall.getUTCHours() + later);
    case 'day':
      return utc(year, month, day + later);
    case 'week':
      return utc(year, month, day - ((wall.getUTCDay() + 6) % 7) + 7 * later);
    case 'month':
      return utc(year, month + later, 1);
    case 'quarter':
      return utc(year, month - ((month - 1) % 3) + 3 * later, 1);
    case 'year':
      return utc(year + later, 1, 1);
    default:
      return undefined;
  }
}

function edge(value: Timestamp, unit: string, zone: string, isEnd: boolean): Result {
  const at = milliseconds(value.nanos);
  const offset = offsetOf(zone, at);
  if (offset === undefined) {
    return noZone(zone);
  }
  const wall = startOf(new Date(at + offset), unit, isEnd ? 1 : 0);
  if (wall === undefined) {
    return new Failure('a unit is second, minute, hour, day, week, month, quarter or year');
  }
  const found = atWallTime(zone, wall);
  return found === undefined ? noZone(zone) : moment(BigInt(found) * 1_000_000n - (isEnd ? 1n : 0n));
}

const edgeOf =
  (isEnd: boolean): Apply =>
  (work, [value, unit, zone]) => {
    work.spend(200);
    return edge(value as Timestamp, unit as string, (zone ?? 'UTC') as string, isEnd);
  };

/** Whole units since 1970 of a moment, or the moment so many units after it. */
const unix =
  (size: bigint): Apply =>
  (_work, [value]) =>
    value instanceof Timestamp ? (value.nanos - (((value.nanos % size) + size) % size)) / size : moment((value as bigint) * size);

/** Each function of moments and durations, by its name. */
export const timeFunctions = {
  getFullYear: component((date) => date.getUTCFullYear()),
  getMonth: component((date) => date.getUTCMonth()),
  getDate: component((date) => date.getUTCDate()),
  getDayOfMonth: component((date) => date.getUTCDate() - 1),
  getDayOfWeek: component((date) => date.getUTCDay()),
  getDayOfYear: component(dayOfYear),
  getHours: component(
    (date) => date.getUTCHours(),
    (nanos) => nanos / (3600n * second),
  ),
  getMinutes: component(
    (date) => date.getUTCMinutes(),
    (nanos) => nanos / (60n * second),
  ),
  getSeconds: component(
    (date) => date.getUTCSeconds(),
    (nanos) => nanos / second,
  ),
  getMilliseconds: component(
    (date) => date.getUTCMilliseconds(),
    (nanos) => (nanos % second) / 1_000_000n,
  ),
  'time.parse': (work, [text, layout, zone]) => {
    work.spend(500);
    const nanos = parseTime(text as string, layout as string, (zone ?? 'UTC') as string);
    return nanos === undefined ? new Failure('this text is no time in this layout') : moment(nanos);
  },
  'time.format': (work, [value, layout, zone]) => {
    work.spend(500 + (layout as string).length);
    const text = formatTime((value as Timestamp).nanos, layout as string, (zone ?? 'UTC') as string);
    return text === undefined ? noZone(zone as string) : work.text(text);
  },
  'time.unix': unix(second),
  'time.unix_ms': unix(1_000_000n),
  'time.start_of': edgeOf(false),
  'time.end_of': edgeOf(true),
} satisfies Partial<Record<CallName, Apply>>;

/** Sums and differences in which a moment or a duration takes part; undefined for other values. */
export function addTimes(left: Value, right: Value, sign: 1n | -1n): Result | undefined {
  if (left instanceof Timestamp && right instanceof Duration) {
    return moment(left.nanos + sign * right.nanos);
  }
  if (left instanceof Duration && right instanceof Duration) {
    return duration(left.nanos + sign * right.nanos);
  }
  if (left instanceof Duration && right instanceof Timestamp && sign === 1n) {
    return moment(left.nanos + right.nanos);
  }
  return left instanceof Timestamp && right instanceof Timestamp && sign === -1n ? duration(left.nanos - right.nanos) : undefined;
}
