/** Progress from counters: always what counting the tasks gives, folded or not, whatever changes them; and who is late, and how fast it goes. */
import { describe, expect, it } from 'vitest';
import { approve, useReviewRun } from '../../../../test/support/review-run.ts';
import type { Context } from '../../../context.ts';
import { decideTask } from '../../tasks/decisions/decide.ts';
import { listReviewersById, type TaskCounts } from '../../tasks/index.ts';
import { foldJob } from '../../tasks/progress/fold-progress.ts';
import { reassignTask } from '../../tasks/steering/reassign.ts';
import { restartTask } from '../../tasks/steering/restart.ts';
import { closeReview } from '../life/close.ts';
import { accumulateDays, listPartFigures, listReviewerFigures, readFigures } from './figures.ts';
import { resetReview } from '../life/reset.ts';
import { findReview, type ReviewRow } from '../record/store.ts';

const run = useReviewRun();

async function find(id: string): Promise<ReviewRow> {
  return (await findReview(run.test.admin(), id)) as ReviewRow;
}

const slashed = ({ total, undecided, certified, revoked, cancelled, byPeople, deniedByPeople, skipped }: TaskCounts): string =>
  [total, undecided, certified, revoked, cancelled, byPeople, deniedByPeople, skipped].join('/');

/** Compares the counters of a review with its tasks. */
async function compare(id: string, context: Context = run.test.admin()): Promise<void> {
  const { db, tenantId } = context;
  const counted = async (key: string) =>
    Object.fromEntries(
      (
        await db.rows<{ key: string; counts: string }>(
          `SELECT ${key} AS key, concat_ws('/', count(*), count(*) FILTER (WHERE t.state = 'OPEN'), count(*) FILTER (WHERE t.outcome = 'CERTIFIED'),
             count(*) FILTER (WHERE t.outcome = 'DECERTIFIED'), count(*) FILTER (WHERE t.outcome = 'CANCELLED'),
             count(*) FILTER (WHERE t.decided_by_id IS NOT NULL AND t.end_reason = 'DECIDED'),
             count(*) FILTER (WHERE t.decided_by_id IS NOT NULL AND t.end_reason = 'DECIDED' AND t.outcome = 'DECERTIFIED'),
             count(*) FILTER (WHERE t.end_reason = 'SKIPPED_AT_CLOSE')) AS counts
           FROM tasks t LEFT JOIN review_accounts a
             ON a.tenant_id = $1 AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
           WHERE t.tenant_id = $1 AND t.review_id = $2 GROUP BY 1`,
          [tenantId, id],
        )
      ).map((row) => [row.key, row.counts]),
    );
  const parts = async (dimension: 'APP' | 'DEPARTMENT') =>
    Object.fromEntries((await listPartFigures(context, id, dimension, undefined, 1000)).map((row) => [row.key, slashed(row)]));
  expect(await parts('APP')).toEqual(await counted('t.app_id'));
  expect(await parts('DEPARTMENT')).toEqual(await counted(`coalesce(a.department, '')`));
  const asked = await db.rows<{ id: string; asked: number; open: number; decided: number }>(
    `SELECT u.id, count(*) AS asked, count(*) FILTER (WHERE t.state = 'OPEN') AS open,
       count(*) FILTER (WHERE t.decided_by_id IS NOT NULL AND t.end_reason = 'DECIDED') AS decided,
       count(*) FILTER (WHERE t.decided_by_id IS NOT NULL AND t.end_reason = 'DECIDED' AND t.outcome = 'DECERTIFIED') AS denied FROM tasks t
     JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id, unnest(s.user_ids) AS u (id)
     WHERE t.tenant_id = $1 AND t.review_id = $2 GROUP BY u.id`,
    [tenantId, id],
  );
  const reviewers = (await listReviewerFigures(context, id, undefined, 1000)).filter((row) => row.asked > 0);
  const byId = (rows: readonly { readonly id: string }[]) => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(
    byId(reviewers.map((row) => ({ id: row.userId, asked: row.asked, open: row.undecided, decided: row.decided, denied: row.denied }))),
  ).toEqual(byId(asked));
  const figures = await readFigures(context, await find(id));
  const total = Object.values(await counted(`''`))[0];
  expect(slashed(figures.counts)).toBe(total);
  expect(figures.history.at(-1)).toMatchObject({ total: figures.counts.total, undecided: figures.counts.undecided });
}

/** Folds until nothing is left. */
async function fold(): Promise<number> {
  let folded = 0;
  let cursor = {};
  for (;;) {
    const result = await run.test
      .admin()
      .db.transaction((db) =>
        foldJob.handler({ ...run.test.admin(), db }, { cursor, done: 0, subjectId: run.test.ours.tenant.id } as never),
      );
    if (result === 'finished') {
      return folded;
    }
    cursor = result.cursor;
    folded += result.done;
  }
}

describe('figures of a review', () => {
  it('lists everybody once, by their ids, while they decide', async () => {
    const review = await run.opened();
    const context = run.test.admin();
    const { adminId, basicId } = run.test.ours;
    for (const userId of [basicId, adminId, adminId, adminId]) {
      const task = await run.someTask(review.id);
      await reassignTask(context, { taskId: task.id, newUserIds: [userId], comment: 'You know.', policyStepId: '' });
      await decideTask(userId === adminId ? context : run.as(userId), approve(task.id));
    }
    const all = (await listReviewersById(context, review.id, '', 1_000)).map(({ userId }) => userId);
    expect(all.length).toBeGreaterThan(1);
    const paged: string[] = [];
    for (let last = ''; ; ) {
      const [row] = await listReviewersById(context, review.id, last, 1);
      if (row === undefined) {
        break;
      }
      paged.push(row.userId);
      last = row.userId;
      // Whoever has less to do than before would change places in a list by what is open.
      await decideTask(context, approve((await run.someTask(review.id)).id));
    }
    expect(paged).toEqual(all);
  });
  it('are what counting its tasks gives, after each change, folded or not', async () => {
    const review = await run.opened();
    await compare(review.id);
    const first = await run.someTask(review.id);
    await decideTask(run.test.admin(), approve(first.id));
    await compare(review.id);
    await fold();
    await compare(review.id);
    const second = await run.someTask(review.id);
    await decideTask(run.test.admin(), { ...approve(second.id), decision: 'DENY', comment: 'No.' });
    await restartTask(run.test.admin(), { taskId: first.id, comment: '', policyStepId: '' });
    const third = await run.someTask(review.id);
    await reassignTask(run.test.admin(), { taskId: third.id, newUserIds: [run.test.ours.basicId], comment: 'You know.', policyStepId: '' });
    await compare(review.id);
    const people = await listReviewerFigures(run.test.admin(), review.id, undefined, 1000);
    const adminId = run.test.ours.adminId;
    expect(people.find((one) => one.userId === adminId)).toMatchObject({ approvals: 1, denials: 1, decisionsPerDay: 2 });
    // Reminders that went out to them or in their place, and who decides for them now.
    const { db, tenantId, now } = run.test.admin();
    const outbox = (number: number, kind: string, personId: string, onBehalfId: string, mailId: string | null) =>
      db.run(
        `INSERT INTO mail_outbox (tenant_id, id, kind, subject_id, person_id, on_behalf_id, slot, review_id, due_at, mail_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $2, $4, $7, $8, $7)`,
        [tenantId, `outbox${number}`, kind, review.id, personId, onBehalfId, now, mailId],
      );
    const { basicId } = run.test.ours;
    await outbox(1, 'REMINDER', basicId, '', 'mail1');
    await outbox(2, 'TASK_REMINDED', adminId, basicId, 'mail2');
    await outbox(3, 'REMINDER', basicId, '', null);
    await outbox(4, 'KICKOFF', basicId, '', 'mail4');
    await db.run('INSERT INTO delegations (tenant_id, user_id, delegated_user_id, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)', [
      tenantId,
      basicId,
      adminId,
      now,
    ]);
    const reminded = await listReviewerFigures(run.test.admin(), review.id, undefined, 1000);
    expect(reminded.find((one) => one.userId === basicId)).toMatchObject({ reminders: 2, delegateId: adminId, delegateUntil: null });
    expect(reminded.find((one) => one.userId === adminId)).toMatchObject({ reminders: 0, delegateId: null });
    await db.run('DELETE FROM delegations WHERE tenant_id = $1 AND user_id = $2', [tenantId, basicId]);
    expect(await readFigures(run.test.admin(), await find(review.id))).toMatchObject({ decisions: 2, reviewers: 1, unassigned: 0 });
    await closeReview(run.test.admin(), review.id, 'CLOSE_DECISION_REVOKED');
    await run.test.until(review.id, 'CLOSED');
    await compare(review.id);
    await fold();
    expect(await fold()).toBe(0);
    await compare(review.id);
  });

  it('count as decided what people decided, not what the close skipped', async () => {
    const review = await run.opened();
    const task = await run.someTask(review.id);
    await decideTask(run.test.admin(), approve(task.id));
    await closeReview(run.test.admin(), review.id, 'CLOSE_DECISION_SKIP');
    await run.test.until(review.id, 'CLOSED');
    await compare(review.id);
    const { counts } = await readFigures(run.test.admin(), await find(review.id));
    expect(counts).toMatchObject({ undecided: 0, certified: 1, byPeople: 1, byPolicy: 0, skipped: counts.total - 1 });
    const people = await listReviewerFigures(run.test.admin(), review.id, undefined, 1000);
    expect(people.some(({ asked, undecided, decided }) => asked > 0 && undecided === 0 && decided === 0)).toBe(true);
  });

  it('go page by page, those with most left first', async () => {
    const review = await run.staged();
    const all = await listReviewerFigures(run.test.admin(), review.id, undefined, 1000);
    const paged: typeof all = [];
    for (;;) {
      const last = paged.at(-1);
      const after = last === undefined ? undefined : { undecided: last.undecided, key: last.userId };
      const page = await listReviewerFigures(run.test.admin(), review.id, after, 7);
      paged.push(...page);
      if (page.length < 7) {
        break;
      }
    }
    expect(paged).toEqual(all);
    expect(all.map((row) => row.undecided)).toEqual(all.map((row) => row.undecided).sort((a, b) => b - a));
  });

  it('are gone with the tasks when a review is reset', async () => {
    const review = await run.staged();
    await resetReview(run.test.admin(), review.id);
    const { db, tenantId } = run.test.admin();
    const left = () =>
      db.one<{ count: number }>(
        `SELECT (SELECT count(*) FROM task_progress WHERE tenant_id = $1 AND review_id = $2)
           + (SELECT count(*) FROM task_progress_changes WHERE tenant_id = $1 AND review_id = $2) + (SELECT count(*) FROM tasks WHERE tenant_id = $1 AND review_id = $2) AS count`,
        [tenantId, review.id],
      );
    await expect.poll(left, { timeout: 60_000 }).toEqual({ count: 0 });
  });

  it('say who is late once the due date has passed, and how fast the rest has to go before', async () => {
    const now = run.test.admin().now.getTime();
    const due = new Date(now + 10 * 86_400_000);
    const review = await run.opened({ completionDate: due.toISOString() });
    const before = await readFigures(run.test.admin(), review);
    expect(before).toMatchObject({ dueAt: due, overdue: 0, neededPerDay: Math.round(before.counts.undecided * 10) / 100 });
    const later = { ...run.test.admin(), now: new Date(due.getTime() + 1) };
    expect(await readFigures(later, review)).toMatchObject({ overdue: before.counts.undecided, neededPerDay: 0 });
    const [first] = await listReviewerFigures(later, review.id, undefined, 1);
    expect(first?.overdue).toBe(first?.undecided);
  });
});

describe('the history of a review', () => {
  it('adds up what changed, day by day', () => {
    const day = (name: string, total: number, undecided: number, certified: number) => ({
      day: name,
      total,
      undecided,
      certified,
      revoked: 0,
      cancelled: 0,
      withoutOutcome: 0,
      byPeople: certified,
      deniedByPeople: 0,
      byPolicy: 0,
      carried: 0,
      skipped: 0,
    });
    expect(accumulateDays([day('2026-01-01', 10, 10, 0), day('2026-01-03', 0, -4, 4), day('2026-01-04', 0, 1, -1)])).toEqual([
      day('2026-01-01', 10, 10, 0),
      day('2026-01-03', 10, 6, 4),
      day('2026-01-04', 10, 7, 3),
    ]);
  });
});
