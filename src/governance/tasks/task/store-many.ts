/**
 * SQL that reads many tasks of a review to decide about them, behind their locks. What many of them share (batch, policies, reviewers) is read once and
 * not with each, which a submission of a thousand would be for the most part.
 */
import type { Context } from '../../../context.ts';
import { empty, type Sql, sql } from '../../../lib/sql.ts';
import { getReviewJoinSql } from './store-review.ts';
import { batchColumns, getDecidedByNameSql, getRemovalSql, ownColumns, pastActionJson } from './store.ts';
import type { PastAction, Task } from './task.ts';

/** Members of a Task that its batch and its review have. */
type BatchMembers = Pick<Task, 'tasksState' | 'kind' | 'signature' | 'managerIds' | 'createdById'>;
/** Members of a Task that its assignment has. */
type AssignmentMembers = Pick<Task, 'assigneeIds' | 'assignmentReason' | 'isFallback'>;
/** Members of a Task that it has once it has ended, or as the task of a removal. */
type EndMembers = Pick<Task, 'decidedByName' | 'revocation'>;

/** What the row of a task says. */
export type TaskRow = Omit<
  Task,
  keyof BatchMembers | keyof AssignmentMembers | keyof EndMembers | 'policyDocument' | 'history' | 'formerAssigneeIds'
>;

const select = ({ tenantId }: Context, reviewId: string, ids: readonly string[]): Sql =>
  sql`SELECT ${ownColumns} FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.id = ANY (${ids}) AND t.review_id = ${reviewId} ORDER BY t.id`;

/** Lists the rows of these tasks of a review. */
export function listRows(context: Context, reviewId: string, ids: readonly string[]): Promise<TaskRow[]> {
  return context.db.rows<TaskRow>(select(context, reviewId, ids));
}

/**
 * Locks these tasks of a review, in the order of their ids so that two submissions never wait for each other in a circle. Behind `lockChanges`.
 */
export function lockTasks(context: Context, reviewId: string, ids: readonly string[]): Promise<TaskRow[]> {
  return context.db.rows<TaskRow>(sql`${select(context, reviewId, ids)} FOR UPDATE`);
}

/** Actions by task, oldest first; comments are no part of a history, but those whom they were asked beside are. */
async function mapActions({ db, tenantId }: Context, taskIds: readonly string[]) {
  const rows = await db.rows<{ taskId: string; action: PastAction }>(
    sql`SELECT o.task_id AS "taskId", ${pastActionJson} AS action FROM task_actions o
      WHERE o.tenant_id = ${tenantId} AND o.task_id = ANY (${taskIds}) ORDER BY o.task_id, o.id`,
  );
  const actions = new Map<string, PastAction[]>();
  for (const { taskId, action } of rows) {
    const before = actions.get(taskId);
    if (before === undefined) {
      actions.set(taskId, [action]);
    } else {
      before.push(action);
    }
  }
  return actions;
}

const unassigned: AssignmentMembers = { assigneeIds: [], assignmentReason: '', isFallback: false };

async function mapAssignments({ db, tenantId }: Context, ids: readonly string[]): Promise<ReadonlyMap<string, AssignmentMembers>> {
  const rows = await db.rows<AssignmentMembers & { id: string }>(
    sql`SELECT s.id, s.user_ids AS "assigneeIds", s.reason AS "assignmentReason", s.is_fallback AS "isFallback" FROM task_assignments s
      WHERE s.tenant_id = ${tenantId} AND s.id = ANY (${ids})`,
  );
  return new Map(rows.map(({ id, ...members }) => [id, members]));
}

async function mapPolicies(
  { db, tenantId }: Context,
  reviewId: string,
  routeNos: readonly number[],
): Promise<ReadonlyMap<number, Task['policyDocument']>> {
  const rows = await db.rows<{ routeNo: number; document: Task['policyDocument'] }>(
    sql`SELECT p.route_no AS "routeNo", p.document FROM review_routes p
      WHERE p.tenant_id = ${tenantId} AND p.review_id = ${reviewId} AND p.route_no = ANY (${routeNos}::int[])`,
  );
  return new Map(rows.map(({ routeNo, document }) => [routeNo, document]));
}

/** Names and removals of tasks of which some have ended. */
async function mapEnds({ db, tenantId }: Context, ids: readonly string[]): Promise<ReadonlyMap<string, EndMembers>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = await db.rows<EndMembers & { id: string }>(
    sql`SELECT t.id, ${getDecidedByNameSql(tenantId)}, ${getRemovalSql(tenantId, empty, empty)} FROM tasks t
      JOIN task_reviews b ON b.tenant_id = ${tenantId} AND b.id = t.review_id WHERE t.tenant_id = ${tenantId} AND t.id = ANY (${ids})`,
  );
  return new Map(rows.map(({ id, ...members }) => [id, members]));
}

/** The history of a task to which nothing has happened. */
const none: readonly PastAction[] = [];
const unended: EndMembers = { decidedByName: null, revocation: null };

/** Reads the rest of what rules ask for of tasks of a review, in the open transaction. Grows with them and their actions. */
export async function readTasks(context: Context, reviewId: string, rows: readonly TaskRow[]): Promise<Task[]> {
  const { db, tenantId } = context;
  if (rows.length === 0) {
    return [];
  }
  const batch = await db.one<BatchMembers>(
    sql`SELECT ${batchColumns} FROM task_reviews b ${getReviewJoinSql(tenantId, sql`b.id`)} WHERE b.tenant_id = ${tenantId} AND b.id = ${reviewId}`,
  );
  const actions = await mapActions(
    context,
    rows.map(({ id }) => id),
  );
  const askedIds = new Set(
    [...actions.values()]
      .flat()
      .flatMap(({ data }) => data.assignmentId ?? [])
      .concat(rows.flatMap(({ assignmentId }) => assignmentId ?? [])),
  );
  const assignments = await mapAssignments(context, [...askedIds]);
  const policies = await mapPolicies(context, reviewId, [...new Set(rows.map(({ routeNo }) => routeNo))]);
  const ended = rows.filter(({ state }) => state === 'CLOSED' || batch.kind === 'REVOKE');
  const ends = await mapEnds(
    context,
    ended.map(({ id }) => id),
  );
  return rows.map((task) => {
    const own = actions.get(task.id) ?? none;
    const former = new Set(own.flatMap(({ data }) => assignments.get(data.assignmentId ?? '')?.assigneeIds ?? []));
    return {
      ...task,
      ...batch,
      ...(assignments.get(task.assignmentId ?? '') ?? unassigned),
      ...(ends.get(task.id) ?? unended),
      policyDocument: policies.get(task.routeNo) ?? null,
      history: own.filter(({ kind }) => kind !== 'COMMENTED'),
      formerAssigneeIds: [...former],
    };
  });
}
