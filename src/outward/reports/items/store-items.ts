/**
 * SQL of what reports tell of an item, read from the tasks, their snapshot and what people did to them. How a row looks in a file is in columns.ts.
 */
import type { Context } from '../../../context.ts';
import { fixed, sql } from '../../../lib/sql.ts';
import { nameAtSql } from '../../../foundation/directory/index.ts';
import type { ResidualRow, RevocationState } from '../../../governance/revocations/index.ts';
import {
  getReportedEndSql,
  type ActionData,
  type ActionKind,
  type EndReason,
  type ReportedEnd,
  type TaskOutcome,
} from '../../../governance/tasks/index.ts';

/** The account `a` of a snapshot as reports name it; one whose names were erased says so. '' where it is no account. */
export const accountNameSql = `CASE WHEN a.external_id = '' AND a.principal_kind = 'A' THEN 'erased' ELSE coalesce(a.external_id, '') END`;

/** Its owner, or that their name was erased; '' for none. */
export const ownerNameSql = `CASE WHEN a.external_id = '' AND a.user_id <> '' THEN 'erased' ELSE coalesce(a.user_display_name, '') END`;

/** Act of somebody on a task; `createdAt` is text, RFC 3339. */
export interface TaskActionRow {
  readonly id: string;
  readonly kind: ActionKind;
  readonly step: number;
  readonly actorId: string;
  readonly issuerId: string;
  readonly comment: string;
  readonly submissionId: string;
  readonly data: ActionData;
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
  readonly decidedById: string | null;
  /** The end of what was certified; null where no date was set. */
  readonly certifyUntil: Date | null;
  readonly lastUsedAt: Date | null;
  readonly account: string;
  readonly accountType: string;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly ownerEmail: string;
  /** True if the account was matched by an address that the owner had before. */
  readonly ownerByFormerAddress: boolean;
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
  /** The end that a source reports, where it had passed when the review was prepared and the access was still reported; null for others. */
  readonly reportedEnd: ReportedEnd | null;
  /** Of an item of a second review that is over: its second decision, if there was one; null for others. `at` is text, RFC 3339. */
  readonly second: SecondDecisionRow | null;
}

/** The second decision about an item that was drawn; empty where nobody answered. */
export interface SecondDecisionRow {
  readonly decision: '' | 'APPROVE' | 'DENY';
  readonly agrees: boolean;
  readonly byId: string;
  readonly byName: string;
  readonly issuerId: string;
  /** Issuer of what it was answered through; empty for nobody. */
  readonly issuerName: string;
  readonly at: string | null;
  readonly comment: string;
}

/** The removal of a denied item. */
export interface RemovalRow {
  readonly id: string;
  readonly state: RevocationState;
  readonly stateAt: string;
  readonly actorId: string;
  readonly actorIssuerId: string;
  readonly claimedById: string;
  readonly claimedIssuerId: string;
  /** RFC 3339; null where nobody claimed it. */
  readonly claimedAt: string | null;
  readonly actorName: string;
  readonly actorIssuerName: string;
  readonly claimedByName: string;
  readonly claimedIssuerName: string;
  readonly syncId: string;
  readonly revision: number | null;
  readonly note: string;
  /** Other ways by which the access is held now. */
  readonly residual: readonly ResidualRow[];
}

/**
 * The items of a review by task id, after `after`, at most `limit`: one statement for all of them. Everything is as the snapshot of the
 * review has it; people who acted later are named as they were then.
 */
export function listReviewItems(context: Context, reviewId: string, after: string, limit: number): Promise<ReviewItemRow[]> {
  const { tenantId } = context;
  const reportedEnd = getReportedEndSql(
    tenantId,
    sql`(SELECT h.revision FROM snapshot_heads h WHERE h.tenant_id = ${tenantId} AND h.review_id = ${reviewId})`,
  );
  return context.db.rows<ReviewItemRow>(
    sql`SELECT t.id AS "taskId", t.numeric_id AS "numericId", t.state, t.outcome, t.end_reason AS "endReason", t.ended_at AS "endedAt", t.decided_by_id AS "decidedById",
       t.certify_until AS "certifyUntil", t.last_used_at AS "lastUsedAt", ${fixed(accountNameSql)} AS "account", coalesce(a.account_type, '') AS "accountType",
       coalesce(a.user_id, '') AS "ownerId", ${fixed(ownerNameSql)} AS "ownerName", coalesce(a.user_email, '') AS "ownerEmail",
       coalesce(a.owner_by_former_address, false) AS "ownerByFormerAddress",
       coalesce(a.employment_status, '') AS "employmentStatus", coalesce(a.department, '') AS "department",
       coalesce(a.job_title, '') AS "jobTitle", coalesce(a.manager_email, '') AS "managerEmail",
       coalesce(nullif(u.employee_id, ''), u.profile ->> 'employee_id', '') AS "employeeId",
       coalesce(nullif(u.employment_type, ''), u.profile ->> 'employment_type', '') AS "employmentType",
       coalesce(e.app_display_name, '') AS "appName", coalesce(e.resource_display_name, '') AS "resourceName",
       coalesce(e.resource_type_display_name, '') AS "resourceTypeName", coalesce(e.display_name, '') AS "entitlementName",
       coalesce(e.description, '') AS "description", coalesce(rp.document ->> 'displayName', p.display_name, '') AS "policyName",
       coalesce(s.user_ids, '{}') AS "assigneeIds", ${reportedEnd} AS "reportedEnd",
       (SELECT coalesce(json_agg(json_build_object('id', h.id, 'kind', h.kind, 'step', h.step, 'actorId', h.actor_id,
          'issuerId', h.issuer_id, 'comment', h.comment, 'submissionId', h.submission_id, 'data', h.data,
          'createdAt', h.created_at) ORDER BY h.id), '[]')
        FROM task_actions_public h WHERE h.tenant_id = ${tenantId} AND h.task_id = t.id) AS "actions",
       (SELECT json_build_object('id', v.id, 'state', v.state, 'stateAt', v.state_at, 'syncId', v.sync_id, 'revision', v.revision, 'note', v.note,
          'residual', residual_access(${tenantId}, v.app_id, v.entitlement_id, v.account_id, v.user_id),
          'actorId', coalesce(v.actor_id, ''), 'actorIssuerId', coalesce(v.actor_issuer_id, ''),
          'claimedById', coalesce(v.claimed_by_id, ''), 'claimedIssuerId', coalesce(v.claimed_issuer_id, ''),
          'claimedAt', v.claimed_at,
          'actorName', coalesce(${nameAtSql(tenantId, 'v.actor_id', 'v.state_at')}, ''),
          'claimedByName', coalesce(${nameAtSql(tenantId, 'v.claimed_by_id', 'v.claimed_at')}, ''),
          'actorIssuerName', coalesce(${nameAtSql(tenantId, 'nullif(v.actor_issuer_id, v.actor_id)', 'v.state_at')}, ''),
          'claimedIssuerName', coalesce(${nameAtSql(tenantId, 'nullif(v.claimed_issuer_id, v.claimed_by_id)', 'v.claimed_at')}, ''))
        FROM revocations_public v WHERE v.tenant_id = ${tenantId} AND v.certify_task_id = t.id ORDER BY v.created_at DESC, v.id DESC LIMIT 1) AS "removal",
       (SELECT json_build_object('decision', i.decision, 'agrees', i.decision = i.first_decision, 'at', i.decided_at, 'comment', i.comment,
          'byId', coalesce(i.decided_by_id, ''), 'issuerId', coalesce(i.decided_issuer_id, ''),
          'byName', coalesce(${nameAtSql(tenantId, 'i.decided_by_id', 'i.decided_at')}, ''),
          'issuerName', coalesce(${nameAtSql(tenantId, 'nullif(i.decided_issuer_id, i.decided_by_id)', 'i.decided_at')}, ''))
        FROM second_review_items i JOIN second_reviews w ON w.tenant_id = ${tenantId} AND w.review_id = i.review_id AND w.state = 'ENDED'
        WHERE i.tenant_id = ${tenantId} AND i.task_id = t.id) AS "second"
     FROM (SELECT * FROM tasks_public WHERE tenant_id = ${tenantId} AND review_id = ${reviewId} AND id > ${after} ORDER BY id LIMIT ${limit}) t
     LEFT JOIN snapshot_accounts a ON a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.app_id = t.app_id AND a.account_id = t.account_id
     LEFT JOIN snapshot_entitlements e
       ON e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id
     LEFT JOIN snapshot_policies rp ON rp.tenant_id = ${tenantId} AND rp.review_id = ${reviewId} AND rp.policy_id = t.policy_id
     LEFT JOIN policies_public p ON p.tenant_id = ${tenantId} AND p.id = t.policy_id
     LEFT JOIN assignments_public s ON s.tenant_id = ${tenantId} AND s.id = t.assignment_id
     LEFT JOIN snapshot_people u ON u.tenant_id = ${tenantId} AND u.review_id = ${reviewId} AND u.user_id = t.user_id
     ORDER BY t.id`,
  );
}
