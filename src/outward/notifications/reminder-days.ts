/**
 * On which days people with open tasks are reminded: weekly until three days before the due date, then three days and one day before it and on the day
 * itself, and daily once it is past; weekly where there is none. At nine o'clock where the tenant is. Pure: time and zone are given.
 */
import { asUtcMs, toMoment, wallTimeAt } from '../../lib/wall-time.ts';

const dayMs = 86_400_000;
const hour = 9;
/** Nobody is reminded of what was missed longer ago than that. */
const longestLookBack = 366;

/** A review, as far as its reminders depend on it. */
export interface ReminderPlan {
  readonly startedAt: Date;
  readonly dueAt: Date | undefined;
  readonly timeZone: string;
}

/** The number of a moment's day, where the tenant is. */
function dayAt(moment: Date, timeZone: string): number {
  return Math.floor(asUtcMs(wallTimeAt(moment, timeZone)) / dayMs);
}

function momentOn(day: number, timeZone: string): Date {
  return toMoment({ ...wallTimeAt(new Date(day * dayMs), 'UTC'), hour, minute: 0, second: 0 }, timeZone);
}

function isReminderDay(day: number, started: number, due: number | undefined): boolean {
  const isWeekly = day > started && (day - started) % 7 === 0;
  if (due === undefined || day < due - 3) {
    return isWeekly;
  }
  return day > due || [3, 1, 0].includes(due - day);
}

/** A reminder: the day it is for, as YYYY-MM-DD, and its moment. */
export interface Reminder {
  readonly slot: string;
  readonly at: Date;
}

function onDay(day: number, timeZone: string): Reminder {
  return { slot: new Date(day * dayMs).toISOString().slice(0, 10), at: momentOn(day, timeZone) };
}

/** The latest reminder after `after` whose moment has come; those before it are past, and nobody gets two at once. */
export function latestReminder({ startedAt, dueAt, timeZone }: ReminderPlan, after: Date, now: Date): Reminder | undefined {
  const started = dayAt(startedAt, timeZone);
  const due = dueAt === undefined ? undefined : dayAt(dueAt, timeZone);
  const today = dayAt(now, timeZone);
  const from = Math.max(after.getTime(), startedAt.getTime());
  for (let day = today; day >= Math.max(started, today - longestLookBack); day--) {
    const reminder = onDay(day, timeZone);
    if (reminder.at.getTime() <= from) {
      return undefined;
    }
    if (reminder.at.getTime() <= now.getTime() && isReminderDay(day, started, due)) {
      return reminder;
    }
  }
  return undefined;
}

/** The moment of the next reminder after now: there is one within a week. */
export function nextReminder({ startedAt, dueAt, timeZone }: ReminderPlan, now: Date): Date {
  const started = dayAt(startedAt, timeZone);
  const due = dueAt === undefined ? undefined : dayAt(dueAt, timeZone);
  const from = Math.max(now.getTime(), startedAt.getTime());
  let day = dayAt(now, timeZone);
  while (!isReminderDay(day, started, due) || momentOn(day, timeZone).getTime() <= from) {
    day += 1;
  }
  return momentOn(day, timeZone);
}
