/**
 * SQL of submissions: locking many tasks in one order, writing many decisions in one statement, and listing what was submitted.
 */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import type { EventInsert } from '../audit/index.ts';
import type { NewAction, TaskChange } from './store.ts';
import type { TasksState } from './task.ts';

/** A review as the actor stands to it. */
export interface TaskReviewRow {
  readonly state: TasksState;
  readonly managerIds: readonly string[];
  /** Whether anything in it was ever assigned to the actor, or to one of those in whose place they decide. */
  readonly isMember: boolean;
}

/** The review with this id, hidden ones too, as somebody sees it who decides for these people. */
export function findTaskReview(context: Context, id: string, userIds: readonly string[]): Promise<TaskReviewRow | undefined> {
  return context.db.maybe<TaskReviewRow>(
    `SELECT b.state, b.manager_ids AS "managerIds", EXISTS (
       SELECT FROM task_assignment_members m WHERE m.tenant_id = $1 AND m.user_id = ANY ($3) AND m.review_id = b.id) AS "isMember"
     FROM task_reviews b WHERE b.tenant_id = $1 AND b.id = $2`,
    [context.tenantId, id, userIds],
  );
}

/** Locks these tasks of a review, in the order of their ids so that two submissions never wait for each other in a circle. */
export async function lockTasks(context: Context, reviewId: string, ids: readonly string[]): Promise<void> {
  await context.db.rows(
    'SELECT t.id FROM tasks t WHERE t.tenant_id = $1 AND t.id = ANY ($2) AND t.review_id = $3 ORDER BY t.id FOR UPDATE',
    [context.tenantId, ids, reviewId],
  );
}

/** A locked task, what becomes of it, and what records that. */
export interface TaskDecision {
  readonly taskId: string;
  readonly change: TaskChange;
  readonly actions: readonly NewAction[];
}

/** One submission as it is kept. */
export interface SubmissionRow {
  readonly id: string;
  readonly userId: string;
  readonly issuerId: string;
  readonly submitted: number;
  readonly certified: number;
  readonly denied: number;
  readonly refused: number;
  readonly createdAt: Date;
}

/** Writes locked tasks, their actions, the submission and its event in one statement. The tasks must be locked in this transaction. */
export async function insertSubmission(
  context: Context,
  reviewId: string,
  submission: SubmissionRow,
  decisions: readonly TaskDecision[],
  insertEvent: EventInsert,
): Promise<void> {
  const { actor, tenantId, now } = context;
  const changes = decisions.map(({ taskId, change }) => ({ ...change, id: taskId }));
  const actions = decisions.flatMap(({ taskId, actions: own }) => own.map((action) => ({ ...action, taskId })));
  await context.db.run(
    sql`WITH changed AS (
       UPDATE tasks t SET step = n.step, step_generation = n."stepGeneration", assignment_id = n."assignmentId", state = n.state,
         outcome = n.outcome, end_reason = n."endReason", decided_by_id = n."decidedById", decided_issuer_id = n."decidedIssuerId",
         ended_at = n."endedAt", updated_at = ${now}
       FROM jsonb_to_recordset(${JSON.stringify(changes)}) AS n (id text, step smallint, "stepGeneration" smallint, "assignmentId" text,
         state text, outcome text, "endReason" text, "decidedById" text, "decidedIssuerId" text, "endedAt" timestamptz)
       WHERE t.tenant_id = ${tenantId} AND t.id = n.id AND t.review_id = ${reviewId}
     ), acted AS (
       INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, actor_id, credential_id, issuer_id, comment,
         data, submission_id, created_at)
       SELECT ${tenantId}, n."taskId", n.id, ${reviewId}, n.kind, n.step, n."stepGeneration",
         CASE n.kind WHEN 'ENDED' THEN '' ELSE ${actor.userId} END, CASE n.kind WHEN 'ENDED' THEN '' ELSE ${actor.credentialId} END,
         CASE n.kind WHEN 'ENDED' THEN '' ELSE ${actor.issuerId} END, n.comment, n.data, ${submission.id}, ${now}
       FROM jsonb_to_recordset(${JSON.stringify(actions)})
         AS n ("taskId" text, id text, kind text, step smallint, "stepGeneration" smallint, comment text, data jsonb)
     ), told AS (${insertEvent()})
     INSERT INTO submissions (tenant_id, review_id, id, user_id, issuer_id, submitted, certified, denied, refused, created_at)
     VALUES (${tenantId}, ${reviewId}, ${submission.id}, ${submission.userId}, ${submission.issuerId}, ${submission.submitted},
       ${submission.certified}, ${submission.denied}, ${submission.refused}, ${now})`,
  );
}

const submissionColumns =
  'id, user_id AS "userId", issuer_id AS "issuerId", submitted, certified, denied, refused, created_at AS "createdAt"';

/** A page of the submissions to a review, oldest first; of one person, or of all. */
export function listSubmissionRows(
  context: Context,
  reviewId: string,
  userId: string | undefined,
  after: string | undefined,
  limit: number,
): Promise<SubmissionRow[]> {
  return userId === undefined
    ? context.db.rows<SubmissionRow>(
        `SELECT ${submissionColumns} FROM submissions WHERE tenant_id = $1 AND review_id = $2 AND id > $3 ORDER BY id LIMIT $4`,
        [context.tenantId, reviewId, after ?? '', limit],
      )
    : context.db.rows<SubmissionRow>(
        `SELECT ${submissionColumns} FROM submissions WHERE tenant_id = $1 AND review_id = $2 AND user_id = $5 AND id > $3 ORDER BY id LIMIT $4`,
        [context.tenantId, reviewId, after ?? '', limit, userId],
      );
}
