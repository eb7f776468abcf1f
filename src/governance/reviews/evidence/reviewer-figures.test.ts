/** Figures of reviewers beside those of the review before, when the time to decide was over, and who reads them. */
import { describe, expect, it } from 'vitest';
import { statusOf, tenant, useTaskPeople } from '../../../../test/support/task-people.ts';
import { addTasksOf } from '../../../../test/support/tasks.ts';
import { readReviewerFigures } from './reviewer-figures.ts';

const { caller, db, id } = useTaskPeople();
const start = Date.parse('2026-05-04T08:00:00.000Z');

/** A review owned by owner in which ann approved `count` items, `every` seconds apart. */
async function decided(count: number, every: number, more: { due?: number; closed?: number; after?: string } = {}): Promise<string> {
  const reviewId = await addTasksOf(db(), tenant);
  const { due, closed, after } = more;
  const at = (seconds: number | undefined): string | null =>
    seconds === undefined ? null : new Date(start + seconds * 1000).toISOString();
  await db().run(
    `UPDATE reviews SET predecessor_id = $3, closed_at = $4, document = jsonb_build_object('completionDate', $5::text) WHERE tenant_id = $1 AND id = $2`,
    [tenant, reviewId, after ?? null, at(closed), at(due) ?? ''],
  );
  await db().run(`INSERT INTO review_owners (tenant_id, review_id, user_id, created_at) VALUES ($1, $2, $3, now())`, [
    tenant,
    reviewId,
    id('owner'),
  ]);
  await db().run(
    `INSERT INTO task_actions (tenant_id, review_id, actor_id, step, step_generation, id, task_id, kind, created_at)
     SELECT $1, $2, $3, 0, 0, $2 || n, 'task-' || n, 'APPROVED', $4::timestamptz + n * $5 * interval '1 second' FROM generate_series(0, $6 - 1) n`,
    [tenant, reviewId, id('ann'), at(0), every, count],
  );
  return reviewId;
}

const read = (reviewId: string, name = 'owner') => readReviewerFigures(caller(name), reviewId, undefined, 10);

describe('figures of reviewers', () => {
  it('stand beside those of the same person in the review before', async () => {
    const first = await decided(10, 30);
    const second = await decided(30, 2, { after: first });
    expect(await read(second)).toMatchObject([
      { decisions: 30, flags: ['RUBBER_STAMP'], before: { decisions: 10, approvalRate: 1, secondsPerDecision: 30 } },
    ]);
    await db().run(`UPDATE reviews SET state = 'DELETED' WHERE tenant_id = $1 AND id = $2`, [tenant, first]);
    expect(await read(second)).toMatchObject([{ before: null }]);
  });

  it('count the last hour before the due date or the close, whichever comes first', async () => {
    const shareOf = async (more: object): Promise<number | undefined> => (await read(await decided(50, 100, more)))[0]?.lastHourShare;
    // The last of fifty was made after 4,900 seconds.
    expect(await shareOf({})).toBe(0);
    expect(await shareOf({ closed: 4900 })).toBe(37 / 50);
    expect(await shareOf({ due: 4900, closed: 9000 })).toBe(37 / 50);
    expect(await shareOf({ due: 9000, closed: 3600 })).toBe(37 / 50);
    expect(await shareOf({ due: 99_000 })).toBe(0);
  });

  it('are for the owners of the review and those who read everything', async () => {
    const reviewId = await decided(1, 1);
    for (const [name, status] of [
      ['owner', 200],
      ['super', 200],
      ['reader', 200],
      ['stranger', 404],
      ['ann', 404],
      ['foreign super', 404],
    ] as const) {
      expect([name, await statusOf(read(reviewId, name))]).toEqual([name, status]);
    }
  });
});
