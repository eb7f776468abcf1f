/**
 * Days and moments as fields of dates write them, in the time zone that is shown: a day is YYYY-MM-DD, a moment of a field YYYY-MM-DDTHH:mm. What a
 * field says and what is shown beside it are the same day, whatever the zone of the browser.
 */
import { atWallTime, offsetOf } from '../../../src/lib/zones.ts';
import { timeZone } from './format.ts';
import { addDays, isWhole } from './whole-date.ts';

/** Formats a moment for a field with a time; empty for none. */
export function toLocal(value: string | Date | undefined): string {
  const moment = value === undefined || value === '' ? Number.NaN : new Date(value).getTime();
  return Number.isNaN(moment) ? '' : new Date(moment + (offsetOf(timeZone(), moment) ?? 0)).toISOString().slice(0, 16);
}

/** The day of a moment, for a field; empty for none. */
export function toDay(value: string | Date | undefined): string {
  return toLocal(value).slice(0, 10);
}

/** The moment that a field with a time says; undefined while it is not whole. */
export function fromLocal(value: string): string | undefined {
  return isWhole(value, 'datetime-local') ? momentAt(`${value}:00`) : undefined;
}

/** The first moment of a day; `time` is another one of it, HH:mm:ss. The day is whole. */
export function dayStart(day: string, time = '00:00:00'): string {
  return momentAt(`${day}T${time}`);
}

/** The last second of a day: what holds until a day holds on it. The day is whole. */
export function dayEnd(day: string): string {
  return new Date(Date.parse(dayStart(addDays(day, 1))) - 1000).toISOString();
}

/** The moment at which clocks in the zone show this: the first where they show it twice; where they leap over it, the one as long after the leap. */
function momentAt(shown: string): string {
  const wanted = Date.parse(`${shown}Z`);
  return new Date(atWallTime(timeZone(), wanted) ?? wanted).toISOString();
}
