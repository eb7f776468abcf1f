/**
 * SQL of the items of blind second reviews: as those who are asked read them, without the first decision; their answers; and both decisions, once it is over.
 */
import type { Context } from '../../context.ts';
import { empty, fixed, sql } from '../../lib/sql.ts';
import { getOwnedAppsSql } from '../../inventory/catalog/index.ts';
import { getKnowingSql } from './store.ts';

/** First decision about an item (`second_review_items.first_decision`). */
export type FirstDecision = 'APPROVE' | 'DENY';

/** Answer given about it (`second_review_items.decision`); empty for nothing. */
export type SecondDecision = '' | 'APPROVE' | 'DENY';

/** A second review that asks somebody. */
export interface AskedRow {
  readonly reviewId: string;
  readonly displayName: string;
  readonly asked: number;
  readonly answered: number;
}

/** A page of the second reviews under way that ask the actor, behind a review id. */
export function listAsked({ db, tenantId, actor }: Context, after: string, limit: number): Promise<AskedRow[]> {
  return db.rows<AskedRow>(
    sql`SELECT s.review_id AS "reviewId", coalesce(r.document ->> 'displayName', '') AS "displayName", n.asked, n.answered
     FROM second_reviews s JOIN reviews_public r ON r.tenant_id = ${tenantId} AND r.id = s.review_id AND r.state <> 'DELETED'
     CROSS JOIN LATERAL (
       SELECT count(*) AS asked, count(*) FILTER (WHERE i.decision <> '') AS answered FROM second_review_items i
       WHERE i.tenant_id = ${tenantId} AND i.review_id = s.review_id AND ${actor.userId} = ANY (i.reviewer_ids)) n
     WHERE s.tenant_id = ${tenantId} AND s.state = 'OPEN' AND ${actor.userId} = ANY (s.reviewer_ids) AND s.review_id > ${after}
     ORDER BY s.review_id LIMIT ${limit}`,
  );
}

/** An item as it is asked: nothing here comes from the first decision. */
export interface QuestionRow {
  readonly place: number;
  readonly taskId: string;
  readonly appName: string;
  readonly account: string;
  readonly accountType: string;
  readonly accountStatus: string;
  readonly person: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly resource: string;
  readonly entitlement: string;
  readonly description: string;
  readonly riskLevel: string;
  readonly grantedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly flags: number;
  readonly score: number;
  readonly decision: SecondDecision;
  readonly comment: string;
}

/** Joins what the item `i` is about, as its snapshot has it. */
const inSnapshot = (tenantId: string, reviewId: string) => sql`JOIN tasks_public t ON t.tenant_id = ${tenantId} AND t.id = i.task_id
  LEFT JOIN snapshot_accounts a ON a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.app_id = t.app_id AND a.account_id = t.account_id
  LEFT JOIN snapshot_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id`;

const about = fixed(`coalesce(e.app_display_name, '') AS "appName", coalesce(a.external_id, '') AS account,
  coalesce(nullif(a.user_display_name, ''), a.user_email, '') AS person, coalesce(e.resource_display_name, '') AS resource,
  coalesce(e.display_name, '') AS entitlement`);

/** A page of what the actor is asked or answered, in the order of the draw. */
export function listQuestions({ db, tenantId, actor }: Context, reviewId: string, after: number, limit: number): Promise<QuestionRow[]> {
  return db.rows<QuestionRow>(
    sql`SELECT i.place, i.task_id AS "taskId", ${about}, coalesce(a.account_type, '') AS "accountType", coalesce(a.account_status, '') AS "accountStatus",
       coalesce(a.department, '') AS department, coalesce(a.job_title, '') AS "jobTitle", coalesce(e.description, '') AS description,
       coalesce(e.risk_level_display_name, '') AS "riskLevel", t.granted_at AS "grantedAt", t.last_used_at AS "lastUsedAt", t.flags, t.score,
       i.decision, i.comment
     FROM second_review_items i ${inSnapshot(tenantId, reviewId)}
     WHERE i.tenant_id = ${tenantId} AND i.review_id = ${reviewId} AND i.place > ${after} AND ${actor.userId} = ANY (i.reviewer_ids)
       AND (i.decision = '' OR i.decided_by_id = ${actor.userId}) ORDER BY i.place LIMIT ${limit}`,
  );
}

/** An item as far as an answer has to know it. */
export interface LockedItem {
  readonly taskId: string;
  readonly reviewerIds: readonly string[];
  /** True if the actor owns its app. */
  readonly isOfOwnApp: boolean;
  /** True if the actor was asked, or did something, where its first decision is read. */
  readonly isKnown: boolean;
  readonly personId: string | null;
  readonly firstDecidedById: string;
  /** Issuer of what it was decided through; empty for nobody. */
  readonly firstIssuerId: string;
  readonly decision: SecondDecision;
  readonly decidedById: string;
}

/** These items of a second review, locked in the order of the draw until the transaction ends. */
export function lockItems(context: Context, reviewId: string, taskIds: readonly string[]): Promise<LockedItem[]> {
  const { db, tenantId } = context;
  return db.rows<LockedItem>(
    sql`SELECT i.task_id AS "taskId", i.reviewer_ids AS "reviewerIds", t.app_id = ANY (${getOwnedAppsSql(context)}) AS "isOfOwnApp",
       ${context.actor.userId} = ANY (ARRAY(${getKnowingSql(tenantId, fixed('i.task_id'))})) AS "isKnown", t.user_id AS "personId", i.first_decided_by_id AS "firstDecidedById",
       coalesce(t.decided_issuer_id, '') AS "firstIssuerId", i.decision, i.decided_by_id AS "decidedById"
     FROM second_review_items i JOIN tasks_public t ON t.tenant_id = ${tenantId} AND t.id = i.task_id
     WHERE i.tenant_id = ${tenantId} AND i.review_id = ${reviewId} AND i.task_id = ANY (${[...taskIds]}::text[]) ORDER BY i.place FOR UPDATE OF i`,
  );
}

/** Somebody's answer about an item. */
export interface Answer {
  readonly taskId: string;
  readonly decision: FirstDecision;
  readonly comment: string;
}

/** Writes answers of the actor to locked items. */
export async function updateAnswers({ db, tenantId, actor, now }: Context, reviewId: string, answers: readonly Answer[]): Promise<void> {
  await db.run(
    sql`UPDATE second_review_items i SET decision = n.decision, comment = n.comment, decided_by_id = ${actor.userId},
       decided_issuer_id = ${actor.issuerId}, decided_at = ${now}
     FROM jsonb_to_recordset(${JSON.stringify(answers)}) AS n ("taskId" text, decision text, comment text)
     WHERE i.tenant_id = ${tenantId} AND i.review_id = ${reviewId} AND i.task_id = n."taskId" AND i.decision = ''`,
  );
}

/** An item with both decisions. */
export interface ComparedRow {
  readonly place: number;
  readonly taskId: string;
  readonly appName: string;
  readonly account: string;
  readonly person: string;
  readonly resource: string;
  readonly entitlement: string;
  readonly firstDecision: FirstDecision;
  readonly firstDecidedById: string;
  readonly firstDecidedAt: Date;
  readonly decision: SecondDecision;
  readonly decidedById: string;
  readonly decidedAt: Date | null;
  readonly comment: string;
  /** Issuer of what each was decided through; empty for nobody. */
  readonly firstIssuerId: string;
  readonly issuerId: string;
}

/** A page of the items with both decisions, in the order of the draw; only those that differ where that is asked for. */
export function listCompared(
  { db, tenantId }: Context,
  reviewId: string,
  onlyDisagreements: boolean,
  after: number,
  limit: number,
): Promise<ComparedRow[]> {
  const only = onlyDisagreements ? fixed(`AND i.decision <> '' AND i.decision <> i.first_decision`) : empty;
  return db.rows<ComparedRow>(
    sql`SELECT i.place, i.task_id AS "taskId", ${about}, i.first_decision AS "firstDecision", i.first_decided_by_id AS "firstDecidedById",
       i.first_decided_at AS "firstDecidedAt", i.decision, i.decided_by_id AS "decidedById", i.decided_at AS "decidedAt", i.comment,
       coalesce(t.decided_issuer_id, '') AS "firstIssuerId", i.decided_issuer_id AS "issuerId"
     FROM second_review_items i ${inSnapshot(tenantId, reviewId)}
     WHERE i.tenant_id = ${tenantId} AND i.review_id = ${reviewId} AND i.place > ${after} ${only} ORDER BY i.place LIMIT ${limit}`,
  );
}

/** Those of these people who cannot be asked, each with why: nobody with the id, not enabled, no person, or somebody who reads every review. */
export function listUnfit(
  { db, tenantId }: Context,
  userIds: readonly string[],
  readingRoleIds: readonly string[],
): Promise<{ id: string; why: string }[]> {
  return db.rows(
    sql`SELECT n.id, CASE WHEN u.id IS NULL THEN 'is no person here' WHEN u.status <> 'ENABLED' THEN 'is not enabled' WHEN u.user_type <> 'HUMAN' THEN 'is no human'
         WHEN u.employment_status = 'TERMINATED' THEN 'has left' ELSE 'reads every review, and so the first decisions' END AS why
     FROM unnest(${[...userIds]}::text[]) AS n (id) LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = n.id
     WHERE u.id IS NULL OR u.status <> 'ENABLED' OR u.user_type <> 'HUMAN' OR u.employment_status = 'TERMINATED'
       OR EXISTS (SELECT FROM roles_held o WHERE o.tenant_id = ${tenantId} AND o.user_id = n.id
         AND o.role_id = ANY (${[...readingRoleIds]}::text[])) ORDER BY n.id`,
  );
}
