/**
 * SQL for single tasks and pages of them: reading with everything a view needs, and the one statement that changes a task together with
 * its actions and its event. Search is in store-search.ts, audits in store-audits.ts, submissions in store-submit.ts.
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import type { EventInsert } from '../audit/index.ts';
import { getMask } from './store-terms.ts';
import type { ActionData, ActionKind, EndReason, TaskOutcome, TaskRow } from './task.ts';

/**
 * A Held of the task `t` with its review `r`; $1 is the tenant. Read for tasks alone of which it says something. What a later revision changed kept what
 * it said before.
 */
const heldColumn = `CASE WHEN t.flags & ${getMask('INHERITED', 'TEMPORARY')} <> 0 AND t.principal_kind = 'A' THEN (
    SELECT json_build_object('endsAt', g.deprovision_at,
      'ways', (SELECT count(*) FROM jsonb_array_elements(g.paths) AS w (way) WHERE w.way <> '[]'),
      'through', (SELECT json_agg(coalesce(nullif(f.display_name, ''), s.id) ORDER BY s.place)
        FROM (SELECT w.way FROM jsonb_array_elements(g.paths) WITH ORDINALITY AS w (way, place) WHERE w.way <> '[]' ORDER BY w.place LIMIT 1) w
        CROSS JOIN LATERAL jsonb_array_elements_text(w.way) WITH ORDINALITY AS s (id, place)
        LEFT JOIN entitlements f ON f.tenant_id = $1 AND f.app_id = t.app_id AND f.id = s.id))
    FROM (SELECT CASE WHEN y.revision IS NULL THEN g.deprovision_at ELSE y.deprovision_at END AS deprovision_at,
        CASE WHEN y.revision IS NULL THEN g.paths ELSE y.paths END AS paths
      FROM grants g
      LEFT JOIN LATERAL (SELECT y.revision, y.deprovision_at, y.paths FROM grant_changes y
        WHERE y.tenant_id = $1 AND y.app_id = g.app_id AND y.entitlement_id = g.entitlement_id AND y.account_id = g.account_id
          AND y.revision > r.prepared_revision AND (g.removed_revision IS NULL OR y.revision < g.removed_revision) ORDER BY y.revision LIMIT 1) y ON true
      WHERE g.tenant_id = $1 AND g.app_id = t.app_id AND g.entitlement_id = t.entitlement_id AND g.account_id = t.account_id
        AND g.added_revision <= r.prepared_revision AND (g.removed_revision IS NULL OR g.removed_revision > r.prepared_revision) LIMIT 1) g) END`;

/** The Rules that the access of the task `t` broke at the snapshot; $1 is the tenant. Snapshots of earlier releases know of none. */
const rulesColumn = `CASE WHEN t.flags & ${getMask('CONFLICT')} <> 0 THEN (
    SELECT json_agg(json_build_object('monitorId', m.id, 'displayName', m.display_name) ORDER BY m.display_name, m.id)
    FROM review_conflict_grants c JOIN conflict_monitors m ON m.tenant_id = $1 AND m.id = ANY (c.monitor_ids)
    WHERE c.tenant_id = $1 AND c.review_id = t.review_id AND c.app_id = t.app_id AND c.account_id = t.account_id
      AND c.entitlement_id = t.entitlement_id) END`;

/** A Found of the task `t` with its review `r`, account `a` and entitlement `e`; $1 is the tenant. */
const foundColumn = `json_build_object('score', t.score, 'flags', t.flags, 'peers', t.peers, 'peersWith', t.peers_with,
    'frozenAt', r.sources_frozen_at, 'riskLevel', e.risk_level_display_name, 'userStatus', a.user_status, 'managerEmail', a.manager_email,
    'source', (SELECT s.display_name FROM grants g JOIN sources s ON s.tenant_id = $1 AND s.app_id = g.app_id AND s.source_no = g.source_no
      WHERE g.tenant_id = $1 AND g.app_id = t.app_id AND g.entitlement_id = t.entitlement_id AND g.account_id = t.account_id
      ORDER BY g.added_revision DESC LIMIT 1),
    'held', ${heldColumn}, 'rules', ${rulesColumn},
    'previous', CASE WHEN t.previous_task_id IS NOT NULL THEN (
      SELECT json_build_object('taskId', w.id, 'reviewId', w.review_id, 'outcome', w.outcome, 'endReason', w.end_reason, 'decidedById', w.decided_by_id,
        'decidedByName', (SELECT coalesce(nullif(d.display_name, ''), d.email) FROM users d WHERE d.tenant_id = $1 AND d.id = w.decided_by_id),
        'endedAt', w.ended_at, 'comment', (SELECT x.comment FROM task_actions x WHERE x.tenant_id = $1 AND x.task_id = w.id
          AND x.kind IN ('APPROVED', 'DENIED', 'AMENDED') ORDER BY x.id DESC LIMIT 1),
        'accountStatus', o.account_status, 'accountType', o.account_type, 'owner', coalesce(nullif(o.user_display_name, ''), o.user_email),
        'department', o.department, 'jobTitle', o.job_title, 'managerEmail', o.manager_email, 'riskLevel', q.risk_level_display_name)
      FROM tasks w
      LEFT JOIN review_accounts o ON o.tenant_id = $1 AND o.review_id = w.review_id AND o.app_id = w.app_id AND o.account_id = w.account_id
      LEFT JOIN review_entitlements q ON q.tenant_id = $1 AND q.review_id = w.review_id AND q.app_id = w.app_id AND q.entitlement_id = w.entitlement_id
      WHERE w.tenant_id = $1 AND w.id = t.previous_task_id) END) AS found`;

/** The first entitlement of each path by which the access of the task `t` is inherited. */
const targetsColumn = `(SELECT coalesce(json_agg(DISTINCT p.path ->> 0 ORDER BY p.path ->> 0), '[]') FROM grants g
        CROSS JOIN LATERAL jsonb_array_elements(g.paths) AS p (path)
        WHERE g.tenant_id = $1 AND g.app_id = t.app_id AND g.entitlement_id = t.entitlement_id AND g.account_id = t.account_id
          AND g.removed_revision IS NULL AND g.paths IS NOT NULL AND jsonb_array_length(p.path) > 0)`;

/** The removal `v` that belongs to the task `t`, found by an index of one of its two tasks. */
const removalWhere = (isOf: string, targets: string): string =>
  `(SELECT json_build_object('id', v.id, 'state', v.state, 'reviewId', v.review_id, 'certifyTaskId', v.certify_task_id,
      'requestedById', v.requested_by_id, 'description', v.description, 'note', v.note, 'targets', ${targets},
      'residual', residual_access($1, v.app_id, v.entitlement_id, v.account_id, v.user_id))
    FROM revocations v WHERE v.tenant_id = $1 AND ${isOf} ORDER BY v.created_at DESC, v.id DESC LIMIT 1)`;

/** The columns of a TaskRow; the joins below belong to it. Every subselect reads by primary key. */
const taskColumns = `t.id, t.review_id AS "reviewId", t.numeric_id AS "numericId", t.app_id AS "appId", t.entitlement_id AS "entitlementId",
  t.account_id AS "accountId", t.principal_kind AS "principalKind", t.user_id AS "userId", t.policy_id AS "policyId", t.route_no AS "routeNo", t.step, t.step_generation AS "stepGeneration",
  t.assignment_id AS "assignmentId", t.granted_at AS "grantedAt", t.last_used_at AS "lastUsedAt", t.state, t.outcome,
  t.end_reason AS "endReason", t.decided_by_id AS "decidedById", t.ended_at AS "endedAt", t.next_at AS "nextAt", t.entered_at AS "enteredAt", t.certify_until AS "certifyUntil", t.created_at AS "createdAt",
  t.updated_at AS "updatedAt", b.state AS "tasksState", b.kind, b.manager_ids AS "managerIds",
  coalesce(s.user_ids, '{}') AS "assigneeIds", coalesce(s.reason, '') AS "assignmentReason", coalesce(s.is_fallback, false) AS "isFallback",
  p.document AS "policyDocument", coalesce(r.created_by_id, '') AS "createdById",
  (SELECT coalesce(nullif(d.display_name, ''), d.email) FROM users d WHERE d.tenant_id = $1 AND d.id = t.decided_by_id) AS "decidedByName",
  ${foundColumn}, h.history, h.comments AS "commentCount", h.asked AS "formerAssigneeIds",
  (SELECT json_object_agg(k.name, a.profile -> k.name) FROM (
      SELECT DISTINCT w.value ->> 'attributeKey' AS name FROM jsonb_array_elements(r.document #> '{reviewerAttributeConfig,bindings}') AS w (value)
      WHERE w.value ->> 'appId' = t.app_id) k WHERE a.profile ? k.name) AS "accountAttributes",
  CASE WHEN t.principal_kind = 'R' THEN
    (SELECT CASE WHEN t.state = 'OPEN' AND count(*) > 0 AND count(l.removed_revision) = count(*) THEN (
        SELECT json_build_object('syncId', v.sync_id, 'at', v.made_at) FROM inventory_revisions v
        WHERE v.tenant_id = $1 AND v.revision = max(l.removed_revision)) END
      FROM entitlements f JOIN entitlement_links l ON l.tenant_id = $1 AND l.app_id = t.app_id AND l.from_entitlement_id = f.id
        AND l.to_entitlement_id = t.entitlement_id
      WHERE f.tenant_id = $1 AND f.app_id = t.app_id AND f.resource_id = t.account_id)
    WHEN t.state = 'OPEN' AND NOT EXISTS (SELECT FROM grants g WHERE g.tenant_id = $1 AND g.app_id = t.app_id AND g.entitlement_id = t.entitlement_id
      AND g.account_id = t.account_id AND g.removed_revision IS NULL)
    THEN (SELECT json_build_object('syncId', v.sync_id, 'at', v.made_at) FROM grants g
      JOIN inventory_revisions v ON v.tenant_id = $1 AND v.revision = g.removed_revision
      WHERE g.tenant_id = $1 AND g.app_id = t.app_id AND g.entitlement_id = t.entitlement_id AND g.account_id = t.account_id
      ORDER BY g.removed_revision DESC LIMIT 1) END AS gone,
  CASE WHEN t.outcome = 'DECERTIFIED' THEN ${removalWhere("v.certify_task_id = t.id AND v.certify_task_id <> ''", "'[]'::json")}
    WHEN b.kind = 'REVOKE' THEN ${removalWhere("v.revoke_task_id = t.id AND v.revoke_task_id <> ''", targetsColumn)} END AS revocation,
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
  LEFT JOIN review_routes p ON p.tenant_id = $1 AND p.review_id = t.review_id AND p.route_no = t.route_no
  LEFT JOIN reviews r ON r.tenant_id = $1 AND r.id = t.review_id
  LEFT JOIN review_accounts a ON a.tenant_id = $1 AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
  LEFT JOIN review_entitlements e
    ON e.tenant_id = $1 AND e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id
  CROSS JOIN LATERAL (
    SELECT coalesce(json_agg(json_build_object('id', o.id, 'kind', o.kind, 'step', o.step, 'stepGeneration', o.step_generation,
        'actorId', o.actor_id, 'issuerId', o.issuer_id, 'data', o.data, 'createdAt', o.created_at) ORDER BY o.id) FILTER (WHERE o.kind <> 'COMMENTED'), '[]') AS history,
      count(*) FILTER (WHERE o.comment <> '') AS comments,
      ARRAY(SELECT DISTINCT unnest(f.user_ids) FROM task_assignments f
        WHERE f.tenant_id = $1 AND f.id = ANY (array_agg(o.data ->> 'assignmentId'))) AS asked
    FROM (SELECT x.* FROM task_actions x WHERE x.tenant_id = $1 AND x.task_id = t.id ORDER BY x.id) o) h`;

/** The task with this id, whoever may see it, hidden ones too. */
export function findTask(context: Context, id: string): Promise<TaskRow | undefined> {
  return context.db.maybe<TaskRow>(`SELECT ${taskColumns} FROM tasks t ${taskJoins} WHERE t.tenant_id = $1 AND t.id = $2`, [
    context.tenantId,
    id,
  ]);
}

/** The id of the task with this number; numbers are given once in a tenant. */
export async function findTaskIdByNumber(context: Context, numericId: number): Promise<string | undefined> {
  const row = await context.db.maybe<{ id: string }>(
    sql`SELECT t.id FROM tasks t WHERE t.tenant_id = ${context.tenantId} AND t.numeric_id = ${numericId}`,
  );
  return row?.id;
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
 * Locks a task to the end of the transaction, if it is there, behind joining those who change tasks of its review: what is read then cannot be
 * overtaken by a close. Before anything else that a change of several statements writes. The order everywhere is the review, joining
 * (join_task_changes), tasks by id, assignments, so that nobody waits in a circle.
 */
export async function lockTask(context: Context, id: string): Promise<void> {
  await context.db.rows(
    `WITH joined AS MATERIALIZED (
       SELECT x.id, join_task_changes(x.tenant_id, x.review_id) FROM tasks x WHERE x.tenant_id = $1 AND x.id = $2)
     SELECT t.id FROM joined j JOIN tasks t ON t.tenant_id = $1 AND t.id = j.id FOR UPDATE OF t`,
    [context.tenantId, id],
  );
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
     JOIN task_reviews b ON b.tenant_id = $1 AND b.id = t.review_id AND b.state NOT IN ('HIDDEN', 'CANCELLED')
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = x.actor_id
     WHERE x.tenant_id = $1 AND x.task_id = $2 AND x.kind IN ('APPROVED', 'DENIED')
     ORDER BY x.id DESC LIMIT 1`,
    [context.tenantId, taskId, userIds],
  );
}

/** What a task must still be for a change to be made, as it was read. */
export type TaskVersion = Pick<TaskRow, 'id' | 'reviewId' | 'state' | 'stepGeneration' | 'assignmentId'>;

/** When something happens to a task by itself, and when the step that this is about was entered. */
export interface Moment {
  readonly nextAt: Date | null;
  readonly enteredAt: Date | null;
}

const never: Moment = { nextAt: null, enteredAt: null };

/** All that a change may set. */
export interface TaskChange {
  readonly step: number;
  readonly stepGeneration: number;
  readonly assignmentId: string | null;
  readonly state: 'OPEN' | 'CLOSED';
  readonly outcome: TaskOutcome;
  readonly endReason: EndReason;
  readonly decidedById: string | null;
  readonly decidedIssuerId: string | null;
  readonly endedAt: Date | null;
  /** When something happens to it by itself; absent where that stays as it is. Nothing happens to a closed task. */
  readonly moment?: Moment;
  /** The route it goes on, where that is another one, and the policy that leads there. */
  readonly route?: { readonly routeNo: number; readonly policyId: string };
  /** Until when alone it is certified; absent for no such date. */
  readonly certifyUntil?: Date | null;
}

/** One action to add; the actor is the context's, save for an end that nobody brought about. */
export interface NewAction {
  readonly id: string;
  readonly kind: ActionKind;
  readonly step: number;
  readonly stepGeneration: number;
  readonly comment: string;
  readonly data: ActionData;
}

/** A fact about the actor of an action `n`; '' where nobody did it: a task ends by itself unless somebody cancels it. */
export function getForActor(value: string): Sql {
  return sql`CASE WHEN n.kind = 'ENDED' AND n.data ->> 'reason' IS DISTINCT FROM 'CANCELLED' OR n.data ->> 'bySystem' = 'true' THEN '' ELSE ${value} END`;
}

/**
 * Changes a task if it still is as it was read and its review is open: task, actions and event in one statement, which is one
 * transaction and one round trip. False where it is not; nothing was written then. It joins those who change tasks of the review before it
 * touches a row, so that a close waits for it or keeps it out. The row lock of the UPDATE decides between two who come at once: the second
 * waits, sees the new version and matches nothing. Neither the review's row nor any counter is written, since all reviewers of a review
 * would queue for it.
 */
export async function updateTask(
  context: Context,
  expected: TaskVersion,
  change: TaskChange,
  actions: readonly NewAction[],
  insertEvent: EventInsert,
): Promise<boolean> {
  const { actor, tenantId, now } = context;
  const moment = change.state === 'CLOSED' ? never : change.moment;
  const row = await context.db.one<{ changed: number }>(
    sql`WITH joined AS MATERIALIZED (SELECT join_task_changes(${tenantId}, ${expected.reviewId}) AS is_open),
     changed AS (
       UPDATE tasks t SET step = ${change.step}, step_generation = ${change.stepGeneration}, assignment_id = ${change.assignmentId},
         state = ${change.state}, outcome = ${change.outcome}, end_reason = ${change.endReason}, decided_by_id = ${change.decidedById},
         decided_issuer_id = ${change.decidedIssuerId}, ended_at = ${change.endedAt}, certify_until = ${change.certifyUntil ?? null}, updated_at = ${now},
         next_at = ${moment === undefined ? sql`t.next_at` : sql`${moment.nextAt}`}, entered_at = ${moment === undefined ? sql`t.entered_at` : sql`${moment.enteredAt}`},
         route_no = ${change.route === undefined ? sql`t.route_no` : sql`${change.route.routeNo}`}, policy_id = ${change.route === undefined ? sql`t.policy_id` : sql`${change.route.policyId}`}
       FROM joined j
       WHERE j.is_open AND t.tenant_id = ${tenantId} AND t.id = ${expected.id} AND t.state = ${expected.state}
         AND t.step_generation = ${expected.stepGeneration} AND t.assignment_id IS NOT DISTINCT FROM ${expected.assignmentId}
         AND t.review_id = ${expected.reviewId}
       RETURNING t.id, t.review_id
     ), acted AS (
       INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, actor_id, credential_id, issuer_id, comment,
         data, created_at)
       SELECT ${tenantId}, c.id, n.id, c.review_id, n.kind, n.step, n."stepGeneration", ${getForActor(actor.userId)}, ${getForActor(actor.credentialId)},
         ${getForActor(actor.issuerId)}, n.comment, n.data, ${now}
       FROM changed c, jsonb_to_recordset(${JSON.stringify(actions)})
         AS n (id text, kind text, step smallint, "stepGeneration" smallint, comment text, data jsonb)
     ), told AS (${insertEvent(sql`WHERE EXISTS (SELECT FROM changed)`)})
     SELECT count(*) AS changed FROM changed`,
  );
  return row.changed === 1;
}

/** Adds an action and its event where the review is open; false where it is not. The task itself is not touched, so nobody waits for it. */
export async function insertAction(
  context: Context,
  task: Pick<TaskRow, 'id' | 'reviewId'>,
  action: NewAction,
  insertEvent: EventInsert,
): Promise<boolean> {
  const { actor, tenantId } = context;
  const row = await context.db.one<{ inserted: number }>(
    sql`WITH open AS MATERIALIZED (
       SELECT ${task.reviewId}::text AS id FROM (SELECT join_task_changes(${tenantId}, ${task.reviewId}) AS is_open OFFSET 0) j WHERE j.is_open
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
