/**
 * SQL of how the actor stands to tasks, and of the decisions that were made by people with a relation (`task_actions.is_related`).
 */
import type { Context } from '../../../context.ts';
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import { getOwnerPeopleSql } from '../../../inventory/catalog/index.ts';
import { nameAtSql } from '../../../foundation/directory/index.ts';
import { getReviewJoinSql } from './store-review.ts';

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
 * apps, the accounts of the actor, and what the actor gave by hand. Who decided about the actor is asked from the actor's accounts on (OFFSET 0):
 * a plan made while nothing was decided begins with every action of the tenant.
 */
export function listStandings(context: Context, reviewId: string, taskIds: readonly string[]): Promise<StandingRow[]> {
  const { tenantId, actor } = context;
  const me = actor.userId;
  const isIssued = actor.issuerId !== '' && actor.issuerId !== me;
  return context.db.rows<StandingRow>(
    sql`WITH asked AS MATERIALIZED (
       SELECT t.id, t.app_id, t.entitlement_id, t.account_id, t.user_id FROM tasks t
       WHERE t.tenant_id = ${tenantId} AND t.id = ANY (${taskIds}) AND t.review_id = ${reviewId}),
     owned AS (${ownedApps(context)}),
     mine AS MATERIALIZED (SELECT c.app_id, c.id FROM accounts_public c WHERE c.tenant_id = ${tenantId} AND c.user_id = ${me} AND c.status <> 'DELETED'),
     administered AS MATERIALIZED (
       SELECT k.app_id FROM source_owners o JOIN sources_public k ON k.tenant_id = ${tenantId} AND k.id = o.source_id
       WHERE o.tenant_id = ${tenantId} AND o.user_id = ${me} AND k.app_id <> ''
       UNION
       SELECT g.app_id FROM mine m JOIN grants_public g ON g.tenant_id = ${tenantId} AND g.app_id = m.app_id AND g.account_id = m.id
         AND g.removed_revision IS NULL
       JOIN entitlements_public e ON e.tenant_id = ${tenantId} AND e.app_id = g.app_id AND e.id = g.entitlement_id AND e.risk_level_value_id <> ''
       JOIN classifications_public v ON v.tenant_id = ${tenantId} AND v.id = e.risk_level_value_id AND lower(v.value COLLATE "C") IN ('critical', 'high')),
     gave AS MATERIALIZED (
       SELECT v.revision FROM revisions_public v WHERE v.tenant_id = ${tenantId} AND v.cause = 'MANUAL' AND v.actor_id = ${me}),
     judges AS MATERIALIZED (
       SELECT DISTINCT x.actor_id FROM mine m
       CROSS JOIN LATERAL (SELECT t.id FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.account_id = m.id
         AND t.app_id = m.app_id OFFSET 0) t
       CROSS JOIN LATERAL (SELECT x.actor_id FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.task_id = t.id
         AND x.kind IN ('APPROVED', 'DENIED', 'AMENDED') OFFSET 0) x),
     stood AS (
       SELECT a.id AS "taskId", array_remove(ARRAY[
         CASE WHEN a.user_id = ${me} THEN 'SELF' END,
         CASE WHEN s.manager_id = ${me} THEN 'MANAGER' END,
         CASE WHEN a.user_id = (SELECT u.manager_id FROM users_public u WHERE u.tenant_id = ${tenantId} AND u.id = ${me}) THEN 'REPORT' END,
         CASE WHEN EXISTS (SELECT FROM gave) AND EXISTS (
           SELECT FROM grants_public g
           WHERE g.tenant_id = ${tenantId} AND g.app_id = a.app_id AND g.entitlement_id = a.entitlement_id AND g.account_id = a.account_id
             AND g.removed_revision IS NULL AND g.added_revision IN (SELECT v.revision FROM gave v)) THEN 'GRANTER' END,
         CASE WHEN a.app_id IN (SELECT o.app_id FROM owned o) THEN 'APP_OWNER' END,
         CASE WHEN a.app_id IN (SELECT d.app_id FROM administered d) THEN 'APP_ADMINISTRATOR' END,
         CASE WHEN ${isIssued} THEN 'ISSUED_CREDENTIAL' END,
         CASE WHEN a.user_id <> ${me} AND a.user_id IN (SELECT j.actor_id FROM judges j) THEN 'RECIPROCAL' END], NULL) AS relations
       FROM asked a LEFT JOIN users_public s ON s.tenant_id = ${tenantId} AND s.id = a.user_id)
     SELECT d."taskId", d.relations, coalesce(r.independence->'blocked', '[]') AS blocked
     FROM stood d ${getReviewJoinSql(tenantId, sql`${reviewId}`)} WHERE d.relations <> '{}'`,
  );
}

/** The apps of the tasks that are asked about which the actor owns. */
function ownedApps(context: Context): Sql {
  const owners = getOwnerPeopleSql(context, 'app', sql`SELECT DISTINCT a.app_id, a.app_id FROM asked a`);
  return sql`SELECT w.app_id FROM (${owners}) w WHERE w.user_id = ${context.actor.userId}`;
}

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
