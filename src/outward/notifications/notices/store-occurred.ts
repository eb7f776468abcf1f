/** SQL that reads what happened: the events about something, for the jobs that they call for. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { EventKind, EventMap } from '../../../events/index.ts';

/** An event, as far as notices need it. Those of an earlier version may lack members. */
export interface OccurredRow<K extends EventKind = EventKind> {
  readonly id: string;
  readonly kind: K;
  readonly data: Partial<EventMap[K]>;
  readonly occurredAt: Date;
}

/** Events of one kind about something since a moment, the latest ones, from the oldest of these to the newest. */
export async function listOccurred<K extends EventKind>(
  context: Context,
  kind: K,
  targetId: string,
  since: Date,
  limit: number,
): Promise<OccurredRow<K>[]> {
  const rows = await context.db.rows<OccurredRow<K>>(
    sql`SELECT e.id, e.kind, e.data, e.occurred_at AS "occurredAt" FROM events e WHERE e.tenant_id = ${context.tenantId} AND e.target_id = ${targetId} AND e.kind = ${kind}
      AND e.occurred_at >= ${since} ORDER BY e.id DESC LIMIT ${limit}`,
  );
  return rows.reverse();
}

/** The review of a task, or the removal that it is of; undefined where there is no such task. */
export function findPlaceOfTask(context: Context, taskId: string): Promise<{ reviewId: string; removalId: string | null } | undefined> {
  return context.db.maybe(
    sql`SELECT t.review_id AS "reviewId",
        (SELECT r.id FROM revocations_public r WHERE r.tenant_id = t.tenant_id AND r.revoke_task_id <> '' AND r.revoke_task_id = t.id) AS "removalId"
      FROM tasks_public t WHERE t.tenant_id = ${context.tenantId} AND t.id = ${taskId}`,
  );
}

/** True if a report was made because its review asks for one at its end. */
export async function hasAutomaticReport(context: Context, reportId: string): Promise<boolean> {
  const row = await context.db.maybe(
    sql`SELECT p.id FROM reports p WHERE p.tenant_id = ${context.tenantId} AND p.id = ${reportId} AND p.created_by_id = '' AND p.state = 'OK'`,
  );
  return row !== undefined;
}

/** True if a review has a way with more than one step: only then does a decision ask somebody else. */
export async function hasSeveralSteps(context: Context, reviewId: string): Promise<boolean> {
  const row = await context.db.maybe(
    sql`SELECT p.route_no FROM routes_public p WHERE p.tenant_id = ${context.tenantId} AND p.review_id = ${reviewId}
      AND jsonb_array_length(coalesce(p.document -> 'policySteps' -> 'certify' -> 'steps', '[]')) > 1 LIMIT 1`,
  );
  return row !== undefined;
}

/** The enabled holders of a role. */
export function listHolders(context: Context, roleId: string): Promise<string[]> {
  return context.db.column<string>(
    sql`SELECT u.id FROM roles_held r JOIN users_public u ON u.tenant_id = ${context.tenantId} AND u.id = r.user_id AND u.status = 'ENABLED'
      WHERE r.tenant_id = ${context.tenantId} AND r.role_id = ${roleId} ORDER BY u.id`,
  );
}
