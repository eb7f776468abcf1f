/**
 * Times of a schedule's reviews. Pure: the time of each occurrence follows from its number and the rule alone, whatever became of others. What is
 * done at an occurrence is for others.
 */
import { asUtcMs, toMoment, wallTimeAt } from '../../../lib/wall-time.ts';

/** Rhythm; NONE is once. */
export type Frequency = 'NONE' | 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';

/** A schedule. */
export interface Recurrence {
  readonly frequency: Frequency;
  /** From 1 to `maxInterval`. */
  readonly interval: number;
  /** Occurrence 0; all others have its time of day in the zone. */
  readonly startAt: Date;
  /** The last moment at which an occurrence may be. */
  readonly endAt: Date | undefined;
  readonly occurrences: number | undefined;
  readonly zone: string;
}

/** Most days, weeks, months or years between two occurrences. */
export const maxInterval = 1_000;

const dayMs = 86_400_000;

/** The last millisecond of the year 9999: beyond it there is no time on the wire. */
const endOfTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Less than ever passes between two occurrences of interval 1. */
const shortestMs: Readonly<Record<Exclude<Frequency, 'NONE'>, number>> = {
  DAILY: dayMs,
  WEEKLY: 7 * dayMs,
  MONTHLY: 28 * dayMs,
  YEARLY: 365 * dayMs,
};

/** Time clocks show at a moment, as the milliseconds that it would be in UTC. */
function wallMsAt(moment: Date, zone: string): number {
  return asUtcMs(wallTimeAt(moment, zone)) + (((moment.getTime() % 1000) + 1000) % 1000);
}

/** The moment at which clocks show this. */
function momentAt(wallMs: number, zone: string): Date {
  const part = ((wallMs % 1000) + 1000) % 1000;
  return new Date(toMoment(wallTimeAt(new Date(wallMs - part), 'UTC'), zone).getTime() + part);
}

/** The wall time so many months later, on the same day, or on the last of a month that does not have it. */
function addMonths(wall: number, months: number): number {
  const start = new Date(wall);
  const month = new Date(0);
  month.setUTCFullYear(start.getUTCFullYear(), start.getUTCMonth() + months, 1);
  const last = new Date(0);
  last.setUTCFullYear(month.getUTCFullYear(), month.getUTCMonth() + 1, 0);
  month.setUTCDate(Math.min(start.getUTCDate(), last.getUTCDate()));
  return month.getTime() + (((wall % dayMs) + dayMs) % dayMs);
}

function wallOf({ frequency, interval, startAt, zone }: Recurrence, number: number): number {
  const first = wallMsAt(startAt, zone);
  switch (frequency) {
    case 'NONE':
      return first;
    case 'DAILY':
      return first + number * interval * dayMs;
    case 'WEEKLY':
      return first + number * interval * 7 * dayMs;
    case 'MONTHLY':
      return addMonths(first, number * interval);
    case 'YEARLY':
      return addMonths(first, number * interval * 12);
  }
}

/** The time of an occurrence by its number, from 0; undefined where the schedule has no such occurrence. */
export function findOccurrence(rule: Recurrence, number: number): Date | undefined {
  if (number < 0 || (rule.occurrences !== undefined && number >= rule.occurrences) || (rule.frequency === 'NONE' && number > 0)) {
    return undefined;
  }
  const wall = wallOf(rule, number);
  // Beyond what a Date can hold there is no number.
  if (!(wall <= endOfTime)) {
    return undefined;
  }
  const at = momentAt(wall, rule.zone);
  return at.getTime() > endOfTime || (rule.endAt !== undefined && at > rule.endAt) ? undefined : at;
}

/** The number of the first occurrence at a moment or later; undefined where none comes any more. */
export function findNumberFrom(rule: Recurrence, moment: Date): number | undefined {
  // The number of one that is certainly not earlier: clocks move by less than two days.
  const span = Math.max(0, moment.getTime() - rule.startAt.getTime()) + 2 * dayMs;
  let high = rule.frequency === 'NONE' ? 1 : Math.ceil(span / (shortestMs[rule.frequency] * rule.interval)) + 1;
  let low = 0;
  // Occurrences are in order, and beyond the last one everything counts as later.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const at = findOccurrence(rule, middle);
    if (at === undefined || at >= moment) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return findOccurrence(rule, low) === undefined ? undefined : low;
}

/** The number of the last occurrence at a moment or earlier; undefined where none came yet. */
export function findNumberUpTo(rule: Recurrence, moment: Date): number | undefined {
  const later = findNumberFrom(rule, new Date(moment.getTime() + 1));
  if (later !== undefined) {
    return later === 0 ? undefined : later - 1;
  }
  // None comes any more: the last one there is, found by halving as above.
  let low = 0;
  let high = 1;
  while (findOccurrence(rule, high) !== undefined) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (findOccurrence(rule, middle) === undefined) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return findOccurrence(rule, low) === undefined ? undefined : low;
}
