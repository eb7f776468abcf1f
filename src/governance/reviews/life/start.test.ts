/** Starting a review: hidden tasks become visible, manually or at a date. */
import { describe, expect, it } from 'vitest';
import { approve, useReviewRun } from '../../../../test/support/review-run.ts';
import { until } from '../../../../test/support/until.ts';
import { decideTask } from '../../tasks/decisions/decide.ts';
import { resetReview } from './reset.ts';
import { changeReview } from './update.ts';
import { startReview } from './start.ts';

const run = useReviewRun();
const { as, someTask, staged } = run;

describe('starting', () => {
  it('hides the tasks until then', async () => {
    const review = await staged();
    const task = await someTask(review.id);
    await expect(decideTask(as(task.reviewerId), approve(task.id))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await startReview(run.test.admin(), review.id);
    const open = await run.test.until(review.id, 'OPEN');
    expect(open.startedAt).toBeInstanceOf(Date);
    await decideTask(as(task.reviewerId), approve(task.id));
    expect((await startReview(run.test.admin(), review.id)).state).toBe('OPEN');
  });

  it('is refused where signatures are required that nobody could give', async () => {
    const review = await staged({ signatureConfig: { requireSignature: true } });
    await expect(startReview(run.test.admin(), review.id)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('signatureConfig.meaningOfSignature'),
    });
  });

  it('happens at its date where one is set, and a reset unschedules it', async () => {
    const review = await staged({ autoStartCampaign: true, scheduledStartDate: '2099-01-01T00:00:00Z' });
    expect(review.state).toBe('PENDING');
    await until(() =>
      changeReview(run.test.admin(), review.id, { scheduledStartDate: new Date(Date.now() + 2_000).toISOString() }, undefined),
    );
    await run.test.until(review.id, 'OPEN');
    const later = await staged({ autoStartCampaign: true, scheduledStartDate: '2099-01-01T00:00:00Z' });
    expect(later.state).toBe('PENDING');
    expect((await resetReview(run.test.admin(), later.id)).state).toBe('DRAFT');
  });
});
