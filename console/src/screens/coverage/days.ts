/** Grant-days as people read them. */
import { count } from '~/data/count.ts';
import type { ReplyOf } from '~/data/query.ts';
import { percent } from '~/text/format.ts';
import { addDays } from '~/text/whole-date.ts';

export type Days = NonNullable<ReplyOf<'CoverageService.Get'>['days']>;

/** The days covered, and all of them. */
export function shareOf(days: Days | undefined): { readonly covered: number; readonly all: number } {
  const covered = count(days?.certified) + count(days?.removed);
  return { covered, all: covered + count(days?.notCovered) };
}

/** The share of the days that are covered; a dash where nothing was held. */
export function sayShare(days: Days | undefined): string {
  const { covered, all } = shareOf(days);
  return all === 0 ? '–' : percent(covered, all);
}

/** The day before one (YYYY-MM-DD): periods of the server end before their last day. */
export function dayBefore(day: string | undefined): string {
  return day === undefined ? '' : addDays(day, -1);
}

/** The months of a period, YYYY-MM. */
export function listMonths(fromDay: string | undefined, lastDay: string): string[] {
  const months: string[] = [];
  for (let month = (fromDay ?? lastDay).slice(0, 7); month !== '' && month <= lastDay.slice(0, 7); ) {
    months.push(month);
    const [year = 0, number = 1] = month.split('-').map(Number);
    month = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
  }
  return months;
}
