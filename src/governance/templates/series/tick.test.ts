/** Schedules of templates with a clock that stands: what is made, missed and skipped, and that nothing is made twice. */
import type { JsonObject } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { type Context, inTransaction } from '../../../context.ts';
import type { Job } from '../../../jobs/index.ts';
import { reactions } from '../../../reactions.ts';
import { ensureBuiltinPolicy } from '../../policies/index.ts';
import { jobKinds as reviewJobs } from '../../reviews/index.ts';
import { updateTimeZone } from '../../../foundation/tenants/index.ts';
import { createTemplate } from '../create.ts';
import { deleteTemplate } from '../delete.ts';
import { findTemplate } from '../record/store.ts';
import { dueJob, tickJob } from './tick.ts';
import { changeTemplate } from '../update.ts';

const jobOf = (subjectId: string, cursor: object = {}) => ({ subjectId, cursor, done: 0 }) as unknown as Job;

describe('the schedule of a template', () => {
  let test: TwoTenants;
  const at = (moment: string): Context => ({ ...test.ours.system, now: new Date(moment) });
  const asAdmin = (moment: string): Context => ({ ...test.ours.admin, now: new Date(moment) });
  beforeAll(async () => {
    test = await openTwoTenants(reactions);
    await ensureBuiltinPolicy(test.ours.system);
  });
  afterAll(() => test.close());

  const make = async (moment: string, recurrenceRule: JsonObject, more: JsonObject = {}): Promise<string> =>
    (await createTemplate(asAdmin(moment), { displayName: 'Access', isCampaignScheduleEnabled: true, recurrenceRule, ...more }, [])).id;
  /** Runs the job of one template to its end. */
  const due = async (moment: string, id: string): Promise<void> => {
    for (let again = true; again; ) {
      again = (await inTransaction(at(moment), (inside) => dueJob.handler(inside, jobOf(id)))) !== 'finished';
    }
  };
  const tick = (moment: string) => inTransaction(at(moment), (inside) => tickJob.handler(inside, jobOf(inside.tenantId)));
  const occurrences = async (id: string): Promise<string[]> =>
    (
      await test.admin(
        `SELECT outcome, occurs_at, review_id IS NOT NULL AS made FROM template_occurrences WHERE template_id = '${id}' ORDER BY occurs_at, number`,
      )
    ).map((row) => `${row.outcome} ${(row.occurs_at as Date).toISOString().slice(0, 16)}${row.made ? ' +' : ''}`);
  const reviewsOf = (id: string) =>
    test.admin(
      `SELECT id, state, document->>'displayName' AS name, document->>'scheduledStartDate' AS start, document->>'completionDate' AS due
       FROM reviews WHERE template_id = '${id}' ORDER BY id COLLATE "C"`,
    );
  const nextOf = async (id: string) => (await findTemplate(test.ours.system, id))?.nextAt?.toISOString();
  const events = async (id: string): Promise<string[]> =>
    (await test.admin(`SELECT kind FROM events WHERE target_id = '${id}' AND kind LIKE 'template.occ%' ORDER BY id COLLATE "C"`)).map(
      ({ kind }) => String(kind),
    );
  const setState = (id: unknown, state: string) => test.admin(`UPDATE reviews SET state = '${state}' WHERE id = '${id}'`);

  it('makes the latest occurrence that has come, says of the others that they were missed, and knows the next', async () => {
    const id = await make('2026-01-15T00:00:00Z', { frequency: 'FREQUENCY_MONTHLY', startDate: '2026-01-01T00:00:00Z' });
    expect(await nextOf(id)).toBe('2026-02-01T00:00:00.000Z');
    await due('2026-01-31T23:59:59Z', id);
    expect(await occurrences(id)).toEqual([]);
    await due('2026-02-01T00:00:00Z', id);
    await setState((await reviewsOf(id))[0]?.id, 'CLOSED');
    await due('2026-05-10T00:00:00Z', id);
    expect(await occurrences(id)).toEqual([
      'MADE 2026-02-01T00:00 +',
      'MISSED 2026-03-01T00:00',
      'MISSED 2026-04-01T00:00',
      'MADE 2026-05-01T00:00 +',
    ]);
    expect(await nextOf(id)).toBe('2026-06-01T00:00:00.000Z');
    expect((await reviewsOf(id)).map(({ name }) => name)).toEqual(['Access, 2026-02-01', 'Access, 2026-05-01']);
    expect(await events(id)).toEqual([
      'template.occurrence_made',
      'template.occurrence_missed',
      'template.occurrence_missed',
      'template.occurrence_made',
    ]);
    expect((await findTemplate(test.ours.system, id))?.reviewsMade).toBe(2);
    // Once more at the same moment: nothing.
    await due('2026-05-10T00:00:00Z', id);
    expect(await occurrences(id)).toHaveLength(4);
  });

  it('gives the review its start and due date by the occurrence, however late it is made', async () => {
    const id = await make(
      '2026-05-01T00:00:00Z',
      { startDate: '2026-06-01T08:00:00Z' },
      { autoStartCampaign: true, accessReviewDuration: '1209600s' },
    );
    await due('2026-06-01T09:30:00Z', id);
    expect(await reviewsOf(id)).toMatchObject([{ state: 'DRAFT', start: '2026-06-03T08:00:00Z', due: '2026-06-17T08:00:00Z' }]);
    // Once is all there is.
    expect(await nextOf(id)).toBeUndefined();
  });

  it('skips an occurrence while nobody has looked at the draft of the one before, and only then', async () => {
    const id = await make('2026-03-01T12:00:00Z', { frequency: 'FREQUENCY_DAILY', startDate: '2026-03-02T08:00:00Z' });
    await due('2026-03-02T08:00:00Z', id);
    await due('2026-03-03T08:00:00Z', id);
    const [draft] = await reviewsOf(id);
    await test.admin(`UPDATE reviews SET updated_at = updated_at + interval '1 minute' WHERE id = '${draft?.id}'`);
    await due('2026-03-04T08:00:00Z', id);
    const second = (await reviewsOf(id))[1]?.id;
    await setState(second, 'DELETED');
    await setState(draft?.id, 'OPEN');
    await due('2026-03-05T08:00:00Z', id);
    expect(await occurrences(id)).toEqual([
      'MADE 2026-03-02T08:00 +',
      'SKIPPED 2026-03-03T08:00',
      'MADE 2026-03-04T08:00 +',
      'MADE 2026-03-05T08:00 +',
    ]);
    expect(await events(id)).toContain('template.occurrence_skipped');
  });

  it('begins anew when it is switched off and on or changed, makes up for nothing, and makes nothing twice', async () => {
    const daily = { frequency: 'FREQUENCY_DAILY', startDate: '2026-03-02T08:00:00Z' } as const;
    const id = await make('2026-03-01T12:00:00Z', daily);
    await due('2026-03-02T08:00:00Z', id);
    await changeTemplate(asAdmin('2026-03-02T08:00:00Z'), id, { isCampaignScheduleEnabled: false }, undefined);
    await due('2026-03-04T09:00:00Z', id);
    // At the very moment of an occurrence that was made.
    await changeTemplate(asAdmin('2026-03-02T08:00:00Z'), id, { isCampaignScheduleEnabled: true }, undefined);
    expect(await nextOf(id)).toBe('2026-03-03T08:00:00.000Z');
    await changeTemplate(asAdmin('2026-03-06T09:00:00Z'), id, { recurrenceRule: { ...daily, interval: 2 } }, undefined);
    expect(await nextOf(id)).toBe('2026-03-08T08:00:00.000Z');
    expect((await findTemplate(test.ours.system, id))?.scheduleGeneration).toBe(4);
    // Another member changes no schedule.
    await changeTemplate(asAdmin('2026-03-09T09:00:00Z'), id, { description: 'Now' }, undefined);
    expect(await nextOf(id)).toBe('2026-03-08T08:00:00.000Z');
    expect(await occurrences(id)).toEqual(['MADE 2026-03-02T08:00 +']);
  });

  it('ends after as many occurrences as it has, whatever became of them, and with the template', async () => {
    const id = await make('2026-03-01T12:00:00Z', { frequency: 'FREQUENCY_DAILY', startDate: '2026-03-02T08:00:00Z', occurrences: 3 });
    await due('2026-03-09T08:00:00Z', id);
    expect(await occurrences(id)).toEqual(['MISSED 2026-03-02T08:00', 'MISSED 2026-03-03T08:00', 'MADE 2026-03-04T08:00 +']);
    expect(await nextOf(id)).toBeUndefined();
    const gone = await make('2026-03-01T12:00:00Z', { frequency: 'FREQUENCY_DAILY', startDate: '2026-03-02T08:00:00Z' });
    await deleteTemplate(asAdmin('2026-03-01T13:00:00Z'), gone);
    await due('2026-03-09T08:00:00Z', gone);
    expect(await occurrences(gone)).toEqual([]);
  });

  it('writes down missed occurrences in pieces', async () => {
    const id = await make('2026-03-01T12:00:00Z', { frequency: 'FREQUENCY_DAILY', startDate: '2026-03-02T08:00:00Z' });
    const first = await inTransaction(at('2027-03-01T08:00:00Z'), (inside) => dueJob.handler(inside, jobOf(id)));
    expect(first).toMatchObject({ done: 200 });
    expect(await occurrences(id)).toHaveLength(200);
    await due('2027-03-01T08:00:00Z', id);
    const all = await occurrences(id);
    expect(all).toHaveLength(365);
    expect(all.filter((one) => one.startsWith('MADE'))).toEqual(['MADE 2027-03-01T08:00 +']);
  });

  it('calls for what is due of each template and for itself at the next moment, and follows the tenant into another time zone', async () => {
    await test.admin(`UPDATE review_templates SET next_at = NULL, deleted_at = now()`);
    await test.admin('TRUNCATE jobs');
    const own = { annotations: { 'countersign/time_zone': 'Asia/Tokyo' } };
    const daily = { frequency: 'FREQUENCY_DAILY', startDate: '2026-07-02T08:00:00Z' };
    // 09:00 in Berlin is 07:00Z in summer; the rule begins in winter.
    const winter = { frequency: 'FREQUENCY_DAILY', startDate: '2026-01-02T08:00:00Z' };
    const [early, moving, staying] = [
      await make('2026-07-01T00:00:00Z', daily, own),
      await make('2026-07-03T00:00:00Z', winter),
      await make('2026-07-03T00:00:00Z', winter, own),
    ];
    await test.admin('TRUNCATE jobs');
    await tick('2026-07-02T08:00:00Z');
    const calls = () =>
      test.admin("SELECT kind, subject_id AS subject, run_at AS at FROM jobs WHERE state = 'CALLED' ORDER BY kind, subject_id, run_at");
    expect(await calls()).toEqual([
      { kind: 'template.due', subject: early, at: new Date('2026-07-02T08:00:00Z') },
      { kind: 'template.tick', subject: test.ours.tenant.id, at: new Date('2026-07-03T08:00:00Z') },
    ]);
    await updateTimeZone(test.ours.system.db, test.ours.tenant.id, 'Europe/Berlin');
    await tick('2026-07-03T00:00:00Z');
    expect([await nextOf(moving), await nextOf(staying)]).toEqual(['2026-07-03T07:00:00.000Z', '2026-07-03T08:00:00.000Z']);
    await updateTimeZone(test.ours.system.db, test.ours.tenant.id, 'UTC');
  });

  it('lets a start by date wait for the end of the review before, and not a start by hand', async () => {
    const id = await make(
      '2026-03-01T12:00:00Z',
      { frequency: 'FREQUENCY_MONTHLY', startDate: '2026-03-02T08:00:00Z' },
      { autoStartCampaign: true },
    );
    await due('2026-03-02T08:00:00Z', id);
    const [first] = await reviewsOf(id);
    await setState(first?.id, 'OPEN');
    await due('2026-04-02T08:00:00Z', id);
    const [, second] = await reviewsOf(id);
    const startByDate = () =>
      inTransaction(
        at('2026-04-04T08:00:00Z'),
        (inside) => reviewJobs.get('review.due')?.handler(inside, jobOf(String(second?.id))) as Promise<unknown>,
      );
    await startByDate();
    const phaseOf = async () => (await test.admin(`SELECT state, phase FROM reviews WHERE id = '${second?.id}'`))[0];
    expect(await phaseOf()).toEqual({ state: 'DRAFT', phase: '' });
    await setState(first?.id, 'CLOSED');
    await startByDate();
    // Nothing is chosen, so the prepare is refused: but it was tried.
    expect(await phaseOf()).toEqual({ state: 'DRAFT', phase: 'PREPARE' });
  });

  it('makes each occurrence of a year once, with a service that is down now and then', async () => {
    const id = await make('2025-12-31T12:00:00Z', { frequency: 'FREQUENCY_WEEKLY', startDate: '2026-01-05T08:00:00Z' });
    // Looks every five hours, but not in two of the months, and twice in a row where it looks.
    for (let hour = 0; hour < 366 * 24; hour += 5) {
      const moment = new Date(Date.UTC(2026, 0, 1) + hour * 3_600_000);
      const next = await nextOf(id);
      if (![1, 7].includes(moment.getUTCMonth()) && next !== undefined && new Date(next) <= moment) {
        await Promise.all([due(moment.toISOString(), id), due(moment.toISOString(), id)]);
        await test.admin(`UPDATE reviews SET state = 'CLOSED', closed_at = created_at WHERE template_id = '${id}'`);
      }
    }
    const all = await occurrences(id);
    const weeks = Array.from({ length: 52 }, (_, week) =>
      new Date(Date.UTC(2026, 0, 5, 8) + week * 7 * 86_400_000).toISOString().slice(0, 16),
    );
    expect(all.map((one) => one.split(' ')[1])).toEqual(weeks);
    // Of the weeks of February and August only the last was made, in the month after.
    expect(all.filter((one) => one.startsWith('MISSED')).map((one) => one.slice(7, 17))).toEqual([
      '2026-02-02',
      '2026-02-09',
      '2026-02-16',
      '2026-08-03',
      '2026-08-10',
      '2026-08-17',
      '2026-08-24',
    ]);
    expect(await reviewsOf(id)).toHaveLength(52 - 7);
  });
});
