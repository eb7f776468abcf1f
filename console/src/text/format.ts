/** Times, dates and numbers in words, by the reader's language and time zone. */
import { floorPercent, leastPercent } from '../../../src/lib/shares/percent.ts';
import { isTimeZone } from '../../../src/lib/wall-time.ts';
import { locale } from './text.ts';

let zone: string | undefined;

/** Sets the time zone that times are shown in; undefined, or one that the browser does not know, is the browser's. */
export function setTimeZone(wanted: string | undefined): void {
  zone = wanted !== undefined && isTimeZone(wanted) ? wanted : undefined;
}

/** The time zone that times are shown in. */
export function timeZone(): string {
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The year in the zone that is shown. */
function yearOf(moment: Date): string {
  return new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: timeZone() }).format(moment);
}

/** `14 Jul 2026`; without the year where it is this one and `short` is asked. */
export function date(value: string | Date, short = false): string {
  const day = new Date(value);
  const sameYear = yearOf(day) === yearOf(new Date());
  return new Intl.DateTimeFormat(locale(), {
    day: 'numeric',
    month: 'short',
    ...(short && sameYear ? {} : { year: 'numeric' }),
    timeZone: timeZone(),
  }).format(day);
}

/** `Fri 4 Dec`, with the year where it is not this one. */
export function weekday(value: string | Date): string {
  const day = new Date(value);
  const sameYear = yearOf(day) === yearOf(new Date());
  return new Intl.DateTimeFormat(locale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
    timeZone: timeZone(),
  }).format(day);
}

/** `16:20`. */
export function clock(value: string | Date): string {
  return new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit', timeZone: timeZone() }).format(new Date(value));
}

/** `24 November 2026 at 11:06:42 CET`: what a relative time means exactly. */
export function exactTime(value: string | Date): string {
  return new Intl.DateTimeFormat(locale(), {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: timeZone(),
  }).format(new Date(value));
}

/** `12,345`. */
export function number(value: number): string {
  return new Intl.NumberFormat(locale()).format(value);
}

/** `44 %`: the part in percent, rounded down, and `<1 %` where it is less than that but not nothing. */
export function percent(part: number, whole: number, digits = 0): string {
  const least = leastPercent(part, whole, digits);
  const words = new Intl.NumberFormat(locale(), { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    (least ?? floorPercent(part, whole, digits)) / 100,
  );
  return least === undefined ? words : `<${words}`;
}

const day = 86_400_000;

/** Days between now and then by the calendar of the time zone shown: negative for the past. */
export function daysUntil(value: string | Date, now: Date = new Date()): number {
  const dayOf = (moment: Date): number => {
    const parts = new Intl.DateTimeFormat('en-CA', { timeZone: timeZone() }).format(moment);
    return Date.parse(`${parts}T00:00:00Z`) / day;
  };
  return Math.round(dayOf(new Date(value)) - dayOf(now));
}

/** `3 days ago`, `yesterday`, `in 10 days`; minutes and hours where it is less than a day; the date beyond `most` days. */
export function relative(value: string | Date, most = 7, now: Date = new Date()): string {
  const moment = new Date(value);
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  const ms = moment.getTime() - now.getTime();
  if (Math.abs(ms) < 60_000) {
    return words.format(0, 'second');
  }
  if (Math.abs(ms) < 3_600_000) {
    return words.format(Math.round(ms / 60_000), 'minute');
  }
  const days = daysUntil(moment, now);
  if (days === 0) {
    return words.format(Math.round(ms / 3_600_000) || (ms < 0 ? -1 : 1), 'hour');
  }
  return Math.abs(days) <= most ? words.format(days, 'day') : date(moment, true);
}
