/**
 * SQL of submissions: locking many tasks in one order, writing many decisions in one statement, and listing what was submitted.
 */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import type { EventInsert } from '../../../foundation/audit/index.ts';
import type { SignatureTerms } from '../../../foundation/signatures/index.ts';
import { type NewAction, getForActorSql, getReviewJoinSql, type TaskChange, type TasksState } from '../task/index.ts';

/** A review as the actor stands to it. */
export interface TaskReviewRow {
  readonly state: TasksState;
  readonly managerIds: readonly string[];
  /** Terms of signatures for who decides; null where it asks for no signatures. */
  readonly signature: SignatureTerms | null;
  readonly displayName: string;
  /** True if anything in it was ever assigned to the actor, or to one of those in whose place they decide. */
  readonly isMember: boolean;
}

/** The review with this id, hidden ones too, as somebody sees it who decides for these people. */
export function findTaskReview(context: Context, id: string, userIds: readonly string[]): Promise<TaskReviewRow | undefined> {
  return context.db.maybe<TaskReviewRow>(
    sql`SELECT b.state, b.manager_ids AS "managerIds", b.signature, coalesce(r.document ->> 'displayName', '') AS "displayName", EXISTS (
       SELECT FROM task_assignment_members m WHERE m.tenant_id = ${context.tenantId} AND m.user_id = ANY (${userIds}) AND m.review_id = b.id) AS "isMember"
     FROM task_reviews b ${getReviewJoinSql(context.tenantId, sql`b.id`)} WHERE b.tenant_id = ${context.tenantId} AND b.id = ${id}`,
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

const submissionColumns =
  'id, user_id AS "userId", issuer_id AS "issuerId", submitted, certified, denied, refused, created_at AS "createdAt"';

/** Identity of a submission with a key when it is sent again, and its answer then. */
export interface SubmissionKey {
  readonly idempotencyKey: string;
  readonly requestDigest: string;
  readonly results: readonly object[];
}

/** The actor's submission to a review with this key. Waits for one that is being made, and keeps others with it out to the end of the transaction. */
export async function lockSubmission(
  { db, tenantId, actor }: Context,
  reviewId: string,
  idempotencyKey: string,
): Promise<(SubmissionRow & SubmissionKey) | undefined> {
  const name = `countersign.submissions.${tenantId}/${reviewId}/${actor.userId}/${idempotencyKey}`;
  await db.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 9))`);
  return db.maybe<SubmissionRow & SubmissionKey>(
    `SELECT ${submissionColumns}, idempotency_key AS "idempotencyKey", request_digest AS "requestDigest", results
     FROM submissions WHERE tenant_id = $1 AND review_id = $2 AND user_id = $3 AND idempotency_key = $4`,
    [tenantId, reviewId, actor.userId, idempotencyKey],
  );
}

/** Writes locked tasks, their actions, the submission and its event in one statement. The tasks must be locked in this transaction. */
export async function insertSubmission(
  context: Context,
  reviewId: string,
  submission: SubmissionRow,
  decisions: readonly TaskDecision[],
  key: SubmissionKey | undefined,
  eventId: string,
  insertEvent: EventInsert,
): Promise<void> {
  const { actor, tenantId, now } = context;
  const changes = decisions.map(({ taskId, change }) => ({ ...change, ...change.moment, id: taskId }));
  const actions = decisions.flatMap(({ taskId, actions: own }) => own.map((action) => ({ ...action, taskId })));
  await context.db.run(
    sql`WITH changed AS (
       UPDATE tasks t SET step = n.step, step_generation = n."stepGeneration", assignment_id = n."assignmentId", state = n.state,
         outcome = n.outcome, end_reason = n."endReason", decided_by_id = n."decidedById", decided_issuer_id = n."decidedIssuerId",
         ended_at = n."endedAt", certify_until = n."certifyUntil", updated_at = ${now}, next_at = n."nextAt", entered_at = n."enteredAt"
       FROM jsonb_to_recordset(${JSON.stringify(changes)}) AS n (id text, step smallint, "stepGeneration" smallint, "assignmentId" text,
         state text, outcome text, "endReason" text, "decidedById" text, "decidedIssuerId" text, "endedAt" timestamptz, "certifyUntil" timestamptz,
         "nextAt" timestamptz, "enteredAt" timestamptz)
       WHERE t.tenant_id = ${tenantId} AND t.id = n.id AND t.review_id = ${reviewId}
     ), acted AS (
       INSERT INTO task_actions (tenant_id, task_id, id, review_id, kind, step, step_generation, actor_id, credential_id, issuer_id, comment,
         data, submission_id, created_at, event_id)
       SELECT ${tenantId}, n."taskId", n.id, ${reviewId}, n.kind, n.step, n."stepGeneration",
         ${getForActorSql(actor.userId)}, ${getForActorSql(actor.credentialId)}, ${getForActorSql(actor.issuerId)}, n.comment, n.data, ${submission.id}, ${now}, ${eventId}
       FROM jsonb_to_recordset(${JSON.stringify(actions)})
         AS n ("taskId" text, id text, kind text, step smallint, "stepGeneration" smallint, comment text, data jsonb)
     ), told AS (${insertEvent()})
     INSERT INTO submissions (tenant_id, review_id, id, user_id, issuer_id, submitted, certified, denied, refused, created_at, idempotency_key,
       request_digest, results, event_id)
     VALUES (${tenantId}, ${reviewId}, ${submission.id}, ${submission.userId}, ${submission.issuerId}, ${submission.submitted},
       ${submission.certified}, ${submission.denied}, ${submission.refused}, ${now}, ${key?.idempotencyKey ?? ''}, ${key?.requestDigest ?? ''},
       ${key === undefined ? null : JSON.stringify(key.results)}::jsonb, ${eventId})`,
  );
}

/** Lists the submissions that decided a task. */
export function listSubmissionIds({ db, tenantId }: Context, reviewId: string, taskId: string): Promise<string[]> {
  return db.column<string>(
    sql`SELECT DISTINCT a.submission_id AS id FROM task_actions a
      WHERE a.tenant_id = ${tenantId} AND a.task_id = ${taskId} AND a.review_id = ${reviewId} AND a.submission_id <> ''`,
  );
}

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

/** A submission with the review that it was made to. */
export interface OwnSubmissionRow extends SubmissionRow {
  readonly reviewId: string;
  readonly reviewName: string;
  readonly isOpen: boolean;
  readonly dueAt: Date | null;
  readonly closedAt: Date | null;
}

/** A page of the actor's submissions to all reviews that were not deleted, the newest first, behind the one with this id. */
export function listOwnSubmissions(
  { db, tenantId, actor }: Context,
  before: string | undefined,
  limit: number,
): Promise<OwnSubmissionRow[]> {
  return db.rows<OwnSubmissionRow>(
    sql`SELECT s.id, s.user_id AS "userId", s.issuer_id AS "issuerId", s.submitted, s.certified, s.denied, s.refused, s.created_at AS "createdAt",
      s.review_id AS "reviewId", coalesce(r.document ->> 'displayName', '') AS "reviewName", b.state = 'OPEN' AS "isOpen",
      nullif(r.document ->> 'completionDate', '')::timestamptz AS "dueAt", r.closed_at AS "closedAt"
    FROM submissions s JOIN task_reviews b ON b.tenant_id = ${tenantId} AND b.id = s.review_id AND b.state <> 'CANCELLED'
    ${getReviewJoinSql(tenantId, sql`s.review_id`)}
    WHERE s.tenant_id = ${tenantId} AND s.user_id = ${actor.userId} AND ${before === undefined ? sql`TRUE` : sql`s.id < ${before}`}
    ORDER BY s.id DESC LIMIT ${limit}`,
  );
}
