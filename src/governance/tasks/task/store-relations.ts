/**
 * SQL of how the actor stands to tasks, and of the decisions that were made by people with a relation (`task_actions.is_related`).
 */
import type { Context } from '../../../context.ts';
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import { getOwnsAppSql } from '../../../inventory/catalog/index.ts';
import { nameAtSql } from '../../../foundation/directory/index.ts';
import { getReviewJoinSql } from './store-review.ts';
import { getIsOneOfSql } from './store.ts';

/** Relation of a decider to the person or the access. */
export type Relation = 'SELF' | 'MANAGER' | 'REPORT' | 'GRANTER' | 'APP_OWNER' | 'APP_ADMINISTRATOR' | 'ISSUED_CREDENTIAL' | 'RECIPROCAL';

/** Relations of the actor to a task, and those its review blocks. */
export interface StandingRow {
  readonly taskId: string;
  readonly relations: readonly Relation[];
  readonly blocked: readonly Relation[];
}

/**
 * The relations of the actor to tasks of one review, those without any left out. Grows with the tasks named (a few look-ups by key each), their
 * apps, the accounts of the actor, and what those hold in these apps and are asked about in the review. Each look-up is a subselect of one table:
 * LIMIT and OFFSET 0 keep the planner from turning it round, which without statistics reads every grant, person or action of the tenant instead. An
 * ORDER BY, and a condition that stands outside, keep it from an index that begins with the tenant as well and that looks as good then.
 */
export function listStandings(context: Context, reviewId: string, taskIds: readonly string[]): Promise<StandingRow[]> {
  const { tenantId, actor } = context;
  const me = actor.userId;
  const isIssued = actor.issuerId !== '' && actor.issuerId !== me;
  return context.db.rows<StandingRow>(
    sql`WITH asked AS MATERIALIZED (
       SELECT t.id, t.app_id, t.entitlement_id, t.account_id, t.user_id FROM tasks t
       WHERE t.tenant_id = ${tenantId} AND ${getIsOneOfSql(taskIds)} AND t.review_id = ${reviewId}),
     asked_apps AS MATERIALIZED (SELECT DISTINCT a.app_id FROM asked a),
     mine AS MATERIALIZED (SELECT c.app_id, c.id FROM accounts_public c WHERE c.tenant_id = ${tenantId} AND c.user_id = ${me} AND c.status <> 'DELETED'
       ORDER BY c.app_id, c.id),
     owned AS MATERIALIZED (SELECT p.app_id FROM asked_apps p WHERE ${getOwnsAppSql(context, sql`p.app_id`)}),
     administered AS MATERIALIZED (
       SELECT k.app_id FROM source_owners o
       CROSS JOIN LATERAL (SELECT k.app_id FROM sources_public k WHERE k.tenant_id = ${tenantId} AND k.id = o.source_id OFFSET 0) k
       WHERE o.tenant_id = ${tenantId} AND o.user_id = ${me}
       UNION ALL
       SELECT m.app_id FROM mine m
       CROSS JOIN LATERAL (SELECT g.entitlement_id, g.removed_revision FROM grants_public g WHERE g.tenant_id = ${tenantId} AND g.app_id = m.app_id
         AND g.account_id = m.id OFFSET 0) g
       CROSS JOIN LATERAL (SELECT e.id, e.risk_level_value_id FROM entitlements_public e WHERE e.tenant_id = ${tenantId} AND e.app_id = m.app_id
         AND e.id >= g.entitlement_id ORDER BY e.id LIMIT 1) e
       CROSS JOIN LATERAL (SELECT v.value FROM classifications_public v WHERE v.tenant_id = ${tenantId} AND v.id = e.risk_level_value_id OFFSET 0) v
       WHERE m.app_id IN (SELECT p.app_id FROM asked_apps p) AND g.removed_revision IS NULL AND e.id = g.entitlement_id AND e.risk_level_value_id <> '' AND lower(v.value COLLATE "C") IN ('critical', 'high')),
     judges AS MATERIALIZED (
       SELECT DISTINCT x.actor_id FROM mine m
       CROSS JOIN LATERAL (SELECT t.id FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.account_id >= m.id
         AND t.account_id <= m.id AND t.app_id = m.app_id ORDER BY t.account_id, t.entitlement_id OFFSET 0) t
       CROSS JOIN LATERAL (SELECT x.actor_id FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.task_id = t.id
         AND x.kind IN ('APPROVED', 'DENIED', 'AMENDED') ORDER BY x.id OFFSET 0) x),
     stood AS MATERIALIZED (
       SELECT a.id AS "taskId", array_remove(ARRAY[
         CASE WHEN a.user_id = ${me} THEN 'SELF' END,
         CASE WHEN ${getManagerSql(tenantId, sql`a.user_id`)} = ${me} THEN 'MANAGER' END,
         CASE WHEN a.user_id = ${getManagerSql(tenantId, sql`${me}`)} THEN 'REPORT' END,
         CASE WHEN ${getHasGivenSql(tenantId, me)} THEN CASE WHEN ${getGaveSql(tenantId, me)} THEN 'GRANTER' END END,
         CASE WHEN a.app_id IN (SELECT o.app_id FROM owned o) THEN 'APP_OWNER' END,
         CASE WHEN a.app_id IN (SELECT d.app_id FROM administered d) THEN 'APP_ADMINISTRATOR' END,
         CASE WHEN ${isIssued} THEN 'ISSUED_CREDENTIAL' END,
         CASE WHEN a.user_id <> ${me} THEN CASE WHEN a.user_id IN (SELECT j.actor_id FROM judges j) THEN 'RECIPROCAL' END END], NULL) AS relations
       FROM asked a)
     SELECT d."taskId", d.relations, coalesce(r.independence->'blocked', '[]') AS blocked
     FROM stood d ${getReviewJoinSql(tenantId, sql`${reviewId}`)} WHERE d.relations <> '{}'`,
  );
}

/**
 * Selects the manager of a person. The first of the ids from theirs on, in their order: of a person by equality, a plan made without statistics takes
 * the newest of all indexes of people, and reads all of it.
 */
const getManagerSql = (tenantId: string, userId: Sql): Sql =>
  sql`(SELECT CASE WHEN u.id = ${userId} THEN u.manager_id END FROM (
     SELECT u.id, u.manager_id FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.id >= ${userId} ORDER BY u.id LIMIT 1) u)`;

/** True if a person has given any access by hand, by the index of what somebody made. */
const getHasGivenSql = (tenantId: string, userId: string): Sql =>
  sql`(SELECT TRUE FROM revisions_public v WHERE v.tenant_id = ${tenantId} AND v.cause = 'MANUAL' AND v.actor_id = ${userId} LIMIT 1)`;

/** True if a person gave the access of the task `a` by hand: its grant is looked up, and who made that. */
const getGaveSql = (tenantId: string, userId: string): Sql =>
  sql`(SELECT TRUE FROM revisions_public v WHERE v.tenant_id = ${tenantId} AND v.cause = 'MANUAL' AND v.actor_id = ${userId} AND v.revision = (
     SELECT g.added_revision FROM grants_public g WHERE g.tenant_id = ${tenantId} AND g.app_id = a.app_id AND g.entitlement_id = a.entitlement_id
       AND g.account_id = a.account_id AND g.removed_revision IS NULL))`;

/** Count of decisions by people of one relation. */
export interface RelationCount {
  readonly relation: Relation;
  readonly decisions: number;
  readonly approvals: number;
}

const isApproval = fixed(`(x.kind = 'APPROVED' OR x.kind = 'AMENDED' AND x.data->>'decision' = 'APPROVE')`);

/** Counts the decisions of a review by relation. Grows with the decisions that have one. */
export function countRelations(context: Context, reviewId: string): Promise<RelationCount[]> {
  return context.db.rows<RelationCount>(
    sql`SELECT r.relation, count(*) AS decisions, count(*) FILTER (WHERE ${isApproval}) AS approvals
     FROM task_actions x CROSS JOIN LATERAL jsonb_array_elements_text(x.data->'relations') AS r (relation)
     WHERE x.tenant_id = ${context.tenantId} AND x.review_id = ${reviewId} AND x.is_related GROUP BY 1 ORDER BY 1`,
  );
}

/** A decision by somebody with a relation. */
export interface RelatedDecision {
  readonly taskId: string;
  readonly actionId: string;
  readonly decidedAt: Date;
  readonly userId: string;
  readonly personId: string;
  readonly issuerId: string;
  readonly isApproved: boolean;
  readonly relations: readonly Relation[];
  readonly comment: string;
  readonly userName: string;
  readonly issuerName: string;
  readonly appId: string;
  readonly appName: string;
  readonly entitlementId: string;
  readonly entitlement: string;
  readonly subject: string;
}

/** The name that whoever a column of the action `x` names had then; empty for nobody. */
const nameOf = (tenantId: string, column: string): Sql => sql`coalesce(${nameAtSql(tenantId, column, 'x.created_at')}, '')`;

/** A page of them by id, behind `after`; only those with one of these relations where any are given. */
export function listRelatedDecisions(
  context: Context,
  reviewId: string,
  relations: readonly Relation[],
  after: string,
  limit: number,
): Promise<RelatedDecision[]> {
  const { tenantId } = context;
  const only = relations.length === 0 ? sql`` : sql` AND jsonb_exists_any(x.data->'relations', ${relations}::text[])`;
  return context.db.rows<RelatedDecision>(
    sql`SELECT x.task_id AS "taskId", x.id AS "actionId", x.created_at AS "decidedAt", x.actor_id AS "userId", coalesce(t.user_id, '') AS "personId",
       x.issuer_id AS "issuerId", ${isApproval} AS "isApproved", x.data->'relations' AS relations, x.comment,
       ${nameOf(tenantId, 'x.actor_id')} AS "userName", ${nameOf(tenantId, 'x.issuer_id')} AS "issuerName",
       t.app_id AS "appId", coalesce(e.app_display_name, '') AS "appName", t.entitlement_id AS "entitlementId",
       coalesce(e.display_name, '') AS entitlement, coalesce(nullif(a.user_display_name, ''), a.external_id, '') AS subject
     FROM (SELECT x.* FROM task_actions x
       WHERE x.tenant_id = ${tenantId} AND x.review_id = ${reviewId} AND x.is_related AND x.id > ${after}${only} ORDER BY x.id LIMIT ${limit}) x
     JOIN tasks t ON t.tenant_id = ${tenantId} AND t.id = x.task_id
     LEFT JOIN snapshot_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = x.review_id AND e.app_id = t.app_id
       AND e.entitlement_id = t.entitlement_id
     LEFT JOIN snapshot_accounts a ON a.tenant_id = ${tenantId} AND a.review_id = x.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
     ORDER BY x.id`,
  );
}
