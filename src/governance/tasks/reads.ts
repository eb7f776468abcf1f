/**
 * Data other modules may read of the tasks: a view for each interface, made by a migration, and functions. A column that is renamed in its table
 * keeps its name here. The columns are compared with the schema (test/schema.test.ts).
 */
import { empty, type Sql, sql } from '../../lib/sql.ts';

/**
 * `tasks_public`: a task, in whatever state. `tasks_pkey` answers by id, `tasks_by_review` by review, `tasks_by_entitlement` by review and
 * entitlement, `tasks_one_per_grant` by review and grant.
 */
export interface TaskPublic {
  readonly tenant_id: string;
  readonly id: string;
  readonly review_id: string;
  readonly numeric_id: number;
  readonly app_id: string;
  readonly entitlement_id: string;
  readonly account_id: string;
  readonly user_id: string | null;
  readonly policy_id: string;
  readonly step: number;
  readonly assignment_id: string | null;
  readonly granted_at: Date | null;
  readonly last_used_at: Date | null;
  readonly state: string;
  readonly outcome: string;
  readonly end_reason: string;
  readonly decided_by_id: string | null;
  readonly decided_issuer_id: string | null;
  readonly ended_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly route_no: number;
  readonly certify_until: Date | null;
  readonly score: number;
  readonly flags: number;
  readonly peers: number;
  readonly principal_kind: string;
}

/**
 * `task_reviews_public`: a review as its tasks know it: whether they may be answered, and of which kind they are. `task_reviews_pkey`
 * answers by id.
 */
export interface TaskReview {
  readonly tenant_id: string;
  readonly id: string;
  readonly state: string;
  readonly manager_ids: readonly string[];
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly kind: string;
}

/**
 * `assignments_public`: a set of people who are asked together. `task_assignments_pkey` answers by id, `task_assignments_by_review` by
 * review.
 */
export interface AssignmentPublic {
  readonly tenant_id: string;
  readonly id: string;
  readonly review_id: string;
  readonly user_ids: readonly string[];
  readonly reason: string;
  readonly is_fallback: boolean;
  readonly created_at: Date;
}

/**
 * `assignees_public`: somebody of a set of people who are asked together. `task_assignment_members_pkey` answers by person,
 * `task_assignment_members_by_assignment` by set.
 */
export interface AssigneePublic {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly assignment_id: string;
  readonly review_id: string;
}

/**
 * `task_actions_public`: an act of somebody, or of the service, on a task. `task_actions_pkey` answers by task, `task_actions_by_review`
 * by review.
 */
export interface TaskActionPublic {
  readonly tenant_id: string;
  readonly task_id: string;
  readonly id: string;
  readonly review_id: string;
  readonly kind: string;
  readonly step: number;
  readonly actor_id: string;
  readonly issuer_id: string;
  readonly comment: string;
  readonly data: unknown;
  readonly submission_id: string;
  readonly created_at: Date;
}

/** `routes_public`: a way of a policy that tasks of a review go. `review_routes_pkey` answers by review and number. */
export interface RoutePublic {
  readonly tenant_id: string;
  readonly review_id: string;
  readonly route_no: number;
  readonly document: unknown;
  readonly created_at: Date;
}

/**
 * Returns the condition that a review asks or shows the person, or somebody they stand for, about an app, or entitlements of it, whose ids are selected. What is not
 * in a review's snapshot is found there by its key, before any task is read. `review_entitlements_pkey`, `task_assignment_members_pkey` and
 * `tasks_by_assignment` answer.
 */
export function getIsAskedSql(
  tenantId: string,
  { userId, standsFor }: { readonly userId: string; readonly standsFor: readonly string[] },
  appId: string,
  entitlementIds: Sql | undefined,
): Sql {
  const isShown = sql`b.state NOT IN ('HIDDEN', 'CANCELLED')`;
  const [ofSnapshot, ofTask] =
    entitlementIds === undefined
      ? [empty, empty]
      : [sql` AND e.entitlement_id IN (${entitlementIds})`, sql` AND t.entitlement_id IN (${entitlementIds})`];
  const inSnapshot = sql`EXISTS (SELECT FROM snapshot_entitlements e
    WHERE e.tenant_id = ${tenantId} AND e.review_id = b.id AND e.app_id = ${appId} AND NOT e.is_excluded${ofSnapshot})`;
  return sql`EXISTS (SELECT FROM task_reviews b WHERE b.tenant_id = ${tenantId} AND ${isShown} AND ${userId} = ANY (b.manager_ids) AND ${inSnapshot})
    OR EXISTS (
      SELECT FROM (SELECT DISTINCT m.review_id, m.assignment_id FROM task_assignment_members m
                   WHERE m.tenant_id = ${tenantId} AND m.user_id = ANY (${standsFor})) m
      JOIN task_reviews b ON b.tenant_id = ${tenantId} AND b.id = m.review_id AND ${isShown}
      CROSS JOIN LATERAL (
        SELECT FROM tasks t
        WHERE ${inSnapshot} AND t.tenant_id = ${tenantId} AND t.assignment_id = m.assignment_id AND t.app_id = ${appId}${ofTask} LIMIT 1) t)`;
}

/** Returns the condition that a review certified the grant `g` (`app_id`, `account_id`, `entitlement_id`); `tasks_one_per_grant` answers. */
export function getIsCertifiedSql(tenantId: string, reviewId: string): Sql {
  return sql`EXISTS (SELECT FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.account_id = g.account_id
    AND t.app_id = g.app_id AND t.entitlement_id = g.entitlement_id AND t.outcome = 'CERTIFIED')`;
}
