/**
 * Blind second reviews: the draw and its replay, who is asked, that nothing shows the first decisions, answers, and what they come to. Nothing else
 * changes by them.
 */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { approve, useReviewRun } from '../../../test/support/review-run.ts';
import { statusOf } from '../../../test/support/task-people.ts';
import { actorOf } from '../../../test/support/tenants.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Job } from '../../jobs/index.ts';
import { requireApp } from '../../inventory/catalog/index.ts';
import { changeOwners, exactly, ownedApp } from '../../inventory/catalog/owners/index.ts';
import { ROLES } from '../../foundation/directory/index.ts';
import { setRoles } from '../../foundation/directory/set-roles.ts';
import { closeReview } from '../reviews/life/close.ts';
import { deleteReview } from '../reviews/life/delete.ts';
import { setIndependence } from '../reviews/evidence/independence.ts';
import { findReview } from '../reviews/record/store.ts';
import { requestJob } from '../revocations/request.ts';
import { reassignTask } from '../tasks/steering/reassign.ts';
import { decideTask } from '../tasks/decisions/decide.ts';
import { answerQuestions } from './answer.ts';
import { drawSecondReview } from './draw.ts';
import { endSecondReview } from './end.ts';
import { readAsked, readCompared, readQuestions, readSecondReview } from './read.ts';
import type { Answer } from './store-items.ts';

const run = useReviewRun();
const admin = (): Context => run.test.admin();
/** People whom no review asks anything. */
let others: string[];

/** An open review with so many decisions by those who are asked, every third a denial. */
async function decided(count: number): Promise<string> {
  const { id } = await run.opened();
  const tasks = await admin().db.rows<{ id: string; reviewerId: string }>(
    `SELECT t.id, s.user_ids[1] AS "reviewerId" FROM tasks t JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id
     WHERE t.tenant_id = $1 AND t.review_id = $2 AND t.user_id <> ALL ($4) ORDER BY t.id LIMIT $3`,
    [run.test.ours.tenant.id, id, count, others],
  );
  for (const [index, task] of tasks.entries()) {
    await decideTask(run.as(task.reviewerId), {
      ...approve(task.id),
      decision: index % 3 === 0 ? 'DENY' : 'APPROVE',
      comment: 'the first word',
    });
  }
  return id;
}

const draw = (reviewId: string, more: { sharePercent?: number; number?: number; reviewerIds?: readonly string[] }) =>
  drawSecondReview(admin(), reviewId, { sharePercent: 0, number: 0, reviewerIds: others, ...more });
const questionsOf = (userId: string, reviewId: string) => readQuestions(run.as(userId), reviewId, 0, 1000);
const answer = (taskId: string, decision: Answer['decision'] = 'APPROVE', comment = ''): Answer => ({ taskId, decision, comment });
interface TaskState {
  readonly id: string;
  readonly end_reason: string;
  readonly decided_by_id: string | null;
}
const stateOfTasks = (reviewId: string) =>
  admin().db.rows<TaskState>(
    'SELECT t.id, t.state, t.outcome, t.end_reason, t.decided_by_id FROM tasks t WHERE t.tenant_id = $1 AND t.review_id = $2 ORDER BY t.id',
    [run.test.ours.tenant.id, reviewId],
  );

beforeAll(async () => {
  const { id } = await run.opened();
  const rows = await admin().db.rows<{ id: string }>(
    `SELECT u.id FROM users u WHERE u.tenant_id = $1 AND u.status = 'ENABLED' AND u.employment_status <> 'TERMINATED'
       AND NOT EXISTS (SELECT FROM task_assignment_members m WHERE m.tenant_id = $1 AND m.user_id = u.id AND m.review_id = $2)
       AND NOT EXISTS (SELECT FROM user_roles o WHERE o.tenant_id = $1 AND o.user_id = u.id AND o.role_id LIKE '%Administrator')
     ORDER BY u.id LIMIT 2`,
    [run.test.ours.tenant.id, id],
  );
  others = rows.map((row) => row.id);
  expect(others).toHaveLength(2);
});

describe('a second review', () => {
  it('is drawn at random from what people decided, and the draw can be repeated from its seed', async () => {
    const reviewId = await decided(12);
    const row = await draw(reviewId, { sharePercent: 40 });
    expect(row).toMatchObject({ state: 'OPEN', population: 12, items: 5, answered: 0 });
    const tasks = await stateOfTasks(reviewId);
    const population = tasks.filter((task) => task.end_reason === 'DECIDED').map((task) => task.id);
    const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();
    const rankOf = (id: string): string => sha256(`${row.seed}/${id}`).toString('hex');
    const wanted = population.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1)).slice(0, 5);
    await endSecondReview(admin(), reviewId);
    expect((await readCompared(admin(), reviewId, false, 0, 100)).map(({ taskId }) => taskId)).toEqual(wanted);
    expect(row.populationDigest).toBe(sha256(sha256(population.join('\n'))).toString('hex'));
    await expect(draw(reviewId, { number: 1 })).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
  });

  it('asks people who had nothing to do with it, and shows them nothing of the first decisions', async () => {
    const reviewId = await decided(6);
    const [one = '', other = ''] = others;
    await draw(reviewId, { number: 6 });
    const questions = await questionsOf(one, reviewId);
    expect(questions).toHaveLength(6);
    expect(questions[0]).toMatchObject({ decision: '', comment: '', appName: 'Domino' });
    const tasks = (await stateOfTasks(reviewId)).filter((task) => task.end_reason === 'DECIDED');
    const shown = JSON.stringify([questions, await readAsked(run.as(one), '', 10)]);
    for (const secret of ['the first word', 'CERTIFIED', 'DECERTIFIED', ...tasks.map((task) => String(task.decided_by_id))]) {
      expect(shown).not.toContain(secret);
    }
    expect(await readAsked(run.as(other), '', 100)).toContainEqual({ reviewId, displayName: 'Test', asked: 6, answered: 0 });
    // Who runs the review sees how far it is, and neither decision beside the other.
    expect(await readSecondReview(admin(), reviewId)).toMatchObject({ answered: 0, items: 6 });
    expect(await statusOf(readCompared(admin(), reviewId, false, 0, 10))).toBe(400);
    // The first reviewers, strangers and another tenant know of none.
    const [first] = tasks;
    for (const context of [run.as(String(first?.decided_by_id)), { ...run.test.theirs.admin, now: new Date() }]) {
      expect(await statusOf(readQuestions(context, reviewId, 0, 10))).toBe(404);
      expect(await statusOf(answerQuestions(context, reviewId, [answer(String(first?.id))]))).toBe(404);
    }
  });

  it('takes one final answer for each item, ends with the last, and changes nothing else', async () => {
    const reviewId = await decided(6);
    const [one = '', other = ''] = others;
    await draw(reviewId, { number: 6 });
    const before = await stateOfTasks(reviewId);
    const taskIds = (await questionsOf(one, reviewId)).map(({ taskId }) => taskId);
    const [a = '', b = '', ...rest] = taskIds;
    expect(await answerQuestions(run.as(one), reviewId, [answer(a, 'DENY', 'No longer there.'), answer(b), answer('x')])).toMatchObject([
      { answered: true },
      { answered: true },
      { answered: false, code: 'NOT_FOUND' },
    ]);
    expect(await answerQuestions(run.as(other), reviewId, [answer(a, 'DENY')])).toMatchObject([{ answered: false, code: 'CONFLICT' }]);
    expect(await answerQuestions(run.as(one), reviewId, [answer(a, 'DENY'), answer(b, 'DENY')])).toMatchObject([
      { answered: true },
      { answered: false, code: 'CONFLICT' },
    ]);
    expect((await questionsOf(other, reviewId)).map(({ taskId }) => taskId)).toEqual(rest);
    const issuer = run.test.ours.basicId;
    await answerQuestions(
      { ...run.as(other), actor: { ...actorOf(other), kind: 'issued_session', issuerId: issuer } },
      reviewId,
      rest.map((taskId) => answer(taskId)),
    );
    const row = await readSecondReview(admin(), reviewId);
    const compared = await readCompared(admin(), reviewId, false, 0, 10);
    const differ = compared.filter(({ firstDecision, decision }) => decision !== firstDecision);
    expect(row).toMatchObject({ state: 'ENDED', answered: 6, disagreements: differ.length });
    expect(compared.find(({ taskId }) => taskId === a)).toMatchObject({
      decision: 'DENY',
      decidedById: one,
      issuerId: '',
      comment: 'No longer there.',
    });
    expect(compared.find(({ taskId }) => taskId === rest[0])).toMatchObject({ decidedById: other, issuerId: issuer });
    expect(await readCompared(admin(), reviewId, true, 0, 10)).toEqual(differ);
    expect(await stateOfTasks(reviewId)).toEqual(before);
    expect(await statusOf(answerQuestions(run.as(one), reviewId, [answer(a, 'DENY')]))).toBe(400);
    const { state } = await endSecondReview(admin(), reviewId);
    expect(state).toBe('ENDED');
  });

  it('is in the summary of the review, whichever ends last', async () => {
    const ends = {
      review: (id: string) => closeReview(admin(), id, '').then(() => run.test.until(id, 'CLOSED')),
      second: (id: string) => endSecondReview(admin(), id),
    };
    for (const order of [['review', 'second'] as const, ['second', 'review'] as const]) {
      const reviewId = await decided(3);
      await draw(reviewId, { sharePercent: 100 });
      const [question] = await questionsOf(others[0] ?? '', reviewId);
      await answerQuestions(run.as(others[0] ?? ''), reviewId, [answer(question?.taskId ?? '', 'DENY')]);
      for (const end of order) {
        await ends[end](reviewId);
      }
      const { insights = '' } = (await findReview(admin(), reviewId)) ?? {};
      expect(insights.match(/^- \*\*Second review:\*\* [01] of 1 decisions differ from the first, .*95 % confidence: /gm)).toHaveLength(1);
    }
  });

  it('refuses what cannot be drawn, everything at once', async () => {
    const reviewId = await decided(2);
    const asked = run.as(others[0] ?? '');
    const superId = admin().actor.userId;
    await expect(draw(reviewId, { sharePercent: 5, number: 5, reviewerIds: ['nobody', superId, others[0] ?? ''] })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      violations: [{ field: 'sharePercent' }, { field: 'reviewerIds[0]' }, { field: 'reviewerIds[1]' }],
    });
    for (const wrong of [{}, { sharePercent: 101 }, { sharePercent: -1 }, { number: 10_001 }, { number: 1, reviewerIds: [] }]) {
      expect([wrong, await statusOf(draw(reviewId, wrong))]).toEqual([wrong, 400]);
    }
    expect(await statusOf(drawSecondReview(asked, reviewId, { sharePercent: 0, number: 1, reviewerIds: others }))).toBe(404);
    const undecided = await run.opened();
    await expect(draw(undecided.id, { number: 1 })).rejects.toMatchObject({ message: expect.stringContaining('nothing to draw from') });
    // Of those who decided, nobody is left.
    const deciders = (await stateOfTasks(reviewId)).flatMap((task) => (task.decided_by_id === null ? [] : [String(task.decided_by_id)]));
    await expect(draw(reviewId, { number: 2, reviewerIds: [...new Set(deciders)].slice(0, 1) })).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      violations: [{ field: 'reviewerIds' }],
    });
    // What was refused was not drawn.
    expect(await statusOf(readSecondReview(admin(), reviewId))).toBe(404);
  });

  it('asks nobody any more once its review is deleted', async () => {
    const reviewId = await decided(3);
    await draw(reviewId, { number: 3 });
    const [one = ''] = others;
    expect(await questionsOf(one, reviewId)).not.toEqual([]);
    await deleteReview(admin(), reviewId, 'Started by mistake.');
    expect(await statusOf(questionsOf(one, reviewId))).toBe(404);
    expect(await readAsked(run.as(one), '', 100)).not.toContainEqual(expect.objectContaining({ reviewId }));
  });

  it('takes no answer of somebody who may read the first by now, or whom the review blocks', async () => {
    const reviewId = await decided(3);
    const [one = '', other = ''] = others;
    await draw(reviewId, { number: 3 });
    const [question] = await questionsOf(one, reviewId);
    const reader = { ...run.as(one), actor: { ...actorOf(one), roles: new Set(['READ_ONLY_ADMINISTRATOR'] as const) } };
    expect(await statusOf(answerQuestions(reader as Context, reviewId, [answer(question?.taskId ?? '')]))).toBe(403);
    // Whoever holds the role reads them, also where what they act through is narrowed.
    for (const role of ['READ_ONLY_ADMINISTRATOR', 'READ_ONLY_SYSTEM_LOGS'] as const) {
      await setRoles(admin(), one, [ROLES[role].id]);
      expect([role, await statusOf(answerQuestions(run.as(one), reviewId, [answer(question?.taskId ?? '')]))]).toEqual([role, 403]);
    }
    await setRoles(admin(), one, []);
    await setIndependence(admin(), reviewId, ['ISSUED_CREDENTIAL']);
    const issued = { ...run.as(other), actor: { ...actorOf(other), issuerId: one } };
    expect(await answerQuestions(issued as Context, reviewId, [answer(question?.taskId ?? '')])).toMatchObject([
      { answered: false, code: 'PERMISSION_DENIED' },
    ]);
    expect(await readSecondReview(admin(), reviewId)).toMatchObject({ answered: 0 });
  });

  it('asks nobody about apps that they own, as they read what is denied there, and takes no answer of theirs', async () => {
    const reviewId = await decided(6);
    const [one = '', other = ''] = others;
    const [{ appId } = { appId: '' }] = await admin().db.rows<{ appId: string }>(
      'SELECT t.app_id AS "appId" FROM tasks t WHERE t.tenant_id = $1 AND t.review_id = $2 LIMIT 1',
      [run.test.ours.tenant.id, reviewId],
    );
    const { ownerIds } = await requireApp(admin(), appId);
    const own = (userIds: readonly string[]) => changeOwners(admin(), ownedApp(appId), exactly(userIds));
    try {
      await own(others);
      await expect(draw(reviewId, { number: 6 })).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
      await own([one]);
      await draw(reviewId, { number: 6 });
      const [first] = await questionsOf(other, reviewId);
      expect([(await questionsOf(one, reviewId)).length, (await questionsOf(other, reviewId)).length]).toEqual([0, 6]);
      await own(others);
      expect(await answerQuestions(run.as(other), reviewId, [answer(String(first?.taskId))])).toMatchObject([
        { answered: false, code: 'PERMISSION_DENIED' },
      ]);
      await own([one]);
      expect(await answerQuestions(run.as(other), reviewId, [answer(String(first?.taskId))])).toMatchObject([{ answered: true }]);
    } finally {
      await own(ownerIds);
    }
  });

  it('asks nobody about what they are asked to remove, and takes no answer of theirs', async () => {
    const reviewId = await decided(6);
    const [one = '', other = ''] = others;
    await closeReview(admin(), reviewId, '');
    await run.test.until(reviewId, 'CLOSED');
    const job = { subjectId: reviewId, cursor: {}, done: 0, total: 0 } as unknown as Job;
    await inTransaction(run.test.ours.system, (inside) => requestJob.handler(inside, job));
    const removals = await admin().db.rows<{ taskId: string; deniedId: string }>(
      `SELECT r.revoke_task_id AS "taskId", r.certify_task_id AS "deniedId" FROM revocations r
       WHERE r.tenant_id = $1 AND r.review_id = $2 AND r.revoke_task_id <> '' ORDER BY r.id`,
      [run.test.ours.tenant.id, reviewId],
    );
    expect(removals).toHaveLength(2);
    const hand = (taskId: string, userId: string) =>
      reassignTask(admin(), { taskId, newUserIds: [userId], comment: 'Please remove it.', policyStepId: '' });
    const [first, second] = removals;
    await hand(String(first?.taskId), one);
    await draw(reviewId, { number: 6 });
    const asked = async (userId: string) => (await questionsOf(userId, reviewId)).map(({ taskId }) => taskId);
    expect([(await asked(one)).length, (await asked(other)).length]).toEqual([5, 6]);
    expect(await asked(one)).not.toContain(first?.deniedId);
    await hand(String(second?.taskId), one);
    const answers = [answer(String(second?.deniedId))];
    expect(await answerQuestions(run.as(one), reviewId, answers)).toMatchObject([{ answered: false, code: 'PERMISSION_DENIED' }]);
    expect(await answerQuestions(run.as(other), reviewId, answers)).toMatchObject([{ answered: true }]);
  });
});
