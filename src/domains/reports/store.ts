/**
 * All SQL of the reports module: the reports, their pieces, and the rows a report is made of, read from the tasks, their snapshot and
 * what people did to them. How a row looks in a file is in columns.ts.
 */
import type { Context } from '../../context.ts';
import type { ResidualRow, RevocationState } from '../revocations/index.ts';
import type { EndReason, TaskOutcome } from '../tasks/index.ts';

/** What a report is written as (`reports.format`). */
export type ReportFormat = 'CSV' | 'JSON';
/** Whether a report is being made, there, or failed (`reports.state`). */
export type ReportStateName = 'PENDING' | 'OK' | 'ERROR';

/** A report without its content. */
export interface ReportRow {
  readonly id: string;
  readonly reviewId: string;
  readonly format: ReportFormat;
  /** Names of AccessReviewReportColumn, in the order of the file. */
  readonly columns: readonly string[];
  readonly state: ReportStateName;
  readonly error: string;
  readonly sizeBytes: number;
  /** Digest by algorithm, in hexadecimal; empty until it is done. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly createdById: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const reportColumns = `id, review_id AS "reviewId", format, columns, state, error, size_bytes AS "sizeBytes", hashes,
  created_by_id AS "createdById", created_at AS "createdAt", finished_at AS "finishedAt"`;

/** Adds a pending report. */
export async function insertReport(
  context: Context,
  report: Pick<ReportRow, 'id' | 'reviewId' | 'format' | 'columns' | 'createdById'>,
): Promise<void> {
  await context.db.run(
    'INSERT INTO reports (tenant_id, id, review_id, format, columns, created_by_id, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    [context.tenantId, report.id, report.reviewId, report.format, report.columns, report.createdById, context.now],
  );
}

/** The report with this id. */
export function findReport(context: Context, id: string): Promise<ReportRow | undefined> {
  return context.db.maybe<ReportRow>(`SELECT ${reportColumns} FROM reports WHERE tenant_id = $1 AND id = $2`, [context.tenantId, id]);
}

/** A review's reports, newest first; `before` is the last id of the page before. */
export function listReports(context: Context, reviewId: string, before: string | undefined, limit: number): Promise<ReportRow[]> {
  return context.db.rows<ReportRow>(
    `SELECT ${reportColumns} FROM reports WHERE tenant_id = $1 AND review_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4`,
    // '~' sorts behind every identifier.
    [context.tenantId, reviewId, before ?? '~', limit],
  );
}

/** Marks a report as done. */
export async function updateReportDone(
  context: Context,
  id: string,
  sizeBytes: number,
  hashes: Readonly<Record<string, string>>,
): Promise<void> {
  await context.db.run(
    `UPDATE reports SET state = 'OK', error = '', size_bytes = $3, hashes = $4, finished_at = $5 WHERE tenant_id = $1 AND id = $2`,
    [context.tenantId, id, sizeBytes, JSON.stringify(hashes), context.now],
  );
}

/** Marks a report as failed for good; its pieces are of no use to anybody. */
export async function updateReportFailed(context: Context, id: string, error: string): Promise<void> {
  await context.db.run(`UPDATE reports SET state = 'ERROR', error = $3, finished_at = $4 WHERE tenant_id = $1 AND id = $2`, [
    context.tenantId,
    id,
    error,
    context.now,
  ]);
  await context.db.run('DELETE FROM report_chunks WHERE tenant_id = $1 AND report_id = $2', [context.tenantId, id]);
}

/** Adds one piece of the file. */
export async function insertChunk(context: Context, reportId: string, number: number, content: Buffer): Promise<void> {
  await context.db.run('INSERT INTO report_chunks (tenant_id, report_id, number, content) VALUES ($1, $2, $3, $4)', [
    context.tenantId,
    reportId,
    number,
    content,
  ]);
}

/** The piece with this number, counted from 0; undefined behind the last. */
export async function findChunk(context: Context, reportId: string, number: number): Promise<Buffer | undefined> {
  const row = await context.db.maybe<{ content: Buffer }>(
    'SELECT content FROM report_chunks WHERE tenant_id = $1 AND report_id = $2 AND number = $3',
    [context.tenantId, reportId, number],
  );
  return row?.content;
}

/** How many rows a report of this review has. */
export async function countReportRows(context: Context, reviewId: string): Promise<number> {
  const row = await context.db.one<{ count: number }>('SELECT count(*) AS count FROM tasks WHERE tenant_id = $1 AND review_id = $2', [
    context.tenantId,
    reviewId,
  ]);
  return row.count;
}

/** What somebody did to a task; `createdAt` is text, RFC 3339. */
export interface TaskActionRow {
  readonly id: string;
  readonly kind: 'APPROVED' | 'DENIED' | 'COMMENTED' | 'REASSIGNED' | 'RESTARTED' | 'ENDED' | 'HANDED_OVER';
  readonly step: number;
  readonly actorId: string;
  readonly issuerId: string;
  readonly comment: string;
  readonly submissionId: string;
  readonly data: {
    readonly newUserIds?: readonly string[];
    readonly disabledUserIds?: readonly string[];
    readonly delegatorId?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly outcome?: string;
  };
  readonly createdAt: string;
}

/** One item of a review with all a report can say of it. Texts are '' where something is not known. */
export interface ReviewItemRow {
  readonly taskId: string;
  readonly numericId: number;
  readonly state: 'OPEN' | 'CLOSED';
  readonly outcome: TaskOutcome;
  readonly endReason: EndReason;
  readonly endedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly account: string;
  readonly accountType: string;
  readonly ownerName: string;
  readonly ownerEmail: string;
  readonly employmentStatus: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly managerEmail: string;
  readonly employeeId: string;
  readonly employmentType: string;
  readonly appName: string;
  readonly resourceName: string;
  readonly resourceTypeName: string;
  readonly entitlementName: string;
  readonly description: string;
  readonly policyName: string;
  readonly assigneeIds: readonly string[];
  readonly actions: readonly TaskActionRow[];
  /** Of a denied item: what became of the access, as far as evidence goes; null for others. `stateAt` is text, RFC 3339. */
  readonly removal: RemovalRow | null;
  /** Of an item of a second review that is over: its second decision, if there was one; null for others. `at` is text, RFC 3339. */
  readonly second: SecondDecisionRow | null;
}

/** The second decision about an item that was drawn; empty where nobody answered. */
export interface SecondDecisionRow {
  readonly decision: '' | 'APPROVE' | 'DENY';
  readonly agrees: boolean;
  readonly byName: string;
  readonly at: string | null;
  readonly comment: string;
}

/** The removal of a denied item. */
export interface RemovalRow {
  readonly id: string;
  readonly state: RevocationState;
  readonly stateAt: string;
  readonly actorName: string;
  readonly claimedByName: string;
  readonly syncId: string;
  readonly revision: number | null;
  readonly note: string;
  /** Other ways by which the access is held now. */
  readonly residual: readonly ResidualRow[];
}

/**
 * The items of a review by task id, after `after`, at most `limit`: one statement for all of them. Everything is as the snapshot of the
 * review has it, save for employee id and employment type, which are in no snapshot and are the person's as they are now.
 */
export function listReviewItems(context: Context, reviewId: string, after: string, limit: number): Promise<ReviewItemRow[]> {
  return context.db.rows<ReviewItemRow>(
    `SELECT t.id AS "taskId", t.numeric_id AS "numericId", t.state, t.outcome, t.end_reason AS "endReason", t.ended_at AS "endedAt",
       t.last_used_at AS "lastUsedAt", coalesce(a.external_id, '') AS "account", coalesce(a.account_type, '') AS "accountType",
       coalesce(a.user_display_name, '') AS "ownerName", coalesce(a.user_email, '') AS "ownerEmail",
       coalesce(a.employment_status, '') AS "employmentStatus", coalesce(a.department, '') AS "department",
       coalesce(a.job_title, '') AS "jobTitle", coalesce(a.manager_email, '') AS "managerEmail",
       CASE WHEN u.employee_id <> '' THEN u.employee_id ELSE coalesce(u.profile ->> 'employee_id', '') END AS "employeeId",
       CASE WHEN u.employment_type <> '' THEN u.employment_type ELSE coalesce(u.profile ->> 'employment_type', '') END AS "employmentType",
       coalesce(e.app_display_name, '') AS "appName", coalesce(e.resource_display_name, '') AS "resourceName",
       coalesce(e.resource_type_display_name, '') AS "resourceTypeName", coalesce(e.display_name, '') AS "entitlementName",
       coalesce(e.description, '') AS "description", coalesce(rp.document ->> 'displayName', p.display_name, '') AS "policyName",
       coalesce(s.user_ids, '{}') AS "assigneeIds",
       (SELECT coalesce(json_agg(json_build_object('id', h.id, 'kind', h.kind, 'step', h.step, 'actorId', h.actor_id,
          'issuerId', h.issuer_id, 'comment', h.comment, 'submissionId', h.submission_id, 'data', h.data,
          'createdAt', h.created_at) ORDER BY h.id), '[]')
        FROM task_actions h WHERE h.tenant_id = $1 AND h.task_id = t.id) AS "actions",
       (SELECT json_build_object('id', v.id, 'state', v.state, 'stateAt', v.state_at, 'syncId', v.sync_id, 'revision', v.revision, 'note', v.note,
          'residual', residual_access($1, v.app_id, v.entitlement_id, v.account_id, v.user_id),
          'actorName', coalesce((SELECT coalesce(nullif(x.display_name, ''), x.email) FROM users x WHERE x.tenant_id = $1 AND x.id = v.actor_id), ''),
          'claimedByName', coalesce((SELECT coalesce(nullif(x.display_name, ''), x.email) FROM users x WHERE x.tenant_id = $1 AND x.id = v.claimed_by_id), ''))
        FROM revocations v WHERE v.tenant_id = $1 AND v.certify_task_id = t.id ORDER BY v.created_at DESC, v.id DESC LIMIT 1) AS "removal",
       (SELECT json_build_object('decision', i.decision, 'agrees', i.decision = i.first_decision, 'at', i.decided_at, 'comment', i.comment,
          'byName', coalesce((SELECT coalesce(nullif(x.display_name, ''), x.email) FROM users x WHERE x.tenant_id = $1 AND x.id = i.decided_by_id), ''))
        FROM second_review_items i JOIN second_reviews w ON w.tenant_id = $1 AND w.review_id = i.review_id AND w.state = 'ENDED'
        WHERE i.tenant_id = $1 AND i.task_id = t.id) AS "second"
     FROM (SELECT * FROM tasks WHERE tenant_id = $1 AND review_id = $2 AND id > $3 ORDER BY id LIMIT $4) t
     LEFT JOIN review_accounts a ON a.tenant_id = $1 AND a.review_id = $2 AND a.app_id = t.app_id AND a.account_id = t.account_id
     LEFT JOIN review_entitlements e
       ON e.tenant_id = $1 AND e.review_id = $2 AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id
     LEFT JOIN review_policies rp ON rp.tenant_id = $1 AND rp.review_id = $2 AND rp.policy_id = t.policy_id
     LEFT JOIN policies p ON p.tenant_id = $1 AND p.id = t.policy_id
     LEFT JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = t.user_id
     ORDER BY t.id`,
    [context.tenantId, reviewId, after, limit],
  );
}

/** Whether a review has a second review that is over. */
export async function hasSecondReview(context: Context, reviewId: string): Promise<boolean> {
  const row = await context.db.maybe(
    "SELECT s.review_id FROM second_reviews s WHERE s.tenant_id = $1 AND s.review_id = $2 AND s.state = 'ENDED'",
    [context.tenantId, reviewId],
  );
  return row !== undefined;
}

/** A person as a report names them. */
export interface NamedPerson {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
}

/** The names of these people; unknown ids are left out. */
export async function listNames(context: Context, ids: readonly string[]): Promise<NamedPerson[]> {
  if (ids.length === 0) {
    return [];
  }
  return context.db.rows<NamedPerson>('SELECT id, display_name AS "displayName", email FROM users WHERE tenant_id = $1 AND id = ANY ($2)', [
    context.tenantId,
    ids,
  ]);
}

/** How many reports of a review nobody asked for. */
export async function countAutomaticReports(context: Context, reviewId: string): Promise<number> {
  const row = await context.db.one<{ count: number }>(
    `SELECT count(*) AS count FROM reports WHERE tenant_id = $1 AND review_id = $2 AND created_by_id = ''`,
    [context.tenantId, reviewId],
  );
  return row.count;
}
