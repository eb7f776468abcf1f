/**
 * Events of reviews by date, on a clock that the tests move: drafts that start, data that holds them, closes that wait for somebody, and that each
 * happens once.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importInto, itemsOf, openReviewTest, type ReviewTest } from '../../../../test/support/review.ts';
import { actorOf } from '../../../../test/support/tenants.ts';
import type { Context } from '../../../context.ts';
import { callJobs } from '../../../jobs/index.ts';
import { decideTask } from '../../tasks/decisions/decide.ts';
import { readAccuracy } from '../evidence/accuracy.ts';
import { acknowledgeReview, readAcknowledgement, setAcknowledgement } from '../evidence/acknowledge.ts';
import { closeReview } from './close.ts';
import { prepareReview } from './prepare.ts';
import { remindReview } from './remind.ts';
import { startReview } from './start.ts';
import { dueKind } from './timers.ts';
import { findReview, type ReviewRow } from '../record/store.ts';
import { changeReview } from './update.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
let now = Date.parse('2027-03-01T12:00:00Z');
const clock = (): Date => new Date(now);
const inDays = (days: number): string => new Date(now + days * day).toISOString();

let test: ReviewTest;
beforeAll(async () => {
  test = await openReviewTest('domino', clock);
});
afterAll(() => test.close());

const app = () => ({ singleApp: { appId: test.appId } });
const byDate = (days: number) => ({ autoStartCampaign: true, scheduledStartDate: inDays(days) });
const sync = () => importInto(test.ours, test.data, 'Domino', clock());
const read = async (id: string): Promise<ReviewRow> => (await findReview(test.admin(), id)) as ReviewRow;
const basic = (): Context => ({ ...test.admin(), actor: actorOf(test.ours.basicId) });
const eventsOf = async (id: string, ...kinds: string[]) =>
  test
    .admin()
    .db.rows<{ kind: string; data: Record<string, unknown> }>(
      'SELECT e.kind, e.data FROM events e WHERE e.tenant_id = $1 AND e.target_id = $2 AND e.kind = ANY ($3) ORDER BY e.id',
      [test.ours.tenant.id, id, kinds],
    );
const kindsOf = async (id: string, ...kinds: string[]) => (await eventsOf(id, ...kinds)).map((event) => event.kind);
/** Lets time pass, and waits until everything that is due then was looked at. */
async function pass(ms: number): Promise<void> {
  now += ms;
  await expect
    .poll(
      () =>
        test.admin().db.one(
          `SELECT (SELECT count(*) FROM jobs j WHERE j.state IN ('CALLED', 'WAITING') AND j.run_at <= $1 AND j.kind LIKE 'review%')
           + (SELECT count(*) FROM reviews r WHERE r.tenant_id = $2 AND r.next_at <= $1) AS count`,
          [clock(), test.ours.tenant.id],
        ),
      { timeout: 60_000 },
    )
    .toEqual({ count: 0 });
}
const open = async (document: object = {}): Promise<ReviewRow> => {
  const review = await test.draft({ ...app(), ...document });
  await prepareReview(test.admin(), review.id);
  await test.until(review.id, 'REVIEW', 'PENDING');
  await startReview(test.admin(), review.id);
  return test.until(review.id, 'OPEN');
};
const someTask = (reviewId: string): Promise<{ id: string }> =>
  test
    .admin()
    .db.one(`SELECT t.id FROM tasks t WHERE t.tenant_id = $1 AND t.review_id = $2 AND t.state = 'OPEN' ORDER BY t.id LIMIT 1`, [
      test.ours.tenant.id,
      reviewId,
    ]);
const approve = async (reviewId: string) =>
  decideTask(test.admin(), { taskId: (await someTask(reviewId)).id, decision: 'APPROVE', comment: '', policyStepId: '' });

describe('a draft with a start date', () => {
  it('is prepared and started when it comes, closes when that comes, each once, and says what it came to', async () => {
    const { id } = await test.draft({ ...app(), ...byDate(2), autoCloseCampaign: true, completionDate: inDays(5) });
    await pass(day);
    expect((await read(id)).state).toBe('DRAFT');
    await pass(day);
    expect(await test.until(id, 'OPEN')).toMatchObject({ startedAt: expect.any(Date), watchedAt: expect.any(Date) });
    await pass(2 * day);
    expect((await read(id)).state).toBe('OPEN');
    // Down for a while: the date passed long ago when it is seen.
    await pass(4 * day);
    const closed = await test.until(id, 'CLOSED');
    expect(closed.insights).toMatch(/\*\*Undecided:\*\* \d+ \(100 %\), skipped at the close/);
    await pass(day);
    expect(
      await kindsOf(id, 'review.prepare_requested', 'review.prepared', 'review.started', 'review.close_requested', 'review.closed'),
    ).toEqual(['review.prepare_requested', 'review.prepared', 'review.started', 'review.close_requested', 'review.closed']);
    await sync();
  });

  it('says why it cannot be prepared, once, and is looked at again only after a change', async () => {
    const { id } = await test.draft({ singleApp: { appId: 'nothing' }, ...byDate(1) });
    await pass(day);
    expect(await read(id)).toMatchObject({ state: 'DRAFT', phase: 'PREPARE', phaseError: expect.stringContaining('no app nothing') });
    await pass(day);
    expect(await eventsOf(id, 'review.prepare_failed')).toMatchObject([{ data: { byDate: true } }]);
    // Another look that saw it due before it was stopped calls for it once more.
    const { tenantId, db } = test.admin();
    await callJobs(db, [{ tenantId, kind: dueKind, subjectId: id, runAt: clock() }]);
    await pass(minute);
    expect(await kindsOf(id, 'review.prepare_failed')).toHaveLength(1);
    await changeReview(test.admin(), id, { description: 'Only a text' }, undefined);
    await pass(minute);
    expect(await kindsOf(id, 'review.prepare_failed')).toHaveLength(1);
    await changeReview(test.admin(), id, app(), undefined);
    await pass(minute);
    await test.until(id, 'OPEN');
  });

  it('without its date, or closing without one, is refused by name when it is prepared', async () => {
    const { id } = await test.draft({ ...app(), autoStartCampaign: true, autoCloseCampaign: true });
    await expect(prepareReview(test.admin(), id)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      violations: [{ field: 'accessReview.scheduledStartDate' }, { field: 'accessReview.completionDate' }],
    });
    const past = { scheduledStartDate: inDays(-1) };
    await expect(changeReview(test.admin(), id, past, undefined)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('data that is old', () => {
  const wait = { accuracyIssueAction: 'ACCURACY_ISSUE_ACTION_WAIT' };

  it('holds a draft before its snapshot, says so once, and lets it go on after a sync', async () => {
    await sync();
    const { id } = await test.draft({ ...app(), ...byDate(8), ...wait });
    await pass(8 * day);
    expect(await read(id)).toMatchObject({ state: 'DRAFT', heldAt: clock() });
    await pass(15 * minute);
    await pass(15 * minute);
    const held = await eventsOf(id, 'review.start_held', 'review.prepare_requested');
    expect(held).toMatchObject([{ kind: 'review.start_held', data: { sources: [{ appId: test.appId, flags: ['STALE'] }] } }]);
    const { now: found, atSnapshot } = await readAccuracy(test.admin(), id);
    expect([found.supported, found.sources[0]?.flags, atSnapshot]).toEqual([true, ['STALE'], null]);
    await sync();
    // What was synced is looked at within seconds.
    await pass(3_000);
    expect(await test.until(id, 'OPEN')).toMatchObject({
      accuracy: { supported: true, sources: [{ flags: [], lastResult: 'DONE' }] },
      heldAt: null,
    });
  });

  it('under a snapshot keeps a staged review from starting by date; it goes on otherwise, and names the sources', async () => {
    await sync();
    await pass(8 * day);
    const held = await test.draft({ ...app(), ...byDate(1), ...wait });
    const goesOn = await test.draft({ ...app(), ...byDate(1) });
    for (const { id } of [held, goesOn]) {
      await prepareReview(test.admin(), id);
      await test.until(id, 'PENDING');
    }
    await pass(day);
    expect(await test.until(held.id, 'REVIEW')).toMatchObject({
      phase: 'START',
      phaseError: expect.stringMatching(/STALE.*Sync.*reset.*prepare/),
    });
    await pass(day);
    expect(await kindsOf(held.id, 'review.start_held', 'review.started')).toEqual(['review.start_held']);
    await test.until(goesOn.id, 'OPEN');
    const [asked] = await eventsOf(goesOn.id, 'review.start_requested');
    expect(asked?.data.flaggedSources).toMatchObject([{ flags: ['STALE'] }]);
    // A person may start it all the same.
    await startReview(test.admin(), held.id);
    await test.until(held.id, 'OPEN');
  });
});

describe('an acknowledgement', () => {
  it('is needed for the close where it is required, is of people who decided nothing, and void after a decision', async () => {
    const { id } = await open();
    await expect(setAcknowledgement(test.admin(), id, { required: true, userIds: [] })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await setAcknowledgement(test.admin(), id, { required: true, userIds: [test.ours.basicId, test.ours.adminId] });
    await expect(closeReview(test.admin(), id, '')).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    expect(await approve(id)).toBeDefined();
    await expect(acknowledgeReview(test.admin(), id, '')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    const signed = await acknowledgeReview(basic(), id, 'Looks right');
    expect(signed).toMatchObject({
      isValid: true,
      acknowledgement: { signature: { userId: test.ours.basicId, counts: { certified: 1 } } },
    });
    now += 1000;
    await approve(id);
    expect(await readAcknowledgement(basic(), id)).toMatchObject({ isValid: false });
    await expect(closeReview(test.admin(), id, '')).rejects.toMatchObject({ message: expect.stringContaining('decisions changed') });
    expect(await acknowledgeReview(basic(), id, '')).toMatchObject({ isValid: true });
    await closeReview(test.admin(), id, '');
    await test.until(id, 'CLOSED');
    // Already, and no more to set.
    expect(await acknowledgeReview(basic(), id, '')).toMatchObject({ isValid: true });
    await expect(setAcknowledgement(test.admin(), id, { required: false, userIds: [] })).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
    });
    const other = await open();
    await setAcknowledgement(test.admin(), other.id, { required: false, userIds: [test.ours.basicId] });
    await closeReview(test.admin(), other.id, '');
    await test.until(other.id, 'CLOSED');
    await expect(acknowledgeReview(basic(), other.id, '')).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
  });

  it('lets a close by date wait, with an event a day, and go on as soon as it is there', async () => {
    const { id } = await open({ autoCloseCampaign: true, completionDate: inDays(1) });
    await setAcknowledgement(test.admin(), id, { required: true, userIds: [test.ours.basicId] });
    await pass(day);
    await pass(day / 2);
    expect((await read(id)).state).toBe('OPEN');
    expect(await kindsOf(id, 'review.close_held')).toHaveLength(1);
    await pass(day / 2);
    expect(await kindsOf(id, 'review.close_held')).toHaveLength(2);
    await acknowledgeReview(basic(), id, '');
    await pass(1000);
    await test.until(id, 'CLOSED');
  });
});

describe('an open review', () => {
  it('ends what asks about access that is gone within ten seconds of the file without it', async () => {
    const [ends, stays] = [await open({ autoResolve: true }), await open({ autoResolve: false })];
    const fewer = test.data.grants.slice(9);
    const csv = Buffer.from([Object.keys(fewer[0] ?? {}).join(','), ...fewer.map((row) => Object.values(row).join(','))].join('\n'));
    await importInto(test.ours, { ...test.data, grantsCsv: csv }, 'Domino', clock());
    // The seconds of the jobs' clock, however long they take.
    await pass(10_000);
    const goneOf = async (reviewId: string): Promise<number> =>
      (
        await test
          .admin()
          .db.one<{ count: number }>(
            `SELECT count(*) AS count FROM tasks t WHERE t.tenant_id = $1 AND t.review_id = $2 AND t.end_reason = 'GRANT_GONE'`,
            [test.ours.tenant.id, reviewId],
          )
      ).count;
    expect(await goneOf(ends.id)).toBe(itemsOf(test.data.grants).length - itemsOf(fewer).length);
    expect(await goneOf(stays.id)).toBe(0);
    await sync();
  });

  it('reminds once in fifteen minutes', async () => {
    const { id } = await open();
    expect((await remindReview(test.admin(), id)).people).toBeGreaterThan(0);
    now += 14 * minute;
    await expect(remindReview(test.admin(), id)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('15 minutes'),
    });
    now += minute;
    await remindReview(test.admin(), id);
    expect(await eventsOf(id, 'review.reminded')).toMatchObject([{ data: { tasks: expect.any(Number) } }, {}]);
  });

  it('reminds those who are named, nobody twice in fifteen minutes, and not those who are not asked', async () => {
    const { id } = await open();
    const asked = await test.admin().db.rows<{ id: string }>(
      `SELECT DISTINCT m.user_id AS id FROM tasks t JOIN task_assignment_members m ON m.tenant_id = t.tenant_id AND m.assignment_id = t.assignment_id
         WHERE t.tenant_id = $1 AND t.review_id = $2 AND t.state = 'OPEN' ORDER BY 1`,
      [test.ours.tenant.id, id],
    );
    const [one = '', other = ''] = asked.map((row) => row.id);
    expect(asked.length).toBeGreaterThan(1);
    expect(await remindReview(test.admin(), id, [one, one, 'nobody'])).toMatchObject({ people: 1, leftOut: 0, notAsked: 1 });
    now += minute;
    await expect(remindReview(test.admin(), id, [one])).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    expect(await remindReview(test.admin(), id, [one, other])).toMatchObject({ people: 1, leftOut: 1, notAsked: 0 });
    await expect(remindReview(test.admin(), id, ['nobody'])).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
    now += 14 * minute;
    expect((await remindReview(test.admin(), id, [one])).people).toBe(1);
    const said = await eventsOf(id, 'review.reminded');
    expect(said.map(({ data }) => data.userIds)).toEqual([[one], [other], [one]]);
    expect(await remindReview(test.admin(), id)).toMatchObject({ people: asked.length - 2, leftOut: 2 });
    const [, , , last] = await eventsOf(id, 'review.reminded');
    expect([...((last?.data.leftOutUserIds ?? []) as string[])].sort()).toEqual([one, other].sort());
    await expect(remindReview(test.admin(), id, [other])).rejects.toMatchObject({ message: expect.stringContaining('15 minutes') });
    const many = Array.from({ length: 101 }, (_, index) => `person ${index}`);
    await expect(remindReview(test.admin(), id, many)).rejects.toMatchObject({ violations: [{ field: 'userIds' }] });
  });

  it('does not start past its due date, and its due date is not moved into the past', async () => {
    const { id } = await test.draft({ ...app(), completionDate: inDays(1) });
    await prepareReview(test.admin(), id);
    await test.until(id, 'REVIEW');
    now += 2 * day;
    await expect(startReview(test.admin(), id)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      violations: [{ field: 'accessReview.completionDate' }],
    });
    await changeReview(test.admin(), id, { completionDate: inDays(1) }, undefined);
    await startReview(test.admin(), id);
    await test.until(id, 'OPEN');
    await expect(changeReview(test.admin(), id, { completionDate: inDays(-1) }, undefined)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
    });
  });
});
