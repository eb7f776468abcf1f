/** The period that coverage is counted over: days in UTC, never beyond today. */
import { type FieldViolation, refuseInvalid } from '../../errors.ts';

/** A period as it is counted; `untilDay` is not in it. */
export interface Period {
  /** YYYY-MM-DD. */
  readonly fromDay: string;
  readonly untilDay: string;
  /** Days for which a certification is valid. */
  readonly validDays: number;
}

/** Period that is asked for; '' and 0 for what is not said. */
export interface PeriodRequest {
  readonly fromDay: string;
  readonly untilDay: string;
  readonly validDays: number;
}

const dayMs = 86_400_000;
const most = { days: 1_100, validDays: 3_660 } as const;
const year = 365;

const sayDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The day's beginning in UTC; NaN for what is no day. */
function readDay(day: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && sayDay(time) === day ? time : Number.NaN;
}

/** Returns the period that is asked for, up to today at most; INVALID_ARGUMENT, naming the fields, for one that cannot be counted. */
export function readPeriod({ fromDay, untilDay, validDays }: PeriodRequest, now: Date): Period {
  const tomorrow = Date.parse(`${sayDay(now.getTime())}T00:00:00Z`) + dayMs;
  const until = untilDay === '' ? tomorrow : readDay(untilDay);
  const from = fromDay === '' ? until - year * dayMs : readDay(fromDay);
  const end = Math.min(until, tomorrow);
  const violations: FieldViolation[] = [
    ...(fromDay !== '' && Number.isNaN(from) ? [{ field: 'fromDay', description: 'must be a day, YYYY-MM-DD' }] : []),
    ...(Number.isNaN(until) ? [{ field: 'untilDay', description: 'must be a day, YYYY-MM-DD' }] : []),
    ...(from >= end ? [{ field: 'fromDay', description: 'must be before untilDay, and not after today' }] : []),
    ...(end - from > most.days * dayMs ? [{ field: 'fromDay', description: `must be at most ${most.days} days before untilDay` }] : []),
    ...(validDays < 0 || validDays > most.validDays ? [{ field: 'validDays', description: `must be 1 to ${most.validDays}` }] : []),
  ];
  refuseInvalid(violations);
  return { fromDay: sayDay(from), untilDay: sayDay(end), validDays: validDays === 0 ? year : validDays };
}
