/** Things open reviews follow while nobody asks: revisions, people, restarts. And that nothing looks at them while nothing happens. */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { importInto, itemsOf } from '../../../../test/support/review.ts';
import { isLong } from '../../../../test/support/runs.ts';
import { approve, useReviewRun } from '../../../../test/support/review-run.ts';
import { inTransaction } from '../../../context.ts';
import { decideTask } from '../../tasks/decisions/decide.ts';
import { restartTask } from '../../tasks/steering/restart.ts';

const run = useReviewRun();
const { as, events, opened, outcomes, someTask } = run;

/** Counts reads of the tables of reviews and tasks so far; a backend that went idle reports what it counted ten seconds later. */
async function readsOfReviews(): Promise<number> {
  await delay(12_000);
  const [row] = await run.test.admin().db.rows<{ reads: number }>(
    `SELECT sum(seq_scan + coalesce(idx_scan, 0))::int AS reads FROM pg_stat_user_tables
       WHERE relname IN ('reviews', 'review_owners', 'tasks', 'task_reviews', 'task_assignments', 'grants', 'inventory_revisions')`,
    [],
  );
  return row?.reads ?? 0;
}

describe('an open review', () => {
  it('follows a revision within seconds, and remembers which one; one that does not resolve by itself stays as it is', async () => {
    const [review, other] = [await opened({ autoResolve: true }), await opened({ autoResolve: false })];
    const fewer = run.test.data.grants.slice(5);
    const csv = Buffer.from([Object.keys(fewer[0] ?? {}).join(','), ...fewer.map((row) => Object.values(row).join(','))].join('\n'));
    await importInto(run.test.ours, { ...run.test.data, grantsCsv: csv }, 'Domino');
    const gone = itemsOf(run.test.data.grants).length - itemsOf(fewer).length;
    await expect
      .poll(async () => (await outcomes(review.id)).find((count) => count.endReason === 'GRANT_GONE')?.count ?? 0, { timeout: 60_000 })
      .toBe(gone);
    await expect
      .poll(() =>
        run.test.admin().db.one(
          `SELECT r.access_revision = c.value AS "isFollowed" FROM reviews r JOIN tenant_counters c ON c.tenant_id = $1
           AND c.name = 'inventory_revision' WHERE r.tenant_id = $1 AND r.id = $2`,
          [run.test.ours.tenant.id, review.id],
        ),
      )
      .toEqual({ isFollowed: true });
    expect(await outcomes(other.id)).toEqual([{ state: 'OPEN', outcome: '', endReason: '', count: itemsOf(run.test.data.grants).length }]);
    await importInto(run.test.ours, run.test.data, 'Domino');
  });

  it('ends a task whose access goes while it is restarted', async () => {
    const review = await opened({ autoResolve: true });
    const task = await someTask(review.id);
    await decideTask(as(task.reviewerId), approve(task.id));
    await inTransaction(run.test.admin(), async (inside) => {
      await restartTask(inside, { taskId: task.id, comment: '', policyStepId: '' });
      await inside.db.run(
        `UPDATE grants g SET removed_revision = g.added_revision + 1 FROM tasks t WHERE t.tenant_id = $1 AND t.id = $2 AND g.tenant_id = $1
           AND g.app_id = t.app_id AND g.entitlement_id = t.entitlement_id AND g.account_id = t.account_id`,
        [run.test.ours.tenant.id, task.id],
      );
    });
    const end = () =>
      run.test
        .admin()
        .db.one('SELECT state, outcome, end_reason AS "endReason" FROM tasks WHERE tenant_id = $1 AND id = $2', [
          run.test.ours.tenant.id,
          task.id,
        ]);
    await expect.poll(end, { timeout: 60_000 }).toEqual({ state: 'CLOSED', outcome: 'CANCELLED', endReason: 'GRANT_GONE' });
    expect((await events(review.id)).filter((kind) => kind === 'review.tasks_ended')).toHaveLength(1);
  });

  it.runIf(isLong)('is not looked at while nothing happens, and neither are fifty', async () => {
    const { db, tenantId } = run.test.admin();
    await db.run(
      `INSERT INTO reviews (tenant_id, id, state, document, created_by_id, created_at, updated_at)
       SELECT $1, 'idle' || lpad(n::text, 23, '0'), 'OPEN', '{"autoCloseCampaign": true, "completionDate": "2099-01-01T00:00:00Z"}', '', now(), now()
       FROM generate_series(1, 50) n`,
      [tenantId],
    );
    // Only what reviews and tasks do is done here: what calls for other modules stays.
    const due = () =>
      db.rows(
        `SELECT kind FROM jobs WHERE state = 'WAITING' AND kind ~ '^(review|task)s?[.]'
         UNION ALL SELECT kind FROM jobs WHERE state = 'CALLED' AND run_at < now() AND kind ~ '^(review|task)s?[.]'`,
        [],
      );
    await expect.poll(due, { timeout: 90_000 }).toEqual([]);
    // What other modules do now and then may come in between once, what looked at reviews would every time.
    const readMeanwhile = async (): Promise<number> => {
      const before = await readsOfReviews();
      await delay(3000);
      return (await readsOfReviews()) - before;
    };
    await expect.poll(readMeanwhile, { timeout: 150_000 }).toBe(0);
  });
});
