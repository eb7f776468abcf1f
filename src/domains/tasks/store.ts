/**
 * SQL for single tasks and pages of them: reading with everything a view needs, and the one statement that changes a task together with
 * its actions and its event. Search is in store-search.ts, audits in store-audits.ts, submissions in store-submit.ts.
 */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import type { EventInsert } from '../audit/index.ts';
import type { ActionData, ActionKind, TaskRow } from './task.ts';

/** The columns of a TaskRow; the joins below belong to it. Every subselect reads by primary key. */
const taskColumns = `t.id, t.review_id AS "reviewId", t.numeric_id AS "numericId", t.app_id AS "appId", t.entitlement_id AS "entitlementId",
  t.account_id AS "accountId", t.user_id AS "userId", t.policy_id AS "policyId", t.step, t.step_generation AS "stepGeneration",
  t.assignment_id AS "assignmentId", t.granted_at AS "grantedAt", t.last_used_at AS "lastUsedAt", t.state, t.outcome,
  t.end_reason AS "endReason", t.decided_by_id AS "decidedById", t.ended_at AS "endedAt", t.created_at AS "createdAt",
  t.updated_at AS "updatedAt", b.state AS "tasksState", b.manager_ids AS "managerIds",
  coalesce(s.user_ids, '{}') AS "assigneeIds", coalesce(s.reason, '') AS "assignmentReason", coalesce(s.is_fallback, false) AS "isFallback",
  p.document AS "policyDocument", coalesce(r.created_by_id, '') AS "createdById",
  (SELECT coalesce(nullif(d.display_name, ''), d.email) FROM users d WHERE d.tenant_id = $1 AND d.id = t.decided_by_id) AS "decidedByName",
  h.history, h.comments AS "commentCount",
  CASE WHEN a.account_id IS NULL THEN NULL ELSE json_build_object('externalId', a.external_id, 'accountType', a.account_type,
    'accountStatus', a.account_status, 'userDisplayName', a.user_display_name, 'userEmail', a.user_email, 'department', a.department,
    'jobTitle', a.job_title, 'employmentStatus', a.employment_status) END AS account,
  CASE WHEN e.entitlement_id IS NULL THEN NULL ELSE json_build_object('displayName', e.display_name, 'description', e.description,
    'appDisplayName', e.app_display_name, 'resourceTypeId', e.resource_type_id, 'resourceTypeDisplayName', e.resource_type_display_name,
    'resourceId', e.resource_id, 'resourceDisplayName', e.resource_display_name) END AS entitlement`;

/**
 * The actions are asked for in the order of their primary key: where a plan was made while the table was empty, every index looks as good as
 * another, and the one by review reads all actions of the tenant for each task.
 */
const taskJoins = `JOIN task_reviews b ON b.tenant_id = $1 AND b.id = t.review_id
  LEFT JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id
  LEFT JOIN review_policies p ON p.tenant_id = $1 AND p.review_id = t.review_id AND p.policy_id = t.policy_id
  LEFT JOIN reviews r ON r.tenant_id = $1 AND r.id = t.review_id
  LEFT JOIN review_accounts a ON a.tenant_id = $1 AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
  LEFT JOIN review_entitlements e
    ON e.tenant_id = $1 AND e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id
  CROSS JOIN LATERAL (
    SELECT coalesce(json_agg(json_build_object('id', o.id, 'kind', o.kind, 'step', o.step, 'stepGeneration', o.step_generation,
        'actorId', o.actor_id, 'data', o.data, 'createdAt', o.created_at) ORDER BY o.id) FILTER (WHERE o.kind <> 'COMMENTED'), '[]') AS history,
      count(*) FILTER (WHERE o.comment <> '') AS comments
    FROM (SELECT x.* FROM task_actions x WHERE x.tenant_id = $1 AND x.task_id = t.id ORDER BY x.id) o) h`;

/** The task with this id, whoever may see it, hidden ones too. */
export function findTask(context: Context, id: string): Promise<TaskRow | undefined> {
  return context.db.maybe<TaskRow>(`SELECT ${taskColumns} FROM tasks t ${taskJoins} WHERE t.tenant_id = $1 AND t.id = $2`, [
    context.tenantId,
    id,
  ]);
}

/** The tasks with these ids, in this order, hidden ones too; ids of nothing are left out. */
export async function listTasksByIds(context: Context, ids: readonly string[]): Promise<TaskRow[]> {
  if (ids.length === 0) {
    return [];
  }
  const rows = await context.db.rows<TaskRow>(
    `SELECT ${taskColumns} FROM tasks t ${taskJoins} WHERE t.tenant_id = $1 AND t.id = ANY ($2)`,
    [context.tenantId, ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * Locks a task to the end of the transaction, if it is there. Before anything else that a change of several statements writes: tasks are
 * locked before assignments everywhere, so that nobody waits in a circle.
 */
export async function lockTask(context: Context, id: string): Promise<void> {
  await context.db.rows('SELECT t.id FROM tasks t WHERE t.tenant_id = $1 AND t.id = $2 FOR UPDATE', [context.tenantId, id]);
}

/** Whether one of these people was asked by an earlier step of the task, and who was last to decide one. */
export function findFormerAssignment(
  context: Context,
  taskId: string,
  userIds: readonly string[],
): Promise<{ decidedByName: string } | undefined> {
  return context.db.maybe<{ decidedByName: string }>(
    `SELECT coalesce(nullif(u.display_name, ''), u.email, x.actor_id) AS "decidedByName"
     FROM task_actions x
     JOIN task_assignment_members m ON m.tenant_id = $1 AND m.assignment_id = x.data ->> 'assignmentId' AND m.user_id = ANY ($3)
     JOIN tasks t ON t.tenant_id = $1 AND t.id = x.task_id
     JOIN task_reviews b ON b.tenant_id = $1 AND b.id = t.review_id AND b.state <> 'HIDDEN'
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = x.actor_id
     WHERE x.tenant_id = $1 AND x.task_id = $2 AND x.kind IN ('APPROVED', 'DENIED')
     ORDER BY x.id DESC LIMIT 1`,
    [context.tenantId, taskId, userIds],
  );
}

/** What a task must still be for a change to be made, as it was read. */
export type TaskVersion = Pick<TaskRow, 'id' | 'state' | 'stepGeneration' | 'assignmentId'>;

/** All that a change may set. */
export interface TaskChange {
  readonly step: number;
  readonly stepGeneration: number;
  readonly assignmentId: string | null;
  readonly state: 'OPEN' | 'CLOSED';
  readonly outcome: string;
  readonly endReason: string;
  readonly decidedById: string | null;
  readonly decidedIssuerId: string | null;
  readonly endedAt: Date | null;
}

/** One action to add; the actor is the context's, save for ENDED, which nobody did. */
export interface NewAction {
  readonly id: string;
  readonly kind: ActionKind;
  readonly step: number;
  readonly stepGeneration: number;
  readonly comment: string;
  readonly data: ActionData;
}

/**
 * Changes a task if it still is as it was read and its review is open: task, actions and event in one statement, which is one
 * transaction and one round trip. False where it is not; nothing was written then. The row lock of the UPDATE decides between two who come
 * at once: the second waits, sees the new version and matches nothing. Neither the review's row nor any counter is written, since all
 * reviewers of a review would queue for it.
 */
export async function updateTask(
  context: Context,
  expected: TaskVersion,
  change: TaskChange,
  actions: readonly NewAction[],
  insertEvent: EventInsert,
): Promise<boolean> {
  const { actor, tenantId, now } = context;
  const row = await context.db.one<{ changed: number }>(
    sql`WITH changed AS (
       UPDATE tasks t SET step = ${change.step}, step_generation = ${change.stepGeneration}, assignment_id = ${change.assignmentId},
         state = ${change.state}, outcome = ${change.outcome}, end_reason = ${change.endReason}, decided_by_id = ${change.decidedById},
         decided_issuer_id = ${change.decidedIssuerId}, ended_at = ${change.endedAt}, updated_at = ${now}
       WHERE t.tenant_id = ${tenantId} AND t.id = ${expected.id} AND t.state = ${expected.state}
         AND t.step_generation = ${expected.stepGeneration} AND t.assignment_id IS NOT DISTINCT FROM ${expected.assignmentId}
         AND EXISTS (SELECT FROM task_reviews b WHERE b.tenant_id = ${tenantId} AND b.id = t.review_id AND b.state = 'OPEN')
       RETURNING t.id, t.review_id
     ), acted AS (
       INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, actor_id, credential_id, issuer_id, comment,
         data, created_at)
       SELECT ${tenantId}, c.id, n.id, c.review_id, n.kind, n.step, n."stepGeneration", CASE n.kind WHEN 'ENDED' THEN '' ELSE ${actor.userId} END,
         CASE n.kind WHEN 'ENDED' THEN '' ELSE ${actor.credentialId} END, CASE n.kind WHEN 'ENDED' THEN '' ELSE ${actor.issuerId} END, n.comment,
         n.data, ${now}
       FROM changed c, jsonb_to_recordset(${JSON.stringify(actions)})
         AS n (id text, kind text, step smallint, "stepGeneration" smallint, comment text, data jsonb)
     ), told AS (${insertEvent(sql`WHERE EXISTS (SELECT FROM changed)`)})
     SELECT count(*) AS changed FROM changed`,
  );
  return row.changed === 1;
}

/** Adds a comment and its event where the review is open; false where it is not. The task itself is not touched, so nobody waits for it. */
export async function insertComment(
  context: Context,
  task: Pick<TaskRow, 'id' | 'reviewId'>,
  action: NewAction,
  insertEvent: EventInsert,
): Promise<boolean> {
  const { actor, tenantId } = context;
  const row = await context.db.one<{ inserted: number }>(
    sql`WITH open AS (
       SELECT b.id FROM task_reviews b WHERE b.tenant_id = ${tenantId} AND b.id = ${task.reviewId} AND b.state = 'OPEN'
     ), acted AS (
       INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, actor_id, credential_id, issuer_id, comment,
         data, created_at)
       SELECT ${tenantId}, ${task.id}, ${action.id}, o.id, ${action.kind}, ${action.step}, ${action.stepGeneration}, ${actor.userId},
         ${actor.credentialId}, ${actor.issuerId}, ${action.comment}, ${JSON.stringify(action.data)}::jsonb, ${context.now}::timestamptz FROM open o
     ), told AS (${insertEvent(sql`WHERE EXISTS (SELECT FROM open)`)})
     SELECT count(*) AS inserted FROM open`,
  );
  return row.inserted === 1;
}
