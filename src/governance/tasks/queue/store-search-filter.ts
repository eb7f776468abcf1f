/**
 * SQL of task search: what each member of the filter asks of a task, and what stands beside a task. Where the tasks come from and in which
 * order is in store-search-sources.ts.
 */
import { anyOf, fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Conditions } from '../../../lib/where.ts';
import type { ApproverKind } from '../../policies/index.ts';
import { containsFolded } from '../../../foundation/search/index.ts';
import { type Task, type TaskKind, type TaskOutcome, taskSlot } from '../task/index.ts';

/** Tasks meant; a member that is undefined filters nothing, an empty list matches nothing. */
export interface TaskFilter {
  readonly ids?: readonly string[] | undefined;
  readonly reviewIds?: readonly string[] | undefined;
  readonly states?: readonly Task['state'][] | undefined;
  readonly outcomes?: readonly TaskOutcome[] | undefined;
  readonly appIds?: readonly string[] | undefined;
  readonly excludedAppIds?: readonly string[] | undefined;
  readonly entitlementIds?: readonly string[] | undefined;
  readonly excludedEntitlementIds?: readonly string[] | undefined;
  readonly resourceIds?: readonly string[] | undefined;
  readonly resourceTypeIds?: readonly string[] | undefined;
  readonly excludedResourceTypeIds?: readonly string[] | undefined;
  readonly accountIds?: readonly string[] | undefined;
  readonly accountTypes?: readonly string[] | undefined;
  readonly accountStatuses?: readonly string[] | undefined;
  readonly employmentStatuses?: readonly string[] | undefined;
  /** The person reviewed. */
  readonly userIds?: readonly string[] | undefined;
  readonly excludedIds?: readonly string[] | undefined;
  /** Creators of the review. */
  readonly openerIds?: readonly string[] | undefined;
  readonly openerOrSubjectId?: string | undefined;
  /** One of these is asked by the current step. */
  readonly assigneeIds?: readonly string[] | undefined;
  /** One of these is asked by the current step, and it is open. */
  readonly workerIds?: readonly string[] | undefined;
  /** One of these decided, reassigned or restarted it. */
  readonly actedByIds?: readonly string[] | undefined;
  /** Takes in tasks something was done to since, whatever `states` says. */
  readonly orActedAfter?: Date | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly endedAfter?: Date | undefined;
  readonly endedBefore?: Date | undefined;
  readonly approverTypes?: readonly ApproverKind[] | undefined;
  /** True if the current step asks to remove the access; false for one that asks to decide. */
  readonly isProvision?: boolean | undefined;
  readonly requiresApprovalReason?: boolean | undefined;
  readonly requiresDenialReason?: boolean | undefined;
  /** True if the viewer staged a decision about it. */
  readonly hasPending?: boolean | undefined;
  /** A number, or words, each of them part of the name of the account, its owner, the entitlement, its resource or its app. */
  readonly query?: string | undefined;
}

/** Reader: somebody who sees everything, or a person who sees what concerns them. */
export interface Viewer {
  readonly seesAll: boolean;
  readonly userId: string;
  /** Themselves, and those in whose place they decide. */
  readonly standsFor: readonly string[];
  /** Those who act when the viewer acts: their access is the viewer's own. */
  readonly behind: readonly string[];
  /** True if those of deleted reviews are shown, too. */
  readonly includesDeleted: boolean;
  /** Kinds of tasks looked for; undefined for all. */
  readonly kinds?: readonly TaskKind[] | undefined;
}

/** True if a review or batch of removals `b` has tasks that are shown. */
export function getShownSql({ includesDeleted, kinds }: Pick<Viewer, 'includesDeleted' | 'kinds'>): Sql {
  const shown = includesDeleted ? sql`b.state <> 'HIDDEN'` : sql`b.state NOT IN ('HIDDEN', 'CANCELLED')`;
  return kinds === undefined ? shown : sql`${shown} AND b.kind = ANY (${kinds})`;
}

/** Rows beside the task `t`, to be looked up by its key: each begins a subselect. */
export function getBeside(tenantId: string, viewer: Viewer) {
  return {
    account: sql`FROM snapshot_accounts a
      WHERE a.tenant_id = ${tenantId} AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id`,
    entitlement: sql`FROM snapshot_entitlements e
      WHERE e.tenant_id = ${tenantId} AND e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id`,
    review: sql`FROM ${fixed(taskSlot.get().reviews)} r WHERE r.tenant_id = ${tenantId} AND r.id = t.review_id`,
    acted: sql`FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.task_id = t.id AND x.kind <> 'COMMENTED'`,
    pending: sql`FROM pending_decisions d
      WHERE d.tenant_id = ${tenantId} AND d.review_id = t.review_id AND d.user_id = ${viewer.userId} AND d.task_id = t.id`,
    member: sql`FROM task_assignment_members n WHERE n.tenant_id = ${tenantId} AND n.assignment_id = t.assignment_id`,
    /** The current step on the route of the task. */
    step: sql`(SELECT p.document -> 'policySteps' -> 'certify' -> 'steps' -> t.step::int FROM review_routes p
      WHERE p.tenant_id = ${tenantId} AND p.review_id = t.review_id AND p.route_no = t.route_no)`,
    /** The approval of that step. */
    approval: sql`(SELECT p.document -> 'policySteps' -> 'certify' -> 'steps' -> t.step::int -> 'approval' FROM review_routes p
      WHERE p.tenant_id = ${tenantId} AND p.review_id = t.review_id AND p.route_no = t.route_no)`,
    shownReview: sql`FROM task_reviews b WHERE b.tenant_id = ${tenantId} AND b.id = t.review_id AND ${getShownSql(viewer)}`,
  } as const;
}
/** The subselects. */
export type Beside = ReturnType<typeof getBeside>;

/** Conditions on the task `t`, by member of the filter. What drives a source is not here but in store-search-sources.ts. */
export function getConditions(beside: Beside, { orActedAfter }: TaskFilter): Conditions<Omit<TaskFilter, 'orActedAfter'>> {
  const { account, entitlement, review, acted, member, step, approval, pending } = beside;
  return {
    ids: (ids) => sql`t.id = ANY (${ids})`,
    reviewIds: (ids) => sql`t.review_id = ANY (${ids})`,
    states: (states) =>
      orActedAfter === undefined
        ? sql`t.state = ANY (${states})`
        : sql`(t.state = ANY (${states}) OR EXISTS (SELECT ${acted} AND x.created_at >= ${orActedAfter}))`,
    outcomes: (outcomes) => sql`t.outcome = ANY (${outcomes})`,
    appIds: (ids) => sql`t.app_id = ANY (${ids})`,
    excludedAppIds: (ids) => sql`t.app_id <> ALL (${ids})`,
    entitlementIds: (ids) => sql`t.entitlement_id = ANY (${ids})`,
    excludedEntitlementIds: (ids) => sql`t.entitlement_id <> ALL (${ids})`,
    resourceIds: (ids) => sql`EXISTS (SELECT ${entitlement} AND e.resource_id = ANY (${ids}))`,
    resourceTypeIds: (ids) => sql`EXISTS (SELECT ${entitlement} AND e.resource_type_id = ANY (${ids}))`,
    excludedResourceTypeIds: (ids) => sql`NOT EXISTS (SELECT ${entitlement} AND e.resource_type_id = ANY (${ids}))`,
    accountIds: (ids) => sql`t.account_id = ANY (${ids})`,
    accountTypes: (types) => sql`EXISTS (SELECT ${account} AND a.account_type = ANY (${types}))`,
    accountStatuses: (statuses) => sql`EXISTS (SELECT ${account} AND a.account_status = ANY (${statuses}))`,
    employmentStatuses: (statuses) => sql`EXISTS (SELECT ${account} AND fold_case(a.employment_status) = ANY (${statuses}))`,
    userIds: (ids) => sql`t.user_id = ANY (${ids})`,
    excludedIds: (ids) => sql`t.id <> ALL (${ids})`,
    openerIds: (ids) => sql`EXISTS (SELECT ${review} AND r.created_by_id = ANY (${ids}))`,
    openerOrSubjectId: (id) => sql`(t.user_id = ${id} OR EXISTS (SELECT ${review} AND r.created_by_id = ${id}))`,
    assigneeIds: (ids) => sql`EXISTS (SELECT ${member} AND n.user_id = ANY (${ids}))`,
    workerIds: (ids) => sql`(t.state = 'OPEN' AND EXISTS (SELECT ${member} AND n.user_id = ANY (${ids})))`,
    actedByIds: (ids) => sql`EXISTS (SELECT ${acted} AND x.actor_id = ANY (${ids}))`,
    createdAfter: (moment) => sql`t.created_at >= ${moment}`,
    createdBefore: (moment) => sql`t.created_at < ${moment}`,
    endedAfter: (moment) => sql`t.ended_at >= ${moment}`,
    endedBefore: (moment) => sql`t.ended_at < ${moment}`,
    approverTypes: (types) => sql`(t.state = 'OPEN' AND ${approval} ?| ${types})`,
    isProvision: (wanted) => sql`(t.state = 'OPEN' AND coalesce(${step} ? 'provision', false) = ${wanted}::boolean)`,
    requiresApprovalReason: (wanted) => sql`${approval} ->> 'requireApprovalReason' = 'true' AND ${wanted}::boolean`,
    requiresDenialReason: (wanted) => sql`${approval} ->> 'requireDenialReason' = 'true' AND ${wanted}::boolean`,
    hasPending: (wanted) => (wanted ? sql`EXISTS (SELECT ${pending})` : sql`NOT EXISTS (SELECT ${pending})`),
    query: getTextConditionSql,
  };
}

/** The number that a query asks for: #12, or 12. */
export function findNumber(query: string): number | undefined {
  const digits = /^#?(\d{1,15})$/.exec(query.trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** True if task `t` has all words of a query in its keys, or its number. */
export function getTextConditionSql(query: string): Sql {
  const number = findNumber(query);
  const inKeys = containsFolded("(t.account_key || ' ' || t.owner_key || ' ' || t.place_key)")(query);
  return number === undefined ? inKeys : anyOf([sql`t.numeric_id = ${number}`, inKeys]);
}
