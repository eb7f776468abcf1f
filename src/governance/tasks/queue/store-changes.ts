/**
 * SQL of what others did lately to somebody's tasks of a review: what ended, found by the reviewer set and the time, and what moved to or from
 * them, found among the review's last actions.
 */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { nameAtSql } from '../../../foundation/directory/index.ts';
import { type EndReason, getMayDecideSql, type TaskOutcome } from '../task/index.ts';
import type { QueueOf } from './store-queue.ts';

/** Happening to a task. */
export type ChangeKind = 'DECIDED' | 'ENDED' | 'MOVED_AWAY' | 'ASKED';

/** The last change of a task. */
export interface ChangeRow {
  readonly taskId: string;
  readonly kind: ChangeKind;
  readonly at: Date;
  readonly actorId: string | null;
  readonly actor: string | null;
  /** Another person who issued what it was done through; null for nobody. */
  readonly issuerId: string | null;
  readonly issuer: string | null;
  readonly outcome: TaskOutcome;
  readonly endReason: EndReason;
  /** The people it asks now, where it moved away. */
  readonly asked: readonly string[];
}

/** The last change of each of the caller's tasks since a moment, by time; `id` is before every action since then. What the caller did is among them for `own`. */
export function listChanges(
  { db, tenantId, actor }: Context,
  { reviewId, userIds, delegable }: QueueOf,
  since: { readonly at: Date; readonly id: string; readonly own: boolean },
  limit: number,
): Promise<ChangeRow[]> {
  const me = actor.userId;
  const mayDecide = (set: string, step: string): Sql =>
    getMayDecideSql(tenantId, actor, sql`${fixed(set)}.is_own`, sql`t.route_no || '/' || ${fixed(step)}.step = ANY (${delegable})`);
  return db.rows<ChangeRow>(
    sql`WITH sets AS MATERIALIZED (
      SELECT m.assignment_id, bool_or(m.user_id = ${me}) AS is_own FROM task_assignment_members m
      WHERE m.tenant_id = ${tenantId} AND m.user_id = ANY (${userIds}) AND m.review_id = ${reviewId} GROUP BY m.assignment_id),
    ended AS (
      SELECT t.id, CASE WHEN t.decided_by_id IS NULL THEN 'ENDED' ELSE 'DECIDED' END AS kind, t.ended_at AS at, t.decided_by_id AS actor_id,
        nullif(t.decided_issuer_id, t.decided_by_id) AS issuer_id, t.outcome,
        t.end_reason, NULL AS assignment_id
      FROM sets s CROSS JOIN LATERAL (
        SELECT t.* FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.assignment_id = s.assignment_id AND t.ended_at >= ${since.at} AND t.end_reason NOT IN ('SKIPPED_AT_CLOSE', 'REVOKED_AT_CLOSE', 'NO_ACTION_AT_CLOSE')
        ORDER BY t.ended_at DESC LIMIT ${limit}) t
      WHERE t.review_id = ${reviewId} AND (${since.own} OR t.decided_by_id IS DISTINCT FROM ${me}) AND ${mayDecide('s', 't')}),
    moved AS (
      SELECT t.id, CASE WHEN c.assignment_id IS NULL THEN 'MOVED_AWAY' ELSE 'ASKED' END AS kind, x.created_at AS at, x.actor_id,
        nullif(x.issuer_id, x.actor_id) AS issuer_id, t.outcome,
        t.end_reason, t.assignment_id
      FROM task_actions x JOIN tasks t ON t.tenant_id = ${tenantId} AND t.id = x.task_id AND t.state = 'OPEN'
      LEFT JOIN sets c ON c.assignment_id = t.assignment_id AND ${mayDecide('c', 't')}
      LEFT JOIN sets f ON f.assignment_id = x.data ->> 'assignmentId' AND ${mayDecide('f', 'x')}
      WHERE x.tenant_id = ${tenantId} AND x.review_id = ${reviewId} AND x.id >= ${since.id} AND (${since.own} OR x.actor_id <> ${me})
        AND x.kind NOT IN ('COMMENTED', 'REMINDED')
        AND (c.assignment_id IS NULL AND f.assignment_id IS NOT NULL
          OR c.assignment_id IS NOT NULL AND (f.assignment_id IS NULL OR x.kind IN ('RESTARTED', 'HARD_RESET')))
      ORDER BY x.id DESC LIMIT ${limit})
    SELECT l.id AS "taskId", l.kind, l.at, nullif(l.actor_id, '') AS "actorId", l.outcome, l.end_reason AS "endReason",
      ${nameAtSql(tenantId, 'l.actor_id', 'l.at')} AS actor,
      nullif(l.issuer_id, '') AS "issuerId",
      ${nameAtSql(tenantId, 'l.issuer_id', 'l.at')} AS issuer,
      CASE WHEN l.kind = 'MOVED_AWAY' THEN ARRAY(SELECT coalesce(nullif(u.display_name, ''), u.email) FROM task_assignment_members m
        JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = m.user_id
        WHERE m.tenant_id = ${tenantId} AND m.assignment_id = l.assignment_id ORDER BY u.display_name, u.id LIMIT 10) ELSE '{}' END AS asked
    FROM (SELECT DISTINCT ON (n.id) n.* FROM (SELECT * FROM ended UNION ALL SELECT * FROM moved) n ORDER BY n.id, n.at DESC) l
    ORDER BY l.at, l.id LIMIT ${limit}`,
  );
}
