/** Closing a review: what becomes of each task, and that no decision slips in behind it. */
import { describe, expect, it } from 'vitest';
import { approve, useReviewRun } from '../../../../test/support/review-run.ts';
import { itemsOf } from '../../../../test/support/review.ts';
import { until } from '../../../../test/support/until.ts';
import { decideTask } from '../../tasks/decisions/decide.ts';
import { changeReview } from './update.ts';
import { closeReview } from './close.ts';
import { readCounts } from '../evidence/progress.ts';

const run = useReviewRun();
const { as, opened, outcomes, someTask } = run;

describe('closing', () => {
  const table = [
    ['CLOSE_DECISION_REVOKED', '', 'DECERTIFIED', 'REVOKED_AT_CLOSE'],
    ['CLOSE_DECISION_SKIP', '', 'CANCELLED', 'SKIPPED_AT_CLOSE'],
    ['CLOSE_DECISION_NO_ACTION', '', '', 'NO_ACTION_AT_CLOSE'],
    ['CLOSE_DECISION_UNSPECIFIED', '', 'CANCELLED', 'SKIPPED_AT_CLOSE'],
    ['', 'CLOSE_DECISION_REVOKED', 'DECERTIFIED', 'REVOKED_AT_CLOSE'],
    ['CLOSE_DECISION_SKIP', 'CLOSE_DECISION_REVOKED', 'CANCELLED', 'SKIPPED_AT_CLOSE'],
  ] as const;
  it.each(table)('close %s, autoCloseDecision %s: %s, %s', async (decision, autoCloseDecision, outcome, endReason) => {
    const review = await opened(autoCloseDecision === '' ? {} : { autoCloseDecision });
    const task = await someTask(review.id);
    await decideTask(as(task.reviewerId), approve(task.id));
    await closeReview(run.test.admin(), review.id, decision);
    const closed = await run.test.until(review.id, 'CLOSED');
    expect(closed).toMatchObject({ closing: false, phase: 'CLOSE' });
    const all = itemsOf(run.test.data.grants).length;
    expect(await outcomes(review.id)).toEqual(
      expect.arrayContaining([
        { state: 'CLOSED', outcome: 'CERTIFIED', endReason: 'DECIDED', count: 1 },
        { state: 'CLOSED', outcome, endReason, count: all - 1 },
      ]),
    );
    // Again the same, or whatever it was: harmless. Something else: refused, since it would change nothing.
    const accepted = decision === '' ? autoCloseDecision : decision === 'CLOSE_DECISION_UNSPECIFIED' ? 'CLOSE_DECISION_SKIP' : decision;
    for (const again of [accepted, '', 'CLOSE_DECISION_UNSPECIFIED']) {
      expect((await closeReview(run.test.admin(), review.id, again)).state).toBe('CLOSED');
    }
    for (const other of ['CLOSE_DECISION_REVOKED', 'CLOSE_DECISION_SKIP', 'CLOSE_DECISION_NO_ACTION'].filter((one) => one !== accepted)) {
      await expect(closeReview(run.test.admin(), review.id, other)).rejects.toMatchObject({
        code: 'FAILED_PRECONDITION',
        message: expect.stringContaining(accepted),
        violations: [{ field: 'decision' }],
      });
    }
    expect(await readCounts(run.test.admin(), review.id)).toMatchObject({ total: all, undecided: 0 });
  });

  it('takes no decision from the moment it is accepted, and each task ends once', async () => {
    const review = await opened();
    const tasks = await run.test.admin().db.rows<{ id: string; reviewerId: string }>(
      `SELECT t.id, s.user_ids[1] AS "reviewerId" FROM tasks t JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id
       WHERE t.tenant_id = $1 AND t.review_id = $2 ORDER BY t.id DESC LIMIT 60`,
      [run.test.ours.tenant.id, review.id],
    );
    const [, ...results] = await Promise.all([
      closeReview(run.test.admin(), review.id, 'CLOSE_DECISION_REVOKED'),
      ...tasks.map((task) =>
        decideTask(as(task.reviewerId), approve(task.id)).then(
          () => 'certified',
          (error: { code: string }) => error.code,
        ),
      ),
    ]);
    await run.test.until(review.id, 'CLOSED');
    const certified = results.filter((result) => result === 'certified').length;
    expect(results.every((result) => ['certified', 'FAILED_PRECONDITION', 'CONFLICT'].includes(result))).toBe(true);
    const counts = await outcomes(review.id);
    expect(counts.find((count) => count.outcome === 'CERTIFIED')?.count ?? 0).toBe(certified);
    expect(counts.reduce((sum, count) => sum + count.count, 0)).toBe(itemsOf(run.test.data.grants).length);
    expect(counts.every((count) => count.state === 'CLOSED')).toBe(true);
  });

  it('happens by itself at completionDate where autoCloseCampaign is on', async () => {
    const review = await opened({
      autoCloseCampaign: true,
      autoCloseDecision: 'CLOSE_DECISION_REVOKED',
      completionDate: '2099-01-01T00:00:00Z',
    });
    await until(() => changeReview(run.test.admin(), review.id, { completionDate: new Date(Date.now() + 2_000).toISOString() }, undefined));
    await run.test.until(review.id, 'CLOSED');
    expect((await outcomes(review.id)).map((count) => count.endReason)).toEqual(['REVOKED_AT_CLOSE']);
  });
});
