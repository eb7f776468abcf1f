/** The running reviews that ask somebody: whose tasks are counted, why they are asked, what waits in whose place, and in which order. */
import { describe, expect, it } from 'vitest';
import { tenant, useTaskPeople } from '../../../../test/support/task-people.ts';
import { addAssignment, addPerson, addTask, addTasksOf, askUsers, setTasksState, testNow } from '../../../../test/support/tasks.ts';
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { listMyReviews } from './my-reviews.ts';
import type { AskedReviewRow } from './store-my-reviews.ts';

const { caller, db, id } = useTaskPeople();
const day = 86_400_000;
const inDays = (days: number): string => new Date(testNow.getTime() + days * day).toISOString();

/** A running review of this name and due date. */
async function makeReview(displayName: string, due = '', rules: object = {}): Promise<string> {
  const reviewId = await addTasksOf(db(), tenant, { steps: [askUsers([], rules)] });
  await db().run('UPDATE reviews SET document = $3 WHERE tenant_id = $1 AND id = $2', [
    tenant,
    reviewId,
    JSON.stringify({ displayName, completionDate: due }),
  ]);
  return reviewId;
}

/** As many tasks of a review that ask these people. */
async function ask(reviewId: string, userIds: string[], count: number, more: { reason?: string; appId?: string; state?: string } = {}) {
  const assignmentId = await addAssignment(db(), tenant, reviewId, userIds, more.reason ?? 'USERS');
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    ids.push(await addTask(db(), tenant, { reviewId, assignmentId, appId: more.appId ?? 'app', state: more.state ?? 'OPEN' }));
  }
  return ids;
}

async function newPerson(): Promise<{ id: string; context: Context }> {
  const userId = await addPerson(db(), tenant, 'Somebody');
  const base = caller('ann');
  return { id: userId, context: { ...base, actor: { ...base.actor, userId } } };
}

const read = (context: Context) => listMyReviews(context, undefined, 100);
const names = (rows: readonly AskedReviewRow[]): unknown[] => rows.map(({ document }) => document.displayName);

describe('the running reviews that ask somebody', () => {
  it('count their own tasks by reason, and what they staged', async () => {
    const me = await newPerson();
    const reviewId = await makeReview('Payments', inDays(3), { requireDenialReason: true });
    await db().run('INSERT INTO review_owners (tenant_id, review_id, user_id, created_at) VALUES ($1, $2, $3, now())', [
      tenant,
      reviewId,
      id('owner'),
    ]);
    const [first] = await ask(reviewId, [me.id], 3, { reason: 'MANAGER' });
    await ask(reviewId, [me.id, id('ann')], 1, { reason: 'APP_OWNERS', state: 'CLOSED' });
    await ask(reviewId, [id('ann')], 5);
    await db().run(
      `INSERT INTO pending_decisions (tenant_id, review_id, user_id, task_id, decision, staged_at) VALUES ($1, $2, $3, $4, 'DENY', now())`,
      [tenant, reviewId, me.id, first],
    );
    const { rows, totals, places } = await read(me.context);
    expect(rows).toMatchObject([
      {
        id: reviewId,
        dueAt: new Date(inDays(3)),
        owners: [{ userId: id('owner'), displayName: 'owner' }],
        reasons: [
          { reason: 'MANAGER', total: 3, open: 3, staged: 1 },
          { reason: 'APP_OWNERS', total: 1, open: 0, staged: 0 },
        ],
        places: [],
        appId: 'app',
        requiresApprovalReason: false,
        requiresDenialReason: true,
      },
    ]);
    expect(totals).toEqual({
      secondsPerDecision: 0,
      decidable: 2,
      waiting: 2,
      overdue: 0,
      dueToday: 0,
      dueTomorrow: 0,
      staged: 1,
      timeZone: 'UTC',
    });
    expect(places).toEqual([]);
  });

  it('are sorted by their due date, and say how much is overdue, due today and due tomorrow', async () => {
    const me = await newPerson();
    for (const [name, due] of [
      ['without', ''],
      ['tomorrow', inDays(1)],
      ['overdue', inDays(-2)],
      ['today', inDays(0.1)],
      ['later', inDays(2)],
    ] as const) {
      await ask(await makeReview(name, due), [me.id], 2, { appId: `app of ${name}` });
    }
    const { rows, totals } = await read(me.context);
    expect(names(rows)).toEqual(['overdue', 'today', 'tomorrow', 'later', 'without']);
    expect(totals).toMatchObject({ waiting: 10, overdue: 2, dueToday: 2, dueTomorrow: 2 });
    const paged: unknown[] = [];
    let after: readonly string[] | undefined;
    for (let place = 0; place < 5; place++) {
      const page = await listMyReviews(me.context, after, 1);
      expect(page.totals === undefined).toBe(place > 0);
      paged.push(...names(page.rows));
      const [row] = page.rows;
      after = [row?.dueAt?.toISOString() ?? '', row?.id ?? ''];
    }
    expect(paged).toEqual(names(rows));
    expect((await listMyReviews(me.context, after, 1)).rows).toEqual([]);
  });

  it('say what a delegate may decide in whose place, without what asks them as well', async () => {
    const me = await newPerson();
    const away = await newPerson();
    const until = new Date(inDays(9));
    await db().run(
      'INSERT INTO delegations (tenant_id, user_id, delegated_user_id, expires_at, created_at, updated_at) VALUES ($1, $2, $3, $4, now(), now())',
      [tenant, away.id, me.id, until],
    );
    const allowed = await makeReview('allowed', '', { allowDelegation: true });
    await ask(allowed, [away.id], 2);
    await ask(allowed, [away.id, me.id], 1);
    await ask(await makeReview('not allowed'), [away.id], 4);
    const context = { ...me.context, actor: { ...me.context.actor, delegatorIds: [away.id] } };
    const { rows, totals, places } = await read(context);
    expect(names(rows)).toEqual(['allowed']);
    expect(rows[0]).toMatchObject({ reasons: [{ total: 1, open: 1 }], places: [{ userId: away.id, total: 2, open: 2 }] });
    expect(places).toMatchObject([{ userId: away.id, displayName: 'Somebody', total: 2, open: 2, staged: 0 }]);
    expect(new Date(places[0]?.until ?? '')).toEqual(until);
    expect(totals).toMatchObject({ waiting: 1, decidable: 3 });
    expect((await read(me.context)).places).toEqual([]);
  });

  it('are running ones with a task for them; the last that closed is named', async () => {
    const me = await newPerson();
    await addAssignment(db(), tenant, await makeReview('no task'), [me.id]);
    const closed: string[] = [];
    for (const [name, at] of [
      ['before', inDays(-20)],
      ['last', inDays(-3)],
    ] as const) {
      const reviewId = await makeReview(name);
      await ask(reviewId, [me.id], 1, { state: 'CLOSED' });
      await setTasksState(db(), tenant, reviewId, 'CLOSED');
      await db().run(`UPDATE reviews SET state = 'CLOSED', closed_at = $3 WHERE tenant_id = $1 AND id = $2`, [tenant, reviewId, at]);
      closed.push(reviewId);
    }
    const { rows, totals, lastReview } = await read(me.context);
    expect(rows).toEqual([]);
    expect(totals?.waiting).toBe(0);
    expect(lastReview).toEqual({ id: closed[1], displayName: 'last', closedAt: new Date(inDays(-3)) });
    expect((await read((await newPerson()).context)).lastReview).toBeUndefined();
  });

  it('are none of another tenant, and none of nobody', async () => {
    const foreign = caller('foreign super');
    expect(await read(foreign)).toMatchObject({ rows: [], places: [] });
    const nobody = { ...caller('ann'), actor: { ...caller('ann').actor, userId: '' } };
    expect((await read(nobody)).rows).toEqual([]);
  });

  it('say how long somebody takes for a decision, without pauses, and nothing of too few', async () => {
    const me = await newPerson();
    const reviewId = await makeReview('Paced', inDays(3));
    const ids = await ask(reviewId, [me.id], 14);
    const act = (taskId: string, seconds: number, kind = 'APPROVED', data: object = {}) =>
      db().run(
        `INSERT INTO task_actions (tenant_id, id, task_id, review_id, step, step_generation, kind, actor_id, data, created_at)
         VALUES ($1, $2, $3, $4, 0, 0, $5, $6, $7, $8)`,
        [tenant, newId(testNow), taskId, reviewId, kind, me.id, JSON.stringify(data), new Date(testNow.getTime() + seconds * 1000)],
      );
    const paceOf = async () => (await read(me.context)).totals?.secondsPerDecision;
    // One every 30 seconds; two of them at once, one an hour later, and a comment that is no decision.
    for (const [place, taskId] of ids.slice(0, 10).entries()) {
      await act(taskId, place * 30, place % 2 === 0 ? 'APPROVED' : 'DENIED');
    }
    expect(await paceOf()).toBe(0);
    await act(ids[10] ?? '', 3_600);
    await act(ids[11] ?? '', 3_600, 'COMMENTED');
    expect(await paceOf()).toBe(0);
    // Submitted later, and staged with the one before: the time when it was staged counts.
    await act(ids[12] ?? '', 9_000, 'APPROVED', { stagedAt: new Date(testNow.getTime() + 270_000).toISOString() });
    expect(await paceOf()).toBe(27);
  });
});
