/**
 * Reviews over the domino data in the states of their run, and what became of their tasks: for the tests of prepare, start, close and what
 * happens in between. Each file gets a database of its own, with a runner beside it.
 */
import { afterAll, beforeAll } from 'vitest';
import type { JsonObject } from '@bufbuild/protobuf';
import { prepareReview } from '../../src/governance/reviews/life/prepare.ts';
import { startReview } from '../../src/governance/reviews/life/start.ts';
import type { ReviewRow } from '../../src/governance/reviews/record/store.ts';
import type { Context } from '../../src/context.ts';
import { openReviewTest, type ReviewTest } from './review.ts';
import { actorOf } from './tenants.ts';

/** Number of a review's tasks ended so. */
export interface Count {
  readonly state: string;
  readonly outcome: string;
  readonly endReason: string;
  readonly count: number;
}

/** The approval of a task as `decideTask` takes it. */
export const approve = (taskId: string) => ({ taskId, decision: 'APPROVE' as const, comment: '', policyStepId: '' });

/** Tools of the tests. */
export class ReviewRun {
  test!: ReviewTest;

  /** The choice of the one app there is. */
  readonly app = (): JsonObject => ({ singleApp: { appId: this.test.appId } });
  /** A Basic User as the caller of a rule. */
  readonly as = (userId: string): Context => ({ ...this.test.admin(), actor: actorOf(userId) });
  /** A prepared review of all the app, with these members besides. */
  readonly staged = async (document: object = {}): Promise<ReviewRow> => {
    const review = await this.test.draft({ ...this.app(), ...document });
    await prepareReview(this.test.admin(), review.id);
    return this.test.until(review.id, 'REVIEW', 'PENDING');
  };
  /** One that was started. */
  readonly opened = async (document: object = {}): Promise<ReviewRow> => {
    const review = await this.staged(document);
    await startReview(this.test.admin(), review.id);
    return this.test.until(review.id, 'OPEN');
  };
  /** Ends of its tasks so far. */
  readonly outcomes = (reviewId: string): Promise<Count[]> =>
    this.test.admin().db.rows<Count>(
      `SELECT t.state, t.outcome, t.end_reason AS "endReason", count(*) AS count FROM tasks t WHERE t.tenant_id = $1 AND t.review_id = $2
       GROUP BY 1, 2, 3 ORDER BY 3`,
      [this.test.ours.tenant.id, reviewId],
    );
  /** The kinds of its events in order. */
  readonly events = async (reviewId: string): Promise<string[]> => {
    const sql = 'SELECT e.kind FROM events e WHERE e.tenant_id = $1 AND e.target_id = $2 ORDER BY e.id';
    return (await this.test.admin().db.rows<{ kind: string }>(sql, [this.test.ours.tenant.id, reviewId])).map((row) => row.kind);
  };
  /** Its first task that is open, and who is asked. */
  readonly someTask = (reviewId: string): Promise<{ id: string; reviewerId: string }> =>
    this.test.admin().db.one(
      `SELECT t.id, s.user_ids[1] AS "reviewerId" FROM tasks t JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id
       WHERE t.tenant_id = $1 AND t.review_id = $2 AND t.state = 'OPEN' ORDER BY t.id LIMIT 1`,
      [this.test.ours.tenant.id, reviewId],
    );
}

/** Opens it before the tests of a file. */
export function useReviewRun(): ReviewRun {
  const run = new ReviewRun();
  beforeAll(async () => {
    run.test = await openReviewTest();
  });
  afterAll(() => run.test.close());
  return run;
}
