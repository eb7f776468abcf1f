/** Reminders under a moved clock: each once, on its day, also after a time in which nothing ran; none for whoever has finished. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailRun, openMailRun } from '../../../test/support/mail-run.ts';
import { changeReview } from '../../governance/reviews/life/update.ts';
import { latestReminder, nextReminder, type ReminderPlan } from './reminder-days.ts';

const plan = (startedAt: string, dueAt?: string, timeZone = 'UTC'): ReminderPlan => ({
  startedAt: new Date(startedAt),
  dueAt: dueAt === undefined ? undefined : new Date(dueAt),
  timeZone,
});

/** The moments of the first reminders of a plan. */
function listFirst(of: ReminderPlan, count: number): string[] {
  const list: string[] = [];
  let now = of.startedAt;
  while (list.length < count) {
    const next = nextReminder(of, now);
    expect(latestReminder(of, now, next)?.at).toEqual(next);
    now = next;
    list.push(now.toISOString().slice(0, 16));
  }
  return list;
}

describe('the days of reminders', () => {
  it('are weekly, then three, one and no days before, then daily', () => {
    expect(listFirst(plan('2026-06-01T12:00:00Z', '2026-06-30T00:00:00Z'), 8)).toEqual(
      ['06-08', '06-15', '06-22', '06-27', '06-29', '06-30', '07-01', '07-02'].map((day) => `2026-${day}T09:00`),
    );
  });

  it('are weekly without a due date, at nine where the tenant is, whatever its clocks do', () => {
    expect(listFirst(plan('2026-10-19T12:00:00Z', undefined, 'Europe/Berlin'), 2)).toEqual(['2026-10-26T08:00', '2026-11-02T08:00']);
    expect(listFirst(plan('2026-10-12T12:00:00Z', undefined, 'Europe/Berlin'), 2)).toEqual(['2026-10-19T07:00', '2026-10-26T08:00']);
    // Still the first of June in Honolulu.
    expect(listFirst(plan('2026-06-02T05:00:00Z', undefined, 'Pacific/Honolulu'), 1)).toEqual(['2026-06-08T19:00']);
  });

  it('catch up with the latest one alone', () => {
    const of = plan('2026-06-01T12:00:00Z', '2026-06-30T00:00:00Z');
    const latest = (after: string, now: string) => latestReminder(of, new Date(after), new Date(now))?.slot;
    expect(latest('2026-06-01T12:00:00Z', '2026-06-24T00:00:00Z')).toBe('2026-06-22');
    expect(latest('2026-06-22T09:00:00Z', '2026-06-24T00:00:00Z')).toBeUndefined();
    expect(latest('2026-06-01T12:00:00Z', '2027-06-24T08:59:59Z')).toBe('2027-06-23');
  });
});

describe('reminders', () => {
  let run: MailRun;
  beforeAll(async () => {
    run = await openMailRun('2026-06-01T12:00:00Z');
  });
  afterAll(() => run.close());

  it('go to people with open tasks, and to nobody who has finished', async () => {
    const id = await run.open({ displayName: 'June', notificationConfig: { sendReminders: true }, completionDate: '2026-06-30T00:00:00Z' });
    await run.moveTo('2026-06-23T00:00:00Z');
    const weekly = (day: string, what: string) => [
      `2026-06-${day}T09:00Z cyn: Reminder: 1 item of the access review "June" waits for you`,
      `2026-06-${day}T09:00Z max: Reminder: ${what} of the access review "June" wait for you`,
    ];
    expect(run.news()).toEqual([...weekly('08', '3 items'), ...weekly('15', '3 items'), ...weekly('22', '3 items')]);
    await run.finish(id, 'cyn');
    await run.moveTo('2026-06-28T00:00:00Z');
    expect(run.news()).toEqual(['2026-06-27T09:00Z max: Reminder: 3 items of the access review "June" wait for you']);
    // Nothing runs from here on.
    await run.wakeAt('2026-07-02T15:00:00Z');
    expect(run.news()).toEqual(['2026-07-02T15:00Z max: Overdue: 3 items of the access review "June" wait for you']);
    await run.moveTo('2026-07-04T10:00:00Z');
    expect(run.news()).toEqual([
      '2026-07-03T09:00Z max: Overdue: 3 items of the access review "June" wait for you',
      '2026-07-04T09:00Z max: Overdue: 3 items of the access review "June" wait for you',
    ]);
    await run.finish(id, 'max');
    await run.moveTo('2026-07-10T00:00:00Z');
    expect(run.news()).toEqual([]);
    expect(new Set(await run.events(id))).toEqual(new Set(['mail.sent']));
  });

  it('begin when they are turned on, and end when they are turned off', async () => {
    const id = await run.open({ displayName: 'July' });
    await run.moveTo('2026-07-18T00:00:00Z');
    expect(run.news()).toEqual([]);
    await changeReview(run.as(), id, { notificationConfig: { sendReminders: true } }, undefined);
    await run.moveTo('2026-07-24T10:00:00Z');
    expect(run.news().map((line) => line.slice(0, 21))).toEqual(['2026-07-24T09:00Z cyn', '2026-07-24T09:00Z max']);
    await changeReview(run.as(), id, { notificationConfig: { sendReminders: false } }, undefined);
    await run.moveTo('2026-08-24T10:00:00Z');
    expect(run.news()).toEqual([]);
  });
});
