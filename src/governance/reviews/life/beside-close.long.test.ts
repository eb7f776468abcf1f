/**
 * Changes of a task beside the end of its review, step by step on two connections: one of them waits for the other, whoever comes first, so
 * that no task is left open and nothing is changed behind the end.
 */
import { describe, expect, it } from 'vitest';
import { useReviewRun } from '../../../../test/support/review-run.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { isAppError } from '../../../errors.ts';
import { commentOnTask } from '../../tasks/decisions/comment.ts';
import { checkTaskJob } from '../../tasks/batches/end-gone.ts';
import { decideTask } from '../../tasks/decisions/decide.ts';
import { reassignTask } from '../../tasks/steering/reassign.ts';
import { restartTask } from '../../tasks/steering/restart.ts';
import { submit } from '../../../../test/support/task-people.ts';
import type { Job } from '../../../jobs/index.ts';
import { closeReview } from './close.ts';
import { deleteReview } from './delete.ts';
import { requestTransition } from './transition.ts';
import { lockReview } from '../record/store.ts';

const run = useReviewRun();

interface Setting {
  readonly reviewId: string;
  /** A task that somebody denied, and one that is open. */
  readonly denied: string;
  readonly open: string;
}

const changes: Readonly<Record<string, (context: Context, of: Setting) => Promise<unknown>>> = {
  restart: (context, { denied }) => restartTask(context, { taskId: denied, comment: '', policyStepId: '' }),
  approve: (context, { open }) => decideTask(context, { taskId: open, decision: 'APPROVE', comment: '', policyStepId: '' }),
  deny: (context, { open }) => decideTask(context, { taskId: open, decision: 'DENY', comment: 'No.', policyStepId: '' }),
  comment: (context, { open }) => commentOnTask(context, open, 'Hm.'),
  reassign: (context, { open }) =>
    reassignTask(context, { taskId: open, newUserIds: [run.test.ours.basicId], comment: 'You know.', policyStepId: '' }),
  submit: (context, { reviewId, open }) =>
    submit(context, reviewId, [{ taskId: open, decision: 'APPROVE', comment: '', policyStepId: '' }]),
};

const ends: Readonly<Record<string, (context: Context, reviewId: string) => Promise<unknown>>> = {
  close: (context, reviewId) => closeReview(context, reviewId, 'CLOSE_DECISION_SKIP'),
  'update to CLOSED': (context, reviewId) =>
    inTransaction(context, async (inside) => {
      const review = await lockReview(inside, reviewId);
      return review && requestTransition(inside, review, 'CLOSED');
    }),
  delete: (context, reviewId) => deleteReview(context, reviewId, 'Made by mistake.'),
};

const pairs = Object.keys(ends).flatMap((end) =>
  // An update closes as the action does, so one of the changes is enough.
  (end === 'update to CLOSED' ? ['restart'] : Object.keys(changes)).map((change) => [change, end] as const),
);

async function set(): Promise<Setting> {
  const review = await run.opened({ autoResolve: true });
  const task = await run.someTask(review.id);
  await decideTask(run.test.admin(), { taskId: task.id, decision: 'DENY', comment: 'No.', policyStepId: '' });
  return { reviewId: review.id, denied: task.id, open: (await run.someTask(review.id)).id };
}

/** Does `work` in a transaction that stays open until `commit`; resolves when the work is done and not committed. */
async function hold(work: (context: Context) => Promise<unknown>): Promise<{ commit: () => Promise<void> }> {
  let commit = () => {};
  const told = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let done = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    done = run.test.admin().db.transaction(async (db) => {
      await work({ ...run.test.admin(), db });
      resolve();
      await told;
    });
    done.catch(reject);
  });
  return {
    commit: () => {
      commit();
      return done;
    },
  };
}

/** Waits until somebody waits for a lock, or `work` is over. */
async function untilWaiting(work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  const waiting = () =>
    run.test.database
      .system()
      .rows(`SELECT FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid WHERE NOT l.granted AND a.datname = current_database()`);
  while (!isOver && (await waiting()).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function untilEnded(reviewId: string): Promise<void> {
  for (let attempt = 0; attempt < 6000; attempt++) {
    const [job] = await run.test.database.system().rows(`SELECT FROM jobs WHERE subject_id = $1 AND state = 'WAITING'`, [reviewId]);
    if (job === undefined) {
      expect((await run.outcomes(reviewId)).filter(({ state }) => state === 'OPEN')).toEqual([]);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('the jobs of the review did not end');
}

async function countActions(reviewId: string): Promise<number> {
  const { db, tenantId } = run.test.ours.system;
  const { n } = await db.one<{ n: number }>('SELECT count(*) AS n FROM task_actions x WHERE x.tenant_id = $1 AND x.review_id = $2', [
    tenantId,
    reviewId,
  ]);
  return n;
}

describe('a change that came first', () => {
  it.each(pairs)('%s: %s waits for it, and leaves nothing open', async (change, end) => {
    const setting = await set();
    const first = await hold((context) => changes[change]?.(context, setting) ?? Promise.reject(new Error(change)));
    const order: string[] = [];
    const ending = (ends[end]?.(run.test.admin(), setting.reviewId) ?? Promise.reject(new Error(end))).then(() => order.push('end'));
    await untilWaiting(ending);
    order.push('change');
    await first.commit();
    await ending;
    expect(order).toEqual(['change', 'end']);
    await untilEnded(setting.reviewId);
  });
});

describe('an end that came first', () => {
  it.each(pairs)('%s: waits for %s, and is refused', async (change, end) => {
    const setting = await set();
    const first = await hold((context) => ends[end]?.(context, setting.reviewId) ?? Promise.reject(new Error(end)));
    const before = await countActions(setting.reviewId);
    const changing = (changes[change]?.(run.test.admin(), setting) ?? Promise.reject(new Error(change))).then(
      () => 'changed',
      (error: unknown) => (isAppError(error) ? error.code : String(error)),
    );
    await untilWaiting(changing);
    await first.commit();
    expect(await changing).toBe(end === 'delete' && change === 'submit' ? 'NOT_FOUND' : 'FAILED_PRECONDITION');
    await untilEnded(setting.reviewId);
    expect(await countActions(setting.reviewId)).toBe(before);
  });

  it('a look at a task that was opened again leaves it to the end', async () => {
    const setting = await set();
    const first = await hold((context) => closeReview(context, setting.reviewId, 'CLOSE_DECISION_REVOKED'));
    await run.test.ours.system.db.run(
      `UPDATE grants g SET removed_revision = 99 FROM tasks t
       WHERE g.tenant_id = $1 AND t.tenant_id = $1 AND t.id = $2 AND g.account_id = t.account_id AND g.entitlement_id = t.entitlement_id`,
      [run.test.ours.tenant.id, setting.open],
    );
    const looking = inTransaction(run.test.ours.system, (inside) => checkTaskJob.handler(inside, { subjectId: setting.open } as Job));
    await untilWaiting(looking);
    await first.commit();
    await looking;
    await untilEnded(setting.reviewId);
    expect((await run.outcomes(setting.reviewId)).map(({ endReason }) => endReason)).toEqual(['DECIDED', 'REVOKED_AT_CLOSE']);
  });
});
