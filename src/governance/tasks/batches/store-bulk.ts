/**
 * SQL over all tasks of a review that are there: ending those nobody decided, removing them again. Each statement works on
 * a bounded piece and costs in proportion to it; the caller goes on behind the key it returns.
 */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import type { SignatureTerms } from '../../../foundation/signatures/index.ts';
import type { TasksState, EndReason, TaskOutcome } from '../task/index.ts';
import { isRemovalBatchSql } from './store-removal-tasks.ts';

/** Adds a hidden review, or makes the one that is there hidden again with these managers. */
export async function insertTaskReview(context: Context, reviewId: string, managerIds: readonly string[]): Promise<void> {
  await context.db.run(
    `INSERT INTO task_reviews (tenant_id, id, state, manager_ids, created_at, updated_at) VALUES ($1, $2, 'HIDDEN', $3, $4, $4)
     ON CONFLICT (tenant_id, id) DO UPDATE SET state = 'HIDDEN', manager_ids = excluded.manager_ids, updated_at = excluded.updated_at`,
    [context.tenantId, reviewId, managerIds, context.now],
  );
}

/**
 * Sets the state of a review; false where there is none. Waits for those who change its tasks, and keeps others from it until the transaction
 * ends: so the caller has locked the review, and no tasks.
 */
export async function updateTasksState(context: Context, reviewId: string, state: TasksState): Promise<boolean> {
  await context.db.rows('SELECT stop_task_changes($1, $2)', [context.tenantId, reviewId]);
  const changed = await context.db.run('UPDATE task_reviews SET state = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2', [
    context.tenantId,
    reviewId,
    state,
    context.now,
  ]);
  return changed > 0;
}

/** Sets what the tasks of a review ask of who decides them; null for nothing. */
export async function updateSignatureTerms(context: Context, reviewId: string, terms: SignatureTerms | null): Promise<void> {
  await context.db.run('UPDATE task_reviews SET signature = $3 WHERE tenant_id = $1 AND id = $2', [
    context.tenantId,
    reviewId,
    terms === null ? null : JSON.stringify(terms),
  ]);
}

/** Sets who may see and decide every task of a review, and of the removals of what it denied. */
export async function updateTaskManagers(context: Context, reviewId: string, managerIds: readonly string[]): Promise<void> {
  await context.db.run(
    sql`UPDATE task_reviews b SET manager_ids = ${[...managerIds]}, updated_at = ${context.now}
      WHERE b.tenant_id = ${context.tenantId} AND (b.id = ${reviewId} OR ${isRemovalBatchSql(reviewId)})`,
  );
}

/** Result of a bulk piece: how many rows, and a SHA-256 over which, for its event. */
export interface BulkResult {
  readonly count: number;
  readonly digest: string;
}

/** Tasks of a review, open ones, and those whose step asks somebody and has nobody. */
export function countTasks(context: Context, reviewId: string): Promise<{ tasks: number; open: number; unassigned: number }> {
  return context.db.one(
    `SELECT count(*) AS tasks, count(*) FILTER (WHERE t.state = 'OPEN') AS open,
       count(*) FILTER (WHERE t.state = 'OPEN' AND t.assignment_id IS NULL AND NOT coalesce(r.asks_nobody, false)) AS unassigned
     FROM tasks t LEFT JOIN (
       SELECT x.route_no, s.step_no, NOT s.step ? 'approval' AS asks_nobody FROM review_routes x
       CROSS JOIN LATERAL jsonb_array_elements(x.document #> '{policySteps,certify,steps}') WITH ORDINALITY AS s (step, step_no)
       WHERE x.tenant_id = $1 AND x.review_id = $2) r ON r.route_no = t.route_no AND r.step_no = t.step + 1
     WHERE t.tenant_id = $1 AND t.review_id = $2`,
    [context.tenantId, reviewId],
  );
}

/**
 * Ends up to `limit` open tasks of a review behind the task id `after`. Waits for decisions under way on them and leaves what those
 * decided alone. `last` is undefined when none was left. The ids of a piece are told as a range, too: joined by its ids alone, each piece would read all
 * tasks there are.
 */
export function endOpenTasks(
  context: Context,
  reviewId: string,
  after: string,
  limit: number,
  end: { outcome: TaskOutcome; reason: EndReason },
): Promise<BulkResult & { last: string | null }> {
  return context.db.one(
    `WITH next AS MATERIALIZED (
       SELECT t.id FROM tasks t WHERE t.tenant_id = $1 AND t.review_id = $2 AND t.id > $3 AND t.state = 'OPEN'
       ORDER BY t.id LIMIT $4 FOR UPDATE),
     ended AS (
       UPDATE tasks t SET state = 'CLOSED', outcome = $5, end_reason = $6, ended_at = $7, updated_at = $7
       FROM next n WHERE t.tenant_id = $1 AND t.id = n.id AND t.state = 'OPEN'
         AND t.id BETWEEN (SELECT min(x.id) FROM next x) AND (SELECT max(x.id) FROM next x) RETURNING t.id)
     SELECT (SELECT count(*) FROM ended) AS count,
       (SELECT encode(sha256(coalesce(string_agg(e.id, ',' ORDER BY e.id), '')::bytea), 'hex') FROM ended e) AS digest,
       (SELECT max(n.id) FROM next n) AS last`,
    [context.tenantId, reviewId, after, limit, end.outcome, end.reason, context.now],
  );
}

/** Removes up to `limit` tasks of a hidden batch, and its reviewer sets with the last of them; how many tasks went. */
export async function removeTasks(context: Context, reviewId: string, limit: number): Promise<number> {
  const removed = await context.db.run(
    `DELETE FROM tasks t USING (SELECT x.id FROM tasks x WHERE x.tenant_id = $1 AND x.review_id = $2 ORDER BY x.id LIMIT $3) y
     WHERE t.tenant_id = $1 AND t.id = y.id`,
    [context.tenantId, reviewId, limit],
  );
  // What is left has nothing to count: no trigger does so, since all of them go.
  for (const table of ['task_progress_changes', 'task_progress']) {
    await context.db.run(`DELETE FROM ${table} WHERE tenant_id = $1 AND review_id = $2`, [context.tenantId, reviewId]);
  }
  if (removed < limit) {
    for (const table of ['task_numbers', 'review_routes', 'task_subject_assignments', 'task_assignment_members', 'task_assignments']) {
      await context.db.run(`DELETE FROM ${table} WHERE tenant_id = $1 AND review_id = $2`, [context.tenantId, reviewId]);
    }
  }
  return removed;
}
