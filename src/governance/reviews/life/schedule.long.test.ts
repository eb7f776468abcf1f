/** A year of reviews that start and close by date, with outages of up to three weeks: each starts once and closes once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openReviewTest, type ReviewTest } from '../../../../test/support/review.ts';

const day = 86_400_000;
const began = Date.parse('2027-01-01T08:00:00Z');
let now = began;
let test: ReviewTest;
beforeAll(async () => {
  test = await openReviewTest('domino', () => new Date(now));
});
afterAll(() => test.close());

/** Counts reviews or jobs about them that are due, or could not be looked at yet. */
const waiting = async (): Promise<number> => {
  const { count } = await test.admin().db.one<{ count: number }>(
    `SELECT (SELECT count(*) FROM jobs j WHERE j.state IN ('CALLED', 'WAITING') AND j.run_at <= $1 AND j.kind LIKE 'review%')
       + (SELECT count(*) FROM reviews r WHERE r.tenant_id = $2 AND r.next_at <= $1) AS count`,
    [new Date(now), test.ours.tenant.id],
  );
  return count;
};

it('starts and closes twelve reviews, each once, whenever the service was there', async () => {
  const ids: string[] = [];
  for (let month = 0; month < 12; month++) {
    const at = (days: number) => new Date(began + days * day).toISOString();
    const dates = { scheduledStartDate: at(1 + month * 30), completionDate: at(31 + month * 30) };
    const review = await test.draft({ singleApp: { appId: test.appId }, autoStartCampaign: true, autoCloseCampaign: true, ...dates });
    ids.push(review.id);
  }
  const outages = [1, 3, 21, 2, 7, 14, 1, 20];
  for (let step = 0; now < began + 400 * day; step++) {
    now += (outages[step % outages.length] ?? 1) * day;
    await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
  }
  const kinds = ['review.prepare_requested', 'review.prepared', 'review.started', 'review.close_requested', 'review.closed'];
  const counts = await test.admin().db.rows<{ kind: string; count: number; reviews: number }>(
    `SELECT e.kind, count(*)::int AS count, count(DISTINCT e.target_id)::int AS reviews FROM events e
     WHERE e.tenant_id = $1 AND e.target_id = ANY ($2) AND e.kind = ANY ($3) GROUP BY 1 ORDER BY 1`,
    [test.ours.tenant.id, ids, kinds],
  );
  expect(counts).toEqual([...kinds].sort().map((kind) => ({ kind, count: 12, reviews: 12 })));
});
