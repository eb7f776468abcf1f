/** Events of reviews at a date, with a clock that stands: which moment is next, what is due, and that it is read again before it is done. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { type Context, inTransaction } from '../../../context.ts';
import type { Job } from '../../../jobs/index.ts';
import { findLatestJob } from '../../../jobs/store.ts';
import { reactions } from '../../../reactions.ts';
import { createReview } from './create.ts';
import { findReview, type ReviewChange, updateReview } from '../record/store.ts';
import { dueJob, dueKind, timersJob, timersKind } from './timers.ts';
import { changeReview } from './update.ts';

const early = '2026-04-01T00:00:00Z';
const late = '2026-05-01T00:00:00Z';
const autoStart = { autoStartCampaign: true, scheduledStartDate: early };
const autoClose = { autoCloseCampaign: true, completionDate: early };

let test: TwoTenants;
beforeAll(async () => {
  test = await openTwoTenants(reactions);
});
beforeEach(async () => {
  await test.admin('TRUNCATE jobs');
  await test.admin(`UPDATE reviews SET state = 'DELETED'`);
});
afterAll(() => test.close());

const at = (date: string): Context => ({ ...test.ours.admin, now: new Date(date) });
const calls = () =>
  test.admin(
    `SELECT kind, subject_id AS subject, run_at AS at FROM jobs WHERE state = 'CALLED' ORDER BY kind DESC, subject_id COLLATE "C", run_at`,
  );
const nextOf = async (id: string) => (await test.admin('SELECT next_at FROM reviews WHERE id = $1', [id]))[0]?.next_at;
const stateOf = async (id: string) => (await findReview(test.ours.admin, id))?.state;

/** A review in this state with these dates, without a call for it. */
async function make(state: string, document: object, more: ReviewChange = {}, tenant = test.ours): Promise<string> {
  const review = await createReview(tenant.admin, { displayName: 'Quarterly' }, [], '');
  await updateReview(tenant.system, review.id, { state: state as 'OPEN', document: { ...review.document, ...document }, ...more });
  return review.id;
}
const jobOf = (subjectId: string, cursor: object = {}) => ({ subjectId, cursor, done: 0 }) as unknown as Job;
const lookAt = (date: string, cursor: object = {}) =>
  inTransaction(at(date), (inside) => timersJob.handler(inside, jobOf(inside.tenantId, cursor)));
const doAt = (date: string, id: string) => inTransaction(at(date), (inside) => dueJob.handler(inside, jobOf(id)));

describe('the next moment of a review', () => {
  it.each([
    ['PENDING', autoStart, early],
    ['PENDING', { ...autoStart, autoStartCampaign: false }, null],
    ['PENDING', { autoStartCampaign: true, scheduledStartDate: '' }, null],
    ['PENDING', autoClose, null],
    ['OPEN', autoClose, early],
    ['OPEN', { ...autoClose, autoCloseCampaign: false }, null],
    ['OPEN', { autoCloseCampaign: true }, null],
    ['OPEN', autoStart, null],
    ['REVIEW', { ...autoStart, ...autoClose }, null],
    ['STARTING', { ...autoStart, ...autoClose }, null],
    ['CLOSED', { ...autoStart, ...autoClose }, null],
    ['DELETED', { ...autoStart, ...autoClose }, null],
    ['DRAFT', autoStart, early],
    ['DRAFT', { ...autoStart, autoStartCampaign: false }, null],
    ['DRAFT', autoClose, null],
  ])('%s with %o: %s', async (state, document, next) => {
    expect(await nextOf(await make(state, document))).toEqual(next === null ? null : new Date(next));
  });

  it('is gone once a close was accepted, and follows the date as it is written', async () => {
    expect(await nextOf(await make('OPEN', autoClose, { closing: true }))).toBeNull();
    const id = await make('OPEN', { ...autoClose, completionDate: '2026-04-01T02:00:00.5+02:00' });
    expect(await nextOf(id)).toEqual(new Date('2026-04-01T00:00:00.500Z'));
  });
});

describe('the job of the timers', () => {
  it('calls for what is due, and for itself at the next moment; others are not touched', async () => {
    const [starts, closes] = [await make('PENDING', autoStart), await make('OPEN', autoClose)].sort();
    await make('OPEN', { ...autoClose, completionDate: late });
    await make('PENDING', { ...autoStart, scheduledStartDate: '2026-06-01T00:00:00Z' });
    await make('OPEN', autoClose, {}, test.theirs);
    await test.admin("DELETE FROM jobs WHERE state = 'CALLED'");
    expect(await lookAt(early)).toBe('finished');
    expect(await calls()).toEqual([
      { kind: timersKind, subject: test.ours.tenant.id, at: new Date(late) },
      { kind: dueKind, subject: starts, at: new Date(early) },
      { kind: dueKind, subject: closes, at: new Date(early) },
    ]);
  });

  it('does nothing before the first moment but wait for it, and nothing at all without one', async () => {
    expect(await lookAt(early)).toBe('finished');
    expect(await calls()).toEqual([]);
    await make('OPEN', { ...autoClose, completionDate: late });
    await test.admin("DELETE FROM jobs WHERE state = 'CALLED'");
    await lookAt(early);
    await lookAt(early);
    expect(await calls()).toEqual([{ kind: timersKind, subject: test.ours.tenant.id, at: new Date(late) }]);
  });

  it('takes a thousand at a time', async () => {
    await test.ours.system.db.run(
      `INSERT INTO reviews (tenant_id, id, state, document, created_by_id, created_at, updated_at)
       SELECT $1, 'r' || lpad(n::text, 26, '0'), 'OPEN', $2, '', now(), now() FROM generate_series(1, 1003) n`,
      [test.ours.tenant.id, JSON.stringify(autoClose)],
    );
    const first = await lookAt(late);
    expect(first).toMatchObject({ done: 1000, cursor: { behind: `r${'1000'.padStart(26, '0')}` } });
    expect(await lookAt(late, first === 'finished' ? {} : first.cursor)).toBe('finished');
    const found = await test.admin(
      "SELECT count(DISTINCT subject_id)::int AS reviews, count(*)::int AS calls FROM jobs WHERE state = 'CALLED'",
    );
    expect(found).toEqual([{ reviews: 1003, calls: 1003 }]);
  });
});

describe('what is due', () => {
  it('is done: a staged review starts, an open one closes', async () => {
    const [starts, closes] = [await make('PENDING', autoStart), await make('OPEN', autoClose)];
    await doAt(early, starts);
    await doAt(early, closes);
    expect(await stateOf(starts)).toBe('STARTING');
    expect(await findReview(test.ours.admin, closes)).toMatchObject({ state: 'OPEN', closing: true });
    expect(await findLatestJob(test.database.system(), test.ours.tenant.id, 'review.close', closes)).toMatchObject({ state: 'WAITING' });
    // Once more, as after a call too many.
    await doAt(early, starts);
    await doAt(early, closes);
    expect(
      await test.admin(`SELECT kind FROM events WHERE target_id = ANY ($1) AND kind LIKE '%requested'`, [[starts, closes]]),
    ).toHaveLength(2);
  });

  it('is not done where the date was moved, or the state is another, since it was found', async () => {
    const moved = await make('OPEN', { ...autoClose, completionDate: late });
    const reset = await make('DRAFT', { ...autoStart, scheduledStartDate: late });
    const off = await make('PENDING', { ...autoStart, autoStartCampaign: false });
    for (const id of [moved, reset, off, 'nothing']) {
      await doAt(early, id);
    }
    expect(await findReview(test.ours.admin, moved)).toMatchObject({ state: 'OPEN', closing: false });
    expect([await stateOf(reset), await stateOf(off)]).toEqual(['DRAFT', 'PENDING']);
    const theirs = await make('OPEN', autoClose, {}, test.theirs);
    await doAt(late, theirs);
    expect(await findReview(test.theirs.admin, theirs)).toMatchObject({ closing: false });
  });

  it('is said where it is refused: the review goes back to REVIEW', async () => {
    const id = await make('PENDING', { ...autoStart, signatureConfig: { requireSignature: true } });
    await doAt(early, id);
    expect(await findReview(test.ours.admin, id)).toMatchObject({
      state: 'REVIEW',
      phase: 'START',
      phaseError: expect.stringContaining('meaningOfSignature'),
    });
    expect(await nextOf(id)).toBeNull();
  });
});

describe('a date', () => {
  it('that is moved calls for the timers in the same transaction, and a text does not', async () => {
    const id = await make('OPEN', autoClose);
    await test.admin("DELETE FROM jobs WHERE state = 'CALLED'");
    await changeReview(at(early), id, { description: 'another' }, undefined);
    expect(await calls()).toEqual([]);
    await changeReview(at(early), id, { completionDate: late }, undefined);
    expect(await calls()).toContainEqual({ kind: timersKind, subject: test.ours.tenant.id, at: new Date(early) });
    expect(await nextOf(id)).toEqual(new Date(late));
  });
});
