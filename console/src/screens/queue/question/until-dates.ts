/** The days that "certify until" offers, where the reader is. Pure. */
import { toDay } from '~/text/local-time.ts';
import { addDays } from '~/text/whole-date.ts';

export interface OfferedDate {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly name: 'month' | 'quarter' | 'year';
}

/** In one month, in three, and the end of this year, or of the next where this one is nearly over; the nearest first. */
export function offerDates(now: Date): OfferedDate[] {
  const [year = 0, month = 1, day = 1] = toDay(now).split('-').map(Number);
  const inMonths = (months: number): string => {
    const daysOfMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
    return new Date(Date.UTC(year, month - 1 + months, Math.min(day, daysOfMonth))).toISOString().slice(0, 10);
  };
  const isNear = addDays(toDay(now), 14) > `${year}-12-31`;
  const offered = [
    { day: inMonths(1), name: 'month' as const },
    { day: inMonths(3), name: 'quarter' as const },
    { day: `${isNear ? year + 1 : year}-12-31`, name: 'year' as const },
  ];
  return offered.sort((left, right) => (left.day < right.day ? -1 : 1));
}

/** The first and the last day that can be chosen. */
export function limitDates(now: Date): { readonly first: string; readonly last: string } {
  const today = toDay(now);
  return { first: addDays(today, 2), last: addDays(today, 399) };
}
