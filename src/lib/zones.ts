/** Time zones: what a clock on the wall shows at a moment, and the moment at which it shows something. */

const formats = new Map<string, Intl.DateTimeFormat>();
const minute = 60_000;

/** Lead of a zone's clocks over UTC at a moment, in milliseconds; undefined where there is no such zone. */
export function offsetOf(zone: string, milliseconds: number): number | undefined {
  const fixed = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (fixed !== null) {
    return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3])) * minute;
  }
  if (zone === 'UTC' || zone === '') {
    return 0;
  }
  let format = formats.get(zone);
  if (format === undefined) {
    try {
      format = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        era: 'short',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      });
    } catch {
      return undefined;
    }
    if (formats.size >= 100) {
      formats.clear();
    }
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(milliseconds).map(({ type, value }) => [type, value]));
  const year = parts['era'] === 'BC' ? 1 - Number(parts['year']) : Number(parts['year']);
  const shown = utc(
    year,
    Number(parts['month']),
    Number(parts['day']),
    Number(parts['hour']),
    Number(parts['minute']),
    Number(parts['second']),
  );
  return shown - Math.floor(milliseconds / 1000) * 1000;
}

/** Milliseconds since 1970 of a date and a time in UTC; months from 1, and years as they are, also below 100. */
export function utc(year: number, month: number, day: number, hour = 0, minutes = 0, seconds = 0): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() + ((hour * 60 + minutes) * 60 + seconds) * 1000;
}

/**
 * The moment at which the clocks of a zone show this wall time, given as if it were in UTC. A time that clocks skip takes the offset before the
 * gap, a time that comes twice is its first.
 */
export function atWallTime(zone: string, wall: number): number | undefined {
  const [before, after] = [offsetOf(zone, wall - 24 * 60 * minute), offsetOf(zone, wall + 24 * 60 * minute)];
  if (before === undefined || after === undefined) {
    return undefined;
  }
  const first = wall - before;
  return offsetOf(zone, first) === before ? first : offsetOf(zone, wall - after) === after ? wall - after : first;
}
