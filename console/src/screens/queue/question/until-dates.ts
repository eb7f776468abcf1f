/** The days that "certify until" offers. Pure. */
export interface OfferedDate {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly name: 'month' | 'quarter' | 'year';
}

const dayOf = (moment: Date): string =>
  `${moment.getFullYear()}-${String(moment.getMonth() + 1).padStart(2, '0')}-${String(moment.getDate()).padStart(2, '0')}`;

/** In one month, in three, and the end of this year, or of the next where this one is nearly over; the nearest first. */
export function offerDates(now: Date): OfferedDate[] {
  const inMonths = (months: number): Date => {
    const there = new Date(now.getFullYear(), now.getMonth() + months, 1);
    const days = new Date(there.getFullYear(), there.getMonth() + 1, 0).getDate();
    return new Date(there.getFullYear(), there.getMonth(), Math.min(now.getDate(), days));
  };
  const endOfYear = new Date(now.getFullYear(), 11, 31);
  const isNear = endOfYear.getTime() - now.getTime() < 14 * 86_400_000;
  const end = isNear ? new Date(now.getFullYear() + 1, 11, 31) : endOfYear;
  const offered = [
    { day: dayOf(inMonths(1)), name: 'month' as const },
    { day: dayOf(inMonths(3)), name: 'quarter' as const },
    { day: dayOf(end), name: 'year' as const },
  ];
  return offered.sort((left, right) => (left.day < right.day ? -1 : 1));
}

/** The first and the last day that can be chosen. */
export function limitDates(now: Date): { readonly first: string; readonly last: string } {
  const day = 86_400_000;
  return { first: dayOf(new Date(now.getTime() + 2 * day)), last: dayOf(new Date(now.getTime() + 399 * day)) };
}

/** The end of a day as a moment: what is certified until a day holds on it. */
export function dayEnd(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date, 23, 59, 59).toISOString();
}
