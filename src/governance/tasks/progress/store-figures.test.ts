/** Decision figures: every figure and flag, worked out manually, and the same against a plain model. */
import { beforeAll, describe, expect, it } from 'vitest';
import { tenant, useTaskPeople } from '../../../../test/support/task-people.ts';
import { addTasksOf } from '../../../../test/support/tasks.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { type FiguresOf, listFlaggedReviewers, listReviewerFigures, type ReviewerFigureRow } from './store-figures.ts';
import { getMask } from '../task/store-terms.ts';

const { caller, db, id } = useTaskPeople();
const start = Date.parse('2026-05-04T08:00:00.000Z');
const endsAt = new Date(start + 7_200_000);

/** A decision: seconds after the start, and what it was. */
interface Made {
  readonly at: number;
  readonly kind?: 'APPROVED' | 'DENIED' | 'AMENDED' | 'COMMENTED';
  readonly comment?: string;
  readonly stagedAt?: number;
  readonly taskId?: string;
}

const moment = (seconds: number): string => new Date(start + seconds * 1000).toISOString();
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

async function decide(reviewId: string, name: string, made: readonly Made[]): Promise<void> {
  const rows = made.map(({ at, kind = 'APPROVED', comment = '', stagedAt, taskId }, index) => ({
    id: `${reviewId}-${name}-${String(index).padStart(4, '0')}`,
    task_id: taskId ?? `task-${String(index).padStart(4, '0')}`,
    kind,
    comment,
    data: stagedAt === undefined ? {} : { stagedAt: moment(stagedAt) },
    created_at: moment(at),
  }));
  await db().run(
    `INSERT INTO task_actions (tenant_id, review_id, actor_id, step, step_generation, id, task_id, kind, comment, data, created_at)
     SELECT $1, $2, $3, 0, 0, n.id, n.task_id, n.kind, n.comment, n.data, n.created_at
     FROM jsonb_to_recordset($4) AS n (id text, task_id text, kind text, comment text, data jsonb, created_at timestamptz)`,
    [tenant, reviewId, id(name), JSON.stringify(rows)],
  );
}

/** Tasks of this score, of which it is known what stands out. */
async function addScored(reviewId: string, ids: readonly string[], score: number, flags = getMask('JUDGED')): Promise<void> {
  await db().run(
    `INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, policy_id, score, flags, created_at, updated_at)
     SELECT $1, t.id, $2, $4 * 100 + t.n, 'app', 'right-' || t.id, 'account', 'policy', $4, $5, now(), now() FROM unnest($3::text[]) WITH ORDINALITY AS t (id, n)`,
    [tenant, reviewId, ids, score, flags],
  );
}

const read = (of: FiguresOf, context: Context = caller('super')): Promise<ReviewerFigureRow[]> =>
  inTransaction(context, (inside) => listReviewerFigures(inside, of, undefined, 100));
const figuresOf = async (reviewId: string, name: string): Promise<ReviewerFigureRow | undefined> =>
  (await read({ reviewId, endsAt })).find(({ userId }) => userId === id(name));

/** The first `denials` of `count` decisions are denials; `every` seconds lie between two. */
const series = (count: number, every: number, denials = 0): Made[] =>
  upTo(count).map((n) => ({ at: n * every, kind: n < denials ? 'DENIED' : 'APPROVED' }));

describe('figures of reviewers', () => {
  let reviewId: string;
  beforeAll(async () => {
    reviewId = await addTasksOf(db(), tenant);
    await decide(reviewId, 'ann', series(30, 2));
    await decide(reviewId, 'ben', series(30, 40, 5));
    // Fast and careful: it denies, it comments, and it takes its time about what needs any.
    await decide(
      reviewId,
      'owner',
      upTo(60).map((n) => ({ at: n * 4, kind: n % 8 === 0 ? 'DENIED' : 'APPROVED', comment: `Checked ${n}.` })),
    );
    // 40 of 50 at once, the others alone; none of the gaps of nothing counts.
    await decide(reviewId, 'target', [
      ...upTo(40).map(() => ({ at: 100, comment: 'All fine.' })),
      ...upTo(10).map((n) => ({ at: 1000 + 60 * n, comment: 'All fine.' })),
    ]);
    // The last hour begins at 3600; what came after the end is not in it.
    await decide(
      reviewId,
      'stranger',
      upTo(50).map((n) => ({ at: n < 9 ? n * 100 : n === 9 ? 7201 : 3500 + n * 10, comment: `${n}` })),
    );
    await addScored(reviewId, ['deny-0', 'deny-1', 'deny-2', 'deny-3', 'deny-4', 'deny-5', 'deny-6'], 60);
    await addScored(reviewId, ['look'], 59);
    await addScored(reviewId, ['old'], 99, 0);
    await decide(reviewId, 'decider', [
      ...upTo(4).map((n) => ({ at: n * 50, taskId: `deny-${n}` })),
      { at: 250, taskId: 'deny-4', comment: ' ' },
      { at: 300, taskId: 'deny-5', comment: 'They need it until June.' },
      { at: 350, taskId: 'deny-6', kind: 'DENIED' },
      { at: 400, taskId: 'look' },
      { at: 450, taskId: 'old' },
    ]);
  });

  it('flag thirty approvals two seconds apart, and not thirty decisions forty seconds apart', async () => {
    expect(await figuresOf(reviewId, 'ann')).toMatchObject({
      decisions: 30,
      approvals: 30,
      approvalRate: 1,
      secondsPerDecision: 2,
      longestRun: 30,
      bulkShare: 0,
      lastHourShare: 0,
      againstAdvice: 0,
      flags: ['RUBBER_STAMP'],
    });
    const ben = await figuresOf(reviewId, 'ben');
    expect(ben).toMatchObject({ decisions: 30, approvals: 25, secondsPerDecision: 40, longestRun: 25, flags: [] });
    expect(ben?.approvalRate).toBeCloseTo(25 / 30);
  });

  it('leave a careful fast reviewer alone', async () => {
    expect(await figuresOf(reviewId, 'owner')).toMatchObject({ decisions: 60, secondsPerDecision: 4, longestRun: 7, flags: [] });
  });

  it('know what was decided many at a time, in the last hour, and against advice', async () => {
    expect(await figuresOf(reviewId, 'target')).toMatchObject({ bulkShare: 0.8, secondsPerDecision: 60, flags: ['BULK'] });
    expect(await figuresOf(reviewId, 'stranger')).toMatchObject({ lastHourShare: 0.8, flags: ['LATE'] });
    expect(await figuresOf(reviewId, 'decider')).toMatchObject({ againstAdvice: 5, flags: ['AGAINST_ADVICE'] });
    const [late] = await read({ reviewId, endsAt: undefined, userIds: [id('stranger')] });
    expect(late).toMatchObject({ lastHourShare: 0, flags: [] });
  });

  it('compare with the others who decided twenty times, oneself left out', async () => {
    // The rates of the others: 1 (ann), 5/6 (ben), 52/60 (owner), 1 (target), 1 (stranger).
    expect((await figuresOf(reviewId, 'ann'))?.othersRate).toBeCloseTo((52 / 60 + 1) / 2);
    expect((await figuresOf(reviewId, 'ben'))?.othersRate).toBe(1);
    // Of the others 2, 40, 4, 60 and 10 seconds; who decided too little is compared with all of them.
    expect((await figuresOf(reviewId, 'decider'))?.othersSeconds).toBe(10);
    expect((await figuresOf(reviewId, 'owner'))?.othersSeconds).toBe((10 + 40) / 2);
    const alone = await addTasksOf(db(), tenant);
    await decide(alone, 'ann', series(25, 5));
    expect(await read({ reviewId: alone, endsAt: undefined })).toMatchObject([{ othersRate: null, othersSeconds: null, flags: [] }]);
  });

  it('count decisions that were undone, at the time they were first staged, and nothing else', async () => {
    const other = await addTasksOf(db(), tenant);
    await decide(other, 'ann', [
      { at: 500, stagedAt: 10, taskId: 'a' },
      { at: 500, stagedAt: 30, taskId: 'b', kind: 'DENIED' },
      // Amended later: what was amended counts, the amendment is no decision of its own.
      { at: 900, taskId: 'b', kind: 'AMENDED' },
      { at: 950, taskId: 'b', kind: 'COMMENTED' },
      // After a restart the same task again, ten minutes and one second later.
      { at: 631, taskId: 'a' },
    ]);
    expect(await read({ reviewId: other, endsAt })).toMatchObject([
      { decisions: 3, approvals: 2, secondsPerDecision: 20, longestRun: 1, displayName: 'ann' },
    ]);
  });

  it('are listed by decisions, page by page, and counted by flag for the whole review', async () => {
    const names: string[] = [];
    for (let key: { decisions: number; userId: string } | undefined, more = true; more; ) {
      const after = key;
      const [row] = await inTransaction(caller('super'), (inside) => listReviewerFigures(inside, { reviewId, endsAt }, after, 1));
      more = row !== undefined;
      if (row !== undefined) {
        names.push(row.displayName);
        key = row;
      }
    }
    expect(names).toHaveLength(6);
    expect(names[0]).toBe('owner');
    expect(names.at(-1)).toBe('decider');
    const { reviewers, flagged } = await inTransaction(caller('super'), (inside) => listFlaggedReviewers(inside, { reviewId, endsAt }));
    expect(reviewers).toBe(6);
    expect(flagged.toSorted((one, other) => (one.userId < other.userId ? -1 : 1))).toEqual(
      (
        [
          ['ann', 'RUBBER_STAMP'],
          ['decider', 'AGAINST_ADVICE'],
          ['stranger', 'LATE'],
          ['target', 'BULK'],
        ] as const
      )
        .map(([name, flag]) => ({ userId: id(name), flags: [flag] }))
        .toSorted((one, other) => (one.userId < other.userId ? -1 : 1)),
    );
    expect(await read({ reviewId, endsAt }, caller('foreign super'))).toEqual([]);
  });
});
