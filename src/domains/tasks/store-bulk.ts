/**
 * SQL over all tasks of a review: making them from a snapshot, ending those nobody decided, removing them again. Each statement works on
 * a bounded piece and costs in proportion to it; the caller goes on behind the key it returns.
 */
import { type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { takeNumbers } from '../tenants/index.ts';
import type { TasksState, EndReason, TaskOutcome } from './task.ts';

/** Adds a hidden review, or makes the one that is there hidden again with these managers. */
export async function insertTaskReview(context: Context, reviewId: string, managerIds: readonly string[]): Promise<void> {
  await context.db.run(
    `INSERT INTO task_reviews (tenant_id, id, state, manager_ids, created_at, updated_at) VALUES ($1, $2, 'HIDDEN', $3, $4, $4)
     ON CONFLICT (tenant_id, id) DO UPDATE SET state = 'HIDDEN', manager_ids = excluded.manager_ids, updated_at = excluded.updated_at`,
    [context.tenantId, reviewId, managerIds, context.now],
  );
}

/** Sets the state of a review; false where there is none. */
export async function updateTasksState(context: Context, reviewId: string, state: TasksState): Promise<boolean> {
  const changed = await context.db.run('UPDATE task_reviews SET state = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2', [
    context.tenantId,
    reviewId,
    state,
    context.now,
  ]);
  return changed > 0;
}

/** Sets who may see and decide every task of a review. */
export async function updateTaskManagers(context: Context, reviewId: string, managerIds: readonly string[]): Promise<void> {
  await context.db.run('UPDATE task_reviews SET manager_ids = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2', [
    context.tenantId,
    reviewId,
    managerIds,
    context.now,
  ]);
}

/** Where a piece of work over a snapshot stands: behind this account of this app. */
export interface AccountKey {
  readonly appId: string;
  readonly accountId: string;
}

/** The last of the next `accounts` accounts of a snapshot behind `after`, or undefined where there are none. */
export function findChunkEnd(context: Context, reviewId: string, after: AccountKey, accounts: number): Promise<AccountKey | undefined> {
  return context.db.maybe<AccountKey>(
    `SELECT c.app_id AS "appId", c.account_id AS "accountId" FROM (
       SELECT a.app_id, a.account_id FROM review_accounts a
       WHERE a.tenant_id = $1 AND a.review_id = $2 AND (a.app_id, a.account_id) > ($3, $4)
       ORDER BY a.app_id, a.account_id LIMIT $5) c
     ORDER BY c.app_id DESC, c.account_id DESC LIMIT 1`,
    [context.tenantId, reviewId, after.appId, after.accountId, accounts],
  );
}

/** What a piece of bulk work did: how many rows, and a SHA-256 over which, for its event. */
export interface BulkResult {
  readonly count: number;
  readonly digest: string;
}

/**
 * The plan of a piece must not depend on what the planner believes. It takes a range of accounts for one row, and a generic plan knows the
 * range even less: both end in loops over everything. So what is looked up by index (grants of an account, reviewers of a subject) is
 * written so that nothing else can be done, and what is left is joined by hash.
 */
const pieceSettings = `SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_nestloop = off; SET LOCAL jit = off; SET LOCAL work_mem = '32MB'`;

/**
 * Makes one task for each grant that the accounts of a snapshot from `after` (exclusive) to `end` (inclusive) held at `revision`, of the
 * entitlements in the snapshot. The caller does each piece once, its place kept in the same transaction: a second time would break on
 * tasks_one_per_grant (ON CONFLICT would let it pass, for a third more time). `numericId` counts on under the lock of its counter. Changes
 * planner settings until the transaction ends. `condition` narrows which grants `g` become tasks.
 * The digest is over account/entitlement in the order of the tasks: rows are returned as they were inserted, which prepare.test.ts holds it to.
 */
export async function insertTasksFromSnapshot(
  context: Context,
  reviewId: string,
  revision: number,
  piece: { after: AccountKey; end: AccountKey; idPrefix: string },
  condition: Sql,
): Promise<BulkResult> {
  const { tenantId, now } = context;
  await context.db.run(pieceSettings);
  const base = await takeNumbers(context, 'task_number', 0);
  const result = await context.db.one<BulkResult>(
    sql`WITH chunk AS MATERIALIZED (
       SELECT a.app_id, a.account_id, a.user_id FROM review_accounts a
       WHERE a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND (a.app_id, a.account_id) > (${piece.after.appId}, ${piece.after.accountId}) AND (a.app_id, a.account_id) <= (${piece.end.appId}, ${piece.end.accountId})),
     held AS MATERIALIZED (
       SELECT c.app_id, c.account_id, c.user_id, h.entitlement_id, h.granted_at, h.last_used_at
       FROM chunk c CROSS JOIN LATERAL (
         SELECT g.entitlement_id, g.granted_at, g.last_used_at FROM grants g
         WHERE g.tenant_id = ${tenantId} AND g.app_id = c.app_id AND g.account_id = c.account_id
           AND g.added_revision <= ${revision} AND (g.removed_revision IS NULL OR g.removed_revision > ${revision}) AND (${condition}) OFFSET 0) h),
     items AS MATERIALIZED (
       SELECT h.*, e.policy_id FROM held h
       JOIN review_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.app_id = h.app_id AND e.entitlement_id = h.entitlement_id),
     asked AS MATERIALIZED (
       SELECT s.app_id, s.user_key, s.policy_id, (
         SELECT r.assignment_id FROM task_subject_assignments r
         WHERE r.tenant_id = ${tenantId} AND r.review_id = ${reviewId} AND r.policy_id = s.policy_id AND r.app_id = s.app_id AND r.user_id = s.user_key) AS assignment_id
       FROM (SELECT DISTINCT i.app_id, coalesce(i.user_id, '') AS user_key, i.policy_id FROM items i) s),
     added AS (
       INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, user_id, policy_id, assignment_id,
         granted_at, last_used_at, created_at, updated_at)
       SELECT ${tenantId}, ${piece.idPrefix} || id_suffix(n.n), ${reviewId}, ${base} + n.n, n.app_id, n.entitlement_id, n.account_id, n.user_id, n.policy_id, n.assignment_id,
         n.granted_at, n.last_used_at, ${now}, ${now}
       FROM (
         SELECT row_number() OVER (ORDER BY i.app_id, i.account_id, i.entitlement_id) AS n, i.*, q.assignment_id
         FROM items i JOIN asked q ON q.app_id = i.app_id AND q.user_key = coalesce(i.user_id, '') AND q.policy_id = i.policy_id) n
       RETURNING account_id, entitlement_id)
     SELECT count(*) AS count, encode(sha256(coalesce(string_agg(d.account_id || '/' || d.entitlement_id, ','), '')::bytea), 'hex') AS digest
     FROM added d`,
  );
  await takeNumbers(context, 'task_number', result.count);
  return result;
}

/** Tasks of a review, open ones, and those with nobody to decide them. */
export function countTasks(context: Context, reviewId: string): Promise<{ tasks: number; open: number; unassigned: number }> {
  return context.db.one(
    `SELECT count(*) AS tasks, count(*) FILTER (WHERE t.state = 'OPEN') AS open,
       count(*) FILTER (WHERE t.state = 'OPEN' AND t.assignment_id IS NULL) AS unassigned
     FROM tasks t WHERE t.tenant_id = $1 AND t.review_id = $2`,
    [context.tenantId, reviewId],
  );
}

/**
 * Ends up to `limit` open tasks of a review behind the task id `after`. Waits for decisions under way on them and leaves what those
 * decided alone. `last` is undefined when none was left.
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
       FROM next n WHERE t.tenant_id = $1 AND t.id = n.id AND t.state = 'OPEN' RETURNING t.id)
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
  if (removed < limit) {
    for (const table of ['task_subject_assignments', 'task_assignment_members', 'task_assignments']) {
      await context.db.run(`DELETE FROM ${table} WHERE tenant_id = $1 AND review_id = $2`, [context.tenantId, reviewId]);
    }
  }
  return removed;
}

/** A reviewer set of a review with somebody in it who can no longer decide. */
export interface StaleAssignment {
  readonly id: string;
  readonly enabledIds: readonly string[];
  readonly disabledIds: readonly string[];
}

/** The next review behind this id whose batch is open and has open tasks with somebody who is disabled. */
export async function findStaleReview(context: Context, behind: string): Promise<string | undefined> {
  const row = await context.db.maybe<{ id: string }>(
    `SELECT b.id FROM task_reviews b WHERE b.tenant_id = $1 AND b.id > $2 AND b.state = 'OPEN' AND EXISTS (
       SELECT FROM task_assignments s
       JOIN task_assignment_members m ON m.tenant_id = $1 AND m.assignment_id = s.id
       JOIN users d ON d.tenant_id = $1 AND d.id = m.user_id AND d.status <> 'ENABLED'
       WHERE s.tenant_id = $1 AND s.review_id = b.id
         AND EXISTS (SELECT FROM tasks t WHERE t.tenant_id = $1 AND t.assignment_id = s.id AND t.state = 'OPEN'))
     ORDER BY b.id LIMIT 1`,
    [context.tenantId, behind],
  );
  return row?.id;
}

/** Sets of a batch that open tasks still use and in which somebody is disabled. */
export function listStaleAssignments(context: Context, reviewId: string): Promise<StaleAssignment[]> {
  return context.db.rows<StaleAssignment>(
    `SELECT s.id, ARRAY(SELECT u.id FROM users u WHERE u.tenant_id = $1 AND u.id = ANY (s.user_ids) AND u.status = 'ENABLED' AND u.user_type = 'HUMAN' ORDER BY u.id) AS "enabledIds",
       array_agg(d.id ORDER BY d.id) AS "disabledIds"
     FROM task_assignments s
     JOIN task_assignment_members m ON m.tenant_id = $1 AND m.assignment_id = s.id
     JOIN users d ON d.tenant_id = $1 AND d.id = m.user_id AND d.status <> 'ENABLED'
     WHERE s.tenant_id = $1 AND s.review_id = $2
       AND EXISTS (SELECT FROM tasks t WHERE t.tenant_id = $1 AND t.assignment_id = s.id AND t.state = 'OPEN')
     GROUP BY s.id, s.user_ids ORDER BY s.id`,
    [context.tenantId, reviewId],
  );
}

/** Hands the open tasks of one set to another; the people reviewed who are all of the new set keep the old one. How many were handed over. */
export function updateAssignment(context: Context, fromId: string, toId: string): Promise<number> {
  return context.db.run(
    `UPDATE tasks t SET assignment_id = $3, updated_at = $4 FROM task_assignments n
     WHERE t.tenant_id = $1 AND t.assignment_id = $2 AND t.state = 'OPEN' AND n.tenant_id = $1 AND n.id = $3
       AND (t.user_id IS NULL OR n.user_ids <> ARRAY[t.user_id])`,
    [context.tenantId, fromId, toId, context.now],
  );
}
