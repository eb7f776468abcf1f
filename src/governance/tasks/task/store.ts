/**
 * SQL for single tasks: reading what rules ask for, and the one statement that changes a task together with its actions and its event. Reading all
 * that its view needs is in views.
 */
import type { Context } from '../../../context.ts';
import { empty, fixed, type Sql, sql } from '../../../lib/sql.ts';
import { nameAtSql } from '../../../foundation/directory/index.ts';
import type { EventInsert } from '../../../foundation/audit/index.ts';
import { getReviewJoinSql } from './store-review.ts';
import type { ActionLine } from './evidence.ts';
import type { ActionData, ActionKind, EndReason, TaskOutcome, Task } from './task.ts';
import { taskSlot } from './slots.ts';

/** The removal that belongs to the task `t` of a batch `b`, found by an index of one of its two tasks `v`; with more members for either kind of task. */
export function getRemovalSql(tenantId: string, ofItem: Sql, ofRemoval: Sql): Sql {
  const find = (members: Sql, isOf: Sql): Sql =>
    sql`(SELECT json_build_object('id', v.id, 'state', v.state, 'reviewId', v.review_id, 'requestedById', v.requested_by_id${members})
      FROM ${fixed(taskSlot.get().removals)} v WHERE v.tenant_id = ${tenantId} AND ${isOf} ORDER BY v.created_at DESC, v.id DESC LIMIT 1)`;
  return sql`CASE WHEN t.outcome = 'DECERTIFIED' THEN ${find(ofItem, sql`v.certify_task_id = t.id AND v.certify_task_id <> ''`)}
    WHEN b.kind = 'REVOKE' THEN ${find(ofRemoval, sql`v.revoke_task_id = t.id AND v.revoke_task_id <> ''`)} END AS revocation`;
}

/** The columns of a Task that its own row `t` has. */
export const ownColumns =
  fixed(`t.id, t.review_id AS "reviewId", t.app_id AS "appId", t.entitlement_id AS "entitlementId", t.account_id AS "accountId",
    t.principal_kind AS "principalKind", t.user_id AS "userId", t.policy_id AS "policyId", t.route_no AS "routeNo", t.step,
    t.step_generation AS "stepGeneration", t.assignment_id AS "assignmentId", t.state, t.outcome, t.end_reason AS "endReason",
    t.decided_by_id AS "decidedById", nullif(t.decided_issuer_id, t.decided_by_id) AS "decidedIssuerId", t.ended_at AS "endedAt", t.next_at AS "nextAt", t.entered_at AS "enteredAt",
    t.certify_until AS "certifyUntil", t.created_at AS "createdAt"`);

/** The columns of a Task that its batch `b` and its review `r` have. */
export const batchColumns = fixed(
  `b.state AS "tasksState", b.kind, b.signature, b.manager_ids AS "managerIds", coalesce(r.created_by_id, '') AS "createdById"`,
);

/** An action `o` as a member of a Task's history. */
export const pastActionJson = fixed(`json_build_object('id', o.id, 'kind', o.kind, 'step', o.step, 'stepGeneration', o.step_generation,
        'actorId', o.actor_id, 'issuerId', o.issuer_id, 'data', o.data, 'createdAt', o.created_at)`);

/** The name that whoever decided the task `t` had then; nobody is looked up for one that nobody has decided. */
export function getDecidedByNameSql(tenantId: string): Sql {
  return sql`CASE WHEN t.decided_by_id IS NOT NULL THEN ${nameAtSql(tenantId, 't.decided_by_id', 't.ended_at')} END AS "decidedByName"`;
}

/** The columns of a Task but its removal; getTaskJoinsSql belongs to them. */
export function getTaskColumnsSql(tenantId: string): Sql {
  return sql`${ownColumns}, ${batchColumns},
    coalesce(s.user_ids, '{}') AS "assigneeIds", coalesce(s.reason, '') AS "assignmentReason", coalesce(s.is_fallback, false) AS "isFallback",
    p.document AS "policyDocument", h.history, h.asked AS "formerAssigneeIds",
    ${getDecidedByNameSql(tenantId)}`;
}

/** Joins at most one row to the task `t`, looked up by key for each: OFFSET 0 keeps the planner from any other order, and from reading a table whole. */
export function getLookupSql(name: string, columns: string, from: Sql): Sql {
  return sql`LEFT JOIN LATERAL (SELECT ${fixed(columns)} FROM ${from} OFFSET 0) ${fixed(name)} ON true`;
}

/**
 * The joins of a task `t`: its batch `b`, its reviewers `s`, its route `p`, its review `r` and its actions `h`. Each is looked up by its primary key, and
 * actions are asked for in the order of theirs: where a plan was made while the tables were empty, or without statistics, every index looks as good
 * as another, and the one by review reads all actions of the tenant for each task.
 */
export function getTaskJoinsSql(tenantId: string): Sql {
  return sql`CROSS JOIN LATERAL (SELECT b.state, b.kind, b.signature, b.manager_ids FROM task_reviews b
    WHERE b.tenant_id = ${tenantId} AND b.id = t.review_id OFFSET 0) b
  ${getLookupSql('s', 's.user_ids, s.reason, s.is_fallback', sql`task_assignments s WHERE s.tenant_id = ${tenantId} AND s.id = t.assignment_id`)}
  ${getLookupSql('p', 'p.document', sql`review_routes p WHERE p.tenant_id = ${tenantId} AND p.review_id = t.review_id AND p.route_no = t.route_no`)}
  ${getReviewJoinSql(tenantId, sql`t.review_id`)}
  CROSS JOIN LATERAL (
    SELECT coalesce(json_agg(${pastActionJson} ORDER BY o.id) FILTER (WHERE o.kind <> 'COMMENTED'), '[]') AS history,
      count(*) FILTER (WHERE o.comment <> '') AS comments,
      ARRAY(SELECT DISTINCT unnest(f.user_ids) FROM unnest(array_agg(o.data ->> 'assignmentId')) AS k (id)
        CROSS JOIN LATERAL (SELECT f.user_ids FROM task_assignments f WHERE f.tenant_id = ${tenantId} AND f.id = k.id OFFSET 0) f) AS asked
    FROM (SELECT x.* FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.task_id = t.id ORDER BY x.id) o) h`;
}

/** Reads tasks for deciding about them: only what rules ask for. */
function getSelectSql(tenantId: string, where: Sql): Sql {
  return sql`SELECT ${getTaskColumnsSql(tenantId)}, ${getRemovalSql(tenantId, empty, empty)}
    FROM tasks t ${getTaskJoinsSql(tenantId)} WHERE t.tenant_id = ${tenantId} AND ${where}`;
}

/** The task with this id, whoever may see it, hidden ones too. */
export function findTask(context: Context, id: string): Promise<Task | undefined> {
  return context.db.maybe<Task>(getSelectSql(context.tenantId, sql`t.id = ${id}`));
}

/** Selects the id that the task with this number has, if there is one. Ids count on as numbers do, from the first of a piece. */
export function getTaskIdByNumberSql(tenantId: string, numericId: number): Sql {
  return sql`(SELECT CASE WHEN n.first_number = ${numericId} THEN n.first_id
      ELSE left(n.first_id, -8) || id_suffix(right(n.first_id, 8)::bigint + ${numericId} - n.first_number) END COLLATE "C"
    FROM (SELECT n.* FROM task_numbers n WHERE n.tenant_id = ${tenantId} AND n.first_number <= ${numericId} ORDER BY n.first_number DESC LIMIT 1) n
    WHERE n.last_number >= ${numericId})`;
}

/** The id of the task with this number; numbers are given once in a tenant. */
export function findTaskIdByNumber(context: Context, numericId: number): Promise<string | undefined> {
  const { tenantId } = context;
  return context.db.maybeValue<string>(
    sql`SELECT t.id FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.id = ${getTaskIdByNumberSql(tenantId, numericId)} AND t.numeric_id = ${numericId}`,
  );
}

/** The condition that a task `t` has one of these ids. One is asked for by itself: of a list, a plan for every value expects ten, and is not chosen. */
export function getIsOneOfSql(ids: readonly string[]): Sql {
  return ids.length === 1 ? sql`t.id = ${ids[0]}` : sql`t.id = ANY (${ids})`;
}

/** Lists what a statement selects of the tasks `t` with these ids, in this order; ids of nothing are left out. */
export async function listInOrder<T extends { readonly id: string }>(
  { db }: Context,
  ids: readonly string[],
  select: (where: Sql) => Sql,
): Promise<T[]> {
  const rows = ids.length === 0 ? [] : await db.rows<T>(select(getIsOneOfSql(ids)));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The tasks with these ids, in this order, hidden ones too; ids of nothing are left out. */
export function listTasksByIds(context: Context, ids: readonly string[]): Promise<Task[]> {
  return listInOrder<Task>(context, ids, (where) => getSelectSql(context.tenantId, where));
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

/** Finds if one of these people was asked by an earlier step of the task, and who last decided one. */
export function findFormerAssignment(
  { db, tenantId }: Context,
  taskId: string,
  userIds: readonly string[],
): Promise<{ decidedByName: string } | undefined> {
  return db.maybe<{ decidedByName: string }>(
    sql`SELECT coalesce(${nameAtSql(tenantId, 'x.actor_id', 'x.created_at')}, x.actor_id) AS "decidedByName"
     FROM task_actions x
     JOIN task_assignment_members m ON m.tenant_id = ${tenantId} AND m.assignment_id = x.data ->> 'assignmentId' AND m.user_id = ANY (${userIds})
     JOIN tasks t ON t.tenant_id = ${tenantId} AND t.id = x.task_id
     JOIN task_reviews b ON b.tenant_id = ${tenantId} AND b.id = t.review_id AND b.state NOT IN ('HIDDEN', 'CANCELLED')
     WHERE x.tenant_id = ${tenantId} AND x.task_id = ${taskId} AND x.kind IN ('APPROVED', 'DENIED')
     ORDER BY x.id DESC LIMIT 1`,
  );
}

/** Facts of a task that must still hold for a change, as it was read. */
export type TaskVersion = Pick<Task, 'id' | 'reviewId' | 'state' | 'stepGeneration' | 'assignmentId'>;

/** Time something happens to a task by itself, and time the step that this is about was entered. */
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
  /** Time something happens to it by itself; absent where that stays as it is. Nothing happens to a closed task. */
  readonly moment?: Moment;
  /** The route it goes on, where that is another one, and the policy that leads there. */
  readonly route?: { readonly routeNo: number; readonly policyId: string };
  /** Until when alone it is certified; absent for no such date. */
  readonly certifyUntil?: Date | null;
}

/** The columns that a change sets of a task that is open: nothing has ended it. */
export const openState = {
  state: 'OPEN',
  outcome: '',
  endReason: '',
  decidedById: null,
  decidedIssuerId: null,
  endedAt: null,
} as const satisfies Partial<TaskChange>;

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
export function getForActorSql(value: string): Sql {
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
  eventId: string,
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
         data, created_at, event_id)
       SELECT ${tenantId}, c.id, n.id, c.review_id, n.kind, n.step, n."stepGeneration", ${getForActorSql(actor.userId)}, ${getForActorSql(actor.credentialId)},
         ${getForActorSql(actor.issuerId)}, n.comment, n.data, ${now}, ${eventId}
       FROM changed c, jsonb_to_recordset(${JSON.stringify(actions)})
         AS n (id text, kind text, step smallint, "stepGeneration" smallint, comment text, data jsonb)
     ), told AS (${insertEvent(sql`WHERE EXISTS (SELECT FROM changed)`)})
     SELECT count(*) AS changed FROM changed`,
  );
  return row.changed === 1;
}

/** Adds an action and its event where the review is open; false where it is not. The task itself is not touched, so nobody waits for it. */
export async function insertAction(context: Context, action: ActionLine, eventId: string, insertEvent: EventInsert): Promise<boolean> {
  const { tenantId } = context;
  const { reviewId } = action;
  const row = await context.db.one<{ inserted: number }>(
    sql`WITH open AS MATERIALIZED (
       SELECT ${reviewId}::text AS id FROM (SELECT join_task_changes(${tenantId}, ${reviewId}) AS is_open OFFSET 0) j WHERE j.is_open
     ), acted AS (
       INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, actor_id, credential_id, issuer_id, comment,
         data, created_at, event_id)
       SELECT ${tenantId}, ${action.taskId}, ${action.id}, o.id, ${action.kind}, ${action.step}, ${action.stepGeneration}, ${action.actorId},
         ${action.credentialId}, ${action.issuerId}, ${action.comment}, ${JSON.stringify(action.data)}::jsonb, ${action.createdAt}::timestamptz,
         ${eventId} FROM open o
     ), told AS (${insertEvent(sql`WHERE EXISTS (SELECT FROM open)`)})
     SELECT count(*) AS inserted FROM open`,
  );
  return row.inserted === 1;
}
