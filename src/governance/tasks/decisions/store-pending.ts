/** SQL of staged decisions: reading, replacing and dropping those of one person in one review. */
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/** Decision that somebody wants (`pending_decisions.decision`). */
export type PendingChoice = 'APPROVE' | 'DENY';

/** A staged decision. */
export interface PendingRow {
  readonly taskId: string;
  readonly decision: PendingChoice;
  readonly comment: string;
  readonly policyStepId: string;
  readonly certifyUntil: Date | null;
  readonly amend: boolean;
  readonly stagedAt: Date;
}

function rowsOf({ tenantId, actor }: Context, reviewId: string): Sql {
  return sql`SELECT p.task_id AS "taskId", p.decision, p.comment, p.policy_step_id AS "policyStepId", p.certify_until AS "certifyUntil",
      p.is_amendment AS amend, p.staged_at AS "stagedAt"
    FROM pending_decisions p WHERE p.tenant_id = ${tenantId} AND p.review_id = ${reviewId} AND p.user_id = ${actor.userId}`;
}

/** A page of the actor's staged decisions of a review, by task. */
export function listPendingRows(context: Context, reviewId: string, after: string, limit: number): Promise<PendingRow[]> {
  return context.db.rows<PendingRow>(sql`${rowsOf(context, reviewId)} AND p.task_id > ${after} ORDER BY p.task_id LIMIT ${limit}`);
}

/** Joins those who change tasks of a review; whether its tasks can be changed. What is locked after it comes in the order of all locks. */
export async function lockChanges({ db, tenantId }: Context, reviewId: string): Promise<boolean> {
  return (await db.one<{ isOpen: boolean }>(sql`SELECT join_task_changes(${tenantId}, ${reviewId}) AS "isOpen"`)).isOpen;
}

/** The version of the actor's staged decisions of a review: how often they were changed. */
export async function readPendingVersion({ db, tenantId, actor }: Context, reviewId: string): Promise<number> {
  const found = await db.maybeValue<number>(
    sql`SELECT l.version FROM pending_lists l WHERE l.tenant_id = ${tenantId} AND l.review_id = ${reviewId} AND l.user_id = ${actor.userId}`,
  );
  return found ?? 0;
}

/** The same, and keeps others from changing them to the end of the transaction. Behind `lockChanges`, and before tasks are locked. */
export function lockPendingVersion({ db, tenantId, actor }: Context, reviewId: string): Promise<number> {
  return db.value<number>(
    sql`INSERT INTO pending_lists AS l (tenant_id, review_id, user_id) VALUES (${tenantId}, ${reviewId}, ${actor.userId})
      ON CONFLICT (tenant_id, review_id, user_id) DO UPDATE SET version = l.version RETURNING l.version`,
  );
}

async function countChange({ db, tenantId, actor }: Context, reviewId: string): Promise<void> {
  await db.run(
    sql`INSERT INTO pending_lists AS l (tenant_id, review_id, user_id, version) VALUES (${tenantId}, ${reviewId}, ${actor.userId}, 1)
      ON CONFLICT (tenant_id, review_id, user_id) DO UPDATE SET version = l.version + 1`,
  );
}

/** All of the actor's staged decisions of a review, locked to the end of the transaction. Their number is bounded when they are staged. */
export function lockPendingRows(context: Context, reviewId: string): Promise<PendingRow[]> {
  return context.db.rows<PendingRow>(sql`${rowsOf(context, reviewId)} ORDER BY p.task_id FOR UPDATE`);
}

/** What the actor staged about these tasks of a review, by task. */
export async function mapPendingRows(
  context: Context,
  reviewId: string,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, PendingRow>> {
  const rows = await context.db.rows<PendingRow>(sql`${rowsOf(context, reviewId)} AND p.task_id = ANY (${taskIds})`);
  return new Map(rows.map((row) => [row.taskId, row]));
}

/** Replaces the actor's staged decisions of a review; those about the same task keep when they were first staged. Behind `lockPendingVersion`. */
export async function setPendingRows(context: Context, reviewId: string, rows: readonly Omit<PendingRow, 'stagedAt'>[]): Promise<void> {
  const { tenantId, actor, now } = context;
  const ids = rows.map(({ taskId }) => taskId);
  const removed = await context.db.run(
    sql`DELETE FROM pending_decisions p WHERE p.tenant_id = ${tenantId} AND p.review_id = ${reviewId} AND p.user_id = ${actor.userId}
      AND p.task_id <> ALL (${ids})`,
  );
  const written = await context.db.run(
    sql`INSERT INTO pending_decisions AS p (tenant_id, review_id, user_id, task_id, decision, comment, policy_step_id, certify_until, is_amendment, staged_at)
      SELECT ${tenantId}, ${reviewId}, ${actor.userId}, n."taskId", n.decision, n.comment, n."policyStepId", n."certifyUntil", n.amend, ${now}
      FROM jsonb_to_recordset(${JSON.stringify(rows)})
        AS n ("taskId" text, decision text, comment text, "policyStepId" text, "certifyUntil" timestamptz, amend boolean)
      ON CONFLICT (tenant_id, review_id, user_id, task_id) DO UPDATE SET decision = excluded.decision, comment = excluded.comment,
        policy_step_id = excluded.policy_step_id, certify_until = excluded.certify_until, is_amendment = excluded.is_amendment
        WHERE (p.decision, p.comment, p.policy_step_id, p.certify_until, p.is_amendment)
          IS DISTINCT FROM (excluded.decision, excluded.comment, excluded.policy_step_id, excluded.certify_until, excluded.is_amendment)`,
  );
  if (removed + written > 0) {
    await countChange(context, reviewId);
  }
}

/** Removes the actor's staged decisions about these tasks of a review. Behind `lockPendingVersion`. */
export async function removePendingRows(context: Context, reviewId: string, taskIds: readonly string[]): Promise<void> {
  const { tenantId, actor } = context;
  const removed = await context.db.run(
    sql`DELETE FROM pending_decisions p WHERE p.tenant_id = ${tenantId} AND p.review_id = ${reviewId} AND p.user_id = ${actor.userId}
      AND p.task_id = ANY (${taskIds})`,
  );
  if (removed > 0) {
    await countChange(context, reviewId);
  }
}

/** Removes up to `limit` staged decisions of a review that is over, whoever's they are, and counts them there. How many went. */
export function removePendingOf({ db, tenantId }: Context, reviewId: string, limit: number): Promise<number> {
  return db.value<number>(
    sql`WITH gone AS (
        DELETE FROM pending_decisions p USING (
          SELECT x.user_id, x.task_id FROM pending_decisions x WHERE x.tenant_id = ${tenantId} AND x.review_id = ${reviewId} LIMIT ${limit}) y
        WHERE p.tenant_id = ${tenantId} AND p.review_id = ${reviewId} AND p.user_id = y.user_id AND p.task_id = y.task_id RETURNING p.task_id),
      counted AS (
        UPDATE task_reviews b SET dropped_pending = b.dropped_pending + (SELECT count(*) FROM gone)
        WHERE b.tenant_id = ${tenantId} AND b.id = ${reviewId} AND EXISTS (SELECT FROM gone))
      SELECT count(*) AS removed FROM gone`,
  );
}

/** Counts staged decisions a review's close found and dropped. */
export async function countDroppedPending({ db, tenantId }: Context, reviewId: string): Promise<number> {
  const found = await db.maybeValue<number>(
    sql`SELECT b.dropped_pending AS count FROM task_reviews b WHERE b.tenant_id = ${tenantId} AND b.id = ${reviewId}`,
  );
  return found ?? 0;
}
