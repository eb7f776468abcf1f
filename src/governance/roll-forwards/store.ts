/**
 * SQL of roll-forwards: that they are, and what they come to (`roll_forwards`). Their lines are worked out in store-lines.ts.
 */
import type { Context } from '../../context.ts';

/** Event that a line reports (`roll_forward_lines.kind`). */
export type LineKind = 'ADDED' | 'REMOVED' | 'ENTERED_SCOPE' | 'LEFT_SCOPE';
/** Reason access ended (`roll_forward_lines.cause`); empty for what is no removal. */
export type LineCause = '' | 'DECISION' | 'EXPIRY' | 'LEAVER' | 'UNEXPLAINED';

/** State of a roll-forward, being made, there, or failed (`roll_forwards.state`). */
export type RollForwardState = 'PENDING' | 'DONE' | 'FAILED';

/** A roll-forward without its lines. */
export interface RollForwardRow {
  readonly reviewId: string;
  readonly firstId: string;
  readonly state: RollForwardState;
  readonly error: string;
  readonly firstRevision: number;
  readonly secondRevision: number;
  readonly firstCount: number;
  readonly secondCount: number;
  /** Lines by kind, removals by cause. */
  readonly counts: Readonly<Record<string, number>>;
  readonly madeAt: Date | null;
}

/** Puts a roll-forward that is to be made in place of the one there was. */
export async function insertRollForward(
  context: Context,
  row: Pick<RollForwardRow, 'reviewId' | 'firstId' | 'firstRevision' | 'secondRevision'>,
): Promise<void> {
  await context.db.run(
    `INSERT INTO roll_forwards (tenant_id, review_id, first_id, state, first_revision, second_revision, created_by_id, created_at)
     VALUES ($1, $2, $3, 'PENDING', $4, $5, $6, $7)
     ON CONFLICT (tenant_id, review_id) DO UPDATE SET first_id = excluded.first_id, state = 'PENDING', error = '', made_at = NULL, counts = '{}',
       first_revision = excluded.first_revision, second_revision = excluded.second_revision, first_count = 0, second_count = 0,
       created_by_id = excluded.created_by_id, created_at = excluded.created_at`,
    [context.tenantId, row.reviewId, row.firstId, row.firstRevision, row.secondRevision, context.actor.userId, context.now],
  );
}

/** The roll-forward of a review; undefined where none was asked for. */
export function findRollForward(context: Context, reviewId: string): Promise<RollForwardRow | undefined> {
  return context.db.maybe<RollForwardRow>(
    `SELECT r.review_id AS "reviewId", r.first_id AS "firstId", r.state, r.error, r.first_revision AS "firstRevision",
       r.second_revision AS "secondRevision", r.first_count AS "firstCount", r.second_count AS "secondCount", r.counts, r.made_at AS "madeAt"
     FROM roll_forwards r WHERE r.tenant_id = $1 AND r.review_id = $2`,
    [context.tenantId, reviewId],
  );
}

/** Keeps what a roll-forward came to: its lines are there. */
export async function updateRollForwardDone(context: Context, reviewId: string): Promise<void> {
  await context.db.run(
    `UPDATE roll_forwards r SET state = 'DONE', made_at = $3,
       first_count = (SELECT count(*) FROM tasks_public t WHERE t.tenant_id = $1 AND t.review_id = r.first_id),
       second_count = (SELECT count(*) FROM tasks_public t WHERE t.tenant_id = $1 AND t.review_id = r.review_id),
       counts = coalesce((SELECT jsonb_object_agg(c.name, c.count) FROM (
         SELECT l.kind || CASE WHEN l.cause = '' THEN '' ELSE '_' || l.cause END AS name, count(*) AS count
         FROM roll_forward_lines l WHERE l.tenant_id = $1 AND l.review_id = $2 GROUP BY 1) c), '{}')
     WHERE r.tenant_id = $1 AND r.review_id = $2`,
    [context.tenantId, reviewId, context.now],
  );
}

/** Marks a roll-forward as failed for good. */
export async function updateRollForwardFailed(context: Context, reviewId: string, error: string): Promise<void> {
  await context.db.run(`UPDATE roll_forwards SET state = 'FAILED', error = $3 WHERE tenant_id = $1 AND review_id = $2`, [
    context.tenantId,
    reviewId,
    error,
  ]);
}
