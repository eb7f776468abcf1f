/** Events of a review between its moves: reviewers who leave, access that goes, and who may move it at all. */
import { describe, expect, it } from 'vitest';
import { approve, useReviewRun } from '../../../../test/support/review-run.ts';
import { actorOf } from '../../../../test/support/tenants.ts';
import { importInto, itemsOf } from '../../../../test/support/review.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { recordEvent } from '../../../../test/support/any-event.ts';
import { decideTask } from '../../tasks/decisions/decide.ts';
import { closeReview } from './close.ts';
import { prepareReview } from './prepare.ts';
import { resetReview } from './reset.ts';
import { startReview } from './start.ts';
import { changeReview } from './update.ts';

const run = useReviewRun();
const { as, events, opened, outcomes, staged } = run;

describe('while it is open', () => {
  /** As if an identity provider had reported somebody. */
  const tellOfPeople = () =>
    inTransaction(run.test.admin(), (context) => recordEvent(context, { kind: 'scim.user_updated', targetType: 'user' }));

  async function eventually(check: () => Promise<boolean>): Promise<void> {
    for (let attempt = 0; attempt < 3000; attempt++) {
      if (await check()) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error('it did not come to be');
  }

  it('hands the tasks of a disabled reviewer on, with an event', async () => {
    const review = await opened();
    const task = await run.test.admin().db.one<{ id: string; reviewerId: string }>(
      `SELECT t.id, s.user_ids[1] AS "reviewerId" FROM tasks t JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id
       WHERE t.tenant_id = $1 AND t.review_id = $2 AND s.reason = 'MANAGER' ORDER BY t.id LIMIT 1`,
      [run.test.ours.tenant.id, review.id],
    );
    await run.test
      .admin()
      .db.run(`UPDATE users SET status = 'DISABLED' WHERE tenant_id = $1 AND id = $2`, [run.test.ours.tenant.id, task.reviewerId]);
    await tellOfPeople();
    await eventually(async () => (await events(review.id)).includes('review.reviewer_handed_over'));
    const left = await run.test.admin().db.one<{ count: number }>(
      `SELECT count(*) AS count FROM tasks t JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id
       WHERE t.tenant_id = $1 AND t.review_id = $2 AND t.state = 'OPEN' AND $3 = ANY (s.user_ids)`,
      [run.test.ours.tenant.id, review.id, task.reviewerId],
    );
    expect(left.count).toBe(0);
    await run.test
      .admin()
      .db.run(`UPDATE users SET status = 'ENABLED' WHERE tenant_id = $1 AND id = $2`, [run.test.ours.tenant.id, task.reviewerId]);
    await decideTask(run.test.admin(), approve(task.id));
  });

  it('hands the tasks of a manager who left to those who manage the people by now, and the rest to the fallbacks', async () => {
    const review = await opened();
    const { db } = run.test.admin();
    const tenantId = run.test.ours.tenant.id;
    const asked = await db.rows<{ taskId: string; subjectId: string; managerId: string }>(
      `SELECT t.id AS "taskId", t.user_id AS "subjectId", u.manager_id AS "managerId" FROM tasks t
       JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id AND s.reason = 'MANAGER'
       JOIN users u ON u.tenant_id = $1 AND u.id = t.user_id WHERE t.tenant_id = $1 AND t.review_id = $2 ORDER BY t.id`,
      [tenantId, review.id],
    );
    const ofManagers = [...Map.groupBy(asked, ({ managerId }) => managerId)];
    const [left, tasks] = ofManagers.find(([, list]) => new Set(list.map(({ subjectId }) => subjectId)).size > 1) ?? ['', []];
    const next = ofManagers.map(([id]) => id).find((id) => id !== left) ?? '';
    const moved = tasks.find(({ subjectId }) => subjectId !== next)?.subjectId ?? '';
    await db.run('UPDATE users SET manager_id = $3 WHERE tenant_id = $1 AND id = $2', [tenantId, moved, next]);
    await db.run(`UPDATE users SET status = 'DISABLED' WHERE tenant_id = $1 AND id = $2`, [tenantId, left]);
    await tellOfPeople();
    const reviewersOf = (ids: readonly string[]) =>
      db.rows<{ taskId: string; userIds: string[] }>(
        `SELECT t.id AS "taskId", s.user_ids AS "userIds" FROM tasks t JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id
         WHERE t.tenant_id = $1 AND t.id = ANY ($2) ORDER BY t.id`,
        [tenantId, ids],
      );
    await eventually(async () => (await reviewersOf(tasks.map(({ taskId }) => taskId))).every(({ userIds }) => !userIds.includes(left)));
    const of = (isMoved: boolean) =>
      reviewersOf(tasks.filter(({ subjectId }) => (subjectId === moved) === isMoved).map(({ taskId }) => taskId));
    expect((await of(true)).map(({ userIds }) => userIds)).toEqual((await of(true)).map(() => [next]));
    expect((await of(false)).filter(({ userIds }) => userIds.includes(next) && userIds.length === 1)).toEqual([]);
    await db.run('UPDATE users SET manager_id = $3 WHERE tenant_id = $1 AND id = $2', [tenantId, moved, left]);
    await db.run(`UPDATE users SET status = 'ENABLED' WHERE tenant_id = $1 AND id = $2`, [tenantId, left]);
  });

  it('ends tasks whose access is gone, and says so', async () => {
    const review = await opened({ autoResolve: true });
    const fewer = run.test.data.grants.slice(7);
    const csv = Buffer.from([Object.keys(fewer[0] ?? {}).join(','), ...fewer.map((row) => Object.values(row).join(','))].join('\n'));
    await importInto(run.test.ours, { ...run.test.data, grantsCsv: csv }, 'Domino');
    const gone = itemsOf(run.test.data.grants).length - itemsOf(fewer).length;
    await eventually(async () => (await outcomes(review.id)).some((count) => count.endReason === 'GRANT_GONE' && count.count === gone));
    await importInto(run.test.ours, run.test.data, 'Domino');
  });

  it('asks for a transition by naming state in a mask', async () => {
    const review = await staged();
    await changeReview(run.test.admin(), review.id, { state: 'ACCESS_REVIEW_STATE_OPEN' }, ['state']);
    await run.test.until(review.id, 'OPEN');
    await changeReview(run.test.admin(), review.id, { state: 'ACCESS_REVIEW_STATE_CLOSED' }, ['state']);
    await run.test.until(review.id, 'CLOSED');
    await expect(changeReview(run.test.admin(), review.id, { state: 'ACCESS_REVIEW_STATE_DRAFT' }, ['state'])).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
    });
  });
});

describe('who may', () => {
  it('another tenant: 404; a person without a part in it: 404; only an owner or Super Administrator moves it', async () => {
    const review = await staged();
    const theirs: Context = { ...run.test.theirs.admin, now: new Date() };
    for (const move of [prepareReview, startReview, resetReview, (context: Context, id: string) => closeReview(context, id, '')]) {
      await expect(move(theirs, review.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(move(as(run.test.ours.basicId), review.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const reader = { ...run.test.admin(), actor: actorOf(run.test.ours.basicId, ['READ_ONLY_ADMINISTRATOR']) };
      await expect(move(reader, review.id)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    }
  });
});
