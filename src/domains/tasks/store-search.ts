/**
 * SQL of task search: which tasks an actor sees, filtered and in order, as pages of ids. The statements are put together from the fixed
 * pieces below; whatever comes from outside is a parameter.
 *
 * Every source is read from an index in the order of the page and stops after it: per assignment of a person, per review of a manager. A
 * condition like `assignment_id = ANY (...)` with a sort over everything would read all a person was ever asked for each page.
 */
import { allOf, anyOf, fixed, listOf, type Sql, sql } from '../../lib/sql.ts';
import { type Conditions, conditionsOf, escapeLike } from '../../lib/where.ts';
import type { Context } from '../../context.ts';

/** Orders a page can have; all but `id` sort what a source holds, since no index knows those names. */
export type TaskOrder = 'id' | 'account' | 'accountOwner' | 'resource' | 'resourceIdAndEntitlement';

/** Which tasks; a member that is undefined filters nothing, an empty list matches nothing. */
export interface TaskFilter {
  readonly ids?: readonly string[] | undefined;
  readonly reviewIds?: readonly string[] | undefined;
  readonly states?: readonly string[] | undefined;
  readonly outcomes?: readonly string[] | undefined;
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
  /** Who created the review. */
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
  readonly approverTypes?: readonly string[] | undefined;
  readonly requiresApprovalReason?: boolean | undefined;
  readonly requiresDenialReason?: boolean | undefined;
  /** A number, or part of the name of the account, its owner, the entitlement, its resource or its app. */
  readonly query?: string | undefined;
}

/** A page: where it starts (the key of the last task before it), and how it is sorted. */
export interface TaskPage {
  readonly order: TaskOrder;
  readonly descending: boolean;
  /** [id], or [sort key, id] where the order is not by id. */
  readonly after: readonly string[] | undefined;
  readonly limit: number;
}

/** Who looks: somebody who sees everything, or a person who sees what concerns them. */
export interface Viewer {
  readonly seesAll: boolean;
  readonly userId: string;
  /** Themselves, and those in whose place they decide. */
  readonly standsFor: readonly string[];
}

/** What stands beside the task `t`, to be looked up by its key: each begins a subselect. */
function besideTask(tenantId: string) {
  const approvals = sql`FROM review_policies p WHERE p.tenant_id = ${tenantId} AND p.review_id = t.review_id AND p.policy_id = t.policy_id`;
  return {
    account: sql`FROM review_accounts a
      WHERE a.tenant_id = ${tenantId} AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id`,
    entitlement: sql`FROM review_entitlements e
      WHERE e.tenant_id = ${tenantId} AND e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id`,
    review: sql`FROM reviews r WHERE r.tenant_id = ${tenantId} AND r.id = t.review_id`,
    acted: sql`FROM task_actions x WHERE x.tenant_id = ${tenantId} AND x.task_id = t.id AND x.kind <> 'COMMENTED'`,
    member: sql`FROM task_assignment_members n WHERE n.tenant_id = ${tenantId} AND n.assignment_id = t.assignment_id`,
    /** The approval of the current step in the frozen policy; the steps stand under `certify`, or under the only key there is. */
    approval: sql`(SELECT coalesce(p.document -> 'policySteps' -> 'certify', (SELECT k.value FROM jsonb_each(p.document -> 'policySteps') k LIMIT 1))
      -> 'steps' -> t.step::int -> 'approval' ${approvals})`,
    shownReview: sql`FROM task_reviews b WHERE b.tenant_id = ${tenantId} AND b.id = t.review_id AND b.state <> 'HIDDEN'`,
  } as const;
}
type Beside = ReturnType<typeof besideTask>;

/** Conditions on the task `t`, by member of the filter. What drives a source is not here but in sourcesOf. */
function conditionsFor(beside: Beside, { orActedAfter }: TaskFilter): Conditions<Omit<TaskFilter, 'orActedAfter'>> {
  const { account, entitlement, review, acted, member, approval } = beside;
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
    employmentStatuses: (statuses) => sql`EXISTS (SELECT ${account} AND lower(a.employment_status) = ANY (${statuses}))`,
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
    requiresApprovalReason: (wanted) => sql`${approval} ->> 'requireApprovalReason' = 'true' AND ${wanted}::boolean`,
    requiresDenialReason: (wanted) => sql`${approval} ->> 'requireDenialReason' = 'true' AND ${wanted}::boolean`,
    query: (query) => queryCondition(beside, query),
  };
}

function queryCondition({ account, entitlement }: Beside, query: string): Sql {
  const pattern = escapeLike(query.toLowerCase());
  const number = /^#?(\d{1,15})$/.exec(query)?.[1];
  const isFound = (...columns: readonly string[]): Sql =>
    listOf(
      columns.map((column) => sql`lower(${fixed(column)}) LIKE ${pattern}`),
      ' OR ',
    );
  const inAccount = sql`EXISTS (SELECT ${account} AND (${isFound('a.external_id', 'a.user_display_name', 'a.user_email')}))`;
  const inEntitlement = sql`EXISTS (SELECT ${entitlement} AND (${isFound('e.display_name', 'e.resource_display_name', 'e.app_display_name')}))`;
  return anyOf([...(number === undefined ? [] : [sql`t.numeric_id = ${Number(number)}`]), inAccount, inEntitlement]);
}

/** What a page is sorted by; the sort key is text, compared byte by byte, so that a page token means the same on every server. */
function sortKeyOf(order: Exclude<TaskOrder, 'id'>, { account, entitlement }: Beside): Sql {
  switch (order) {
    case 'account':
      return sql`coalesce((SELECT lower(a.external_id) ${account}), '') COLLATE "C"`;
    case 'accountOwner':
      return sql`coalesce((SELECT lower(a.user_display_name) || ' ' || lower(a.user_email) ${account}), '') COLLATE "C"`;
    case 'resource':
      return sql`coalesce((SELECT lower(e.app_display_name) || ' ' || lower(e.resource_display_name) || ' ' || lower(e.display_name) ${entitlement}), '')
        COLLATE "C"`;
    case 'resourceIdAndEntitlement':
      return sql`coalesce((SELECT e.resource_id || ' ' || e.entitlement_id ${entitlement}), '') COLLATE "C"`;
  }
}

/** That a task lies behind the last one of the page before. */
function isBehind(page: TaskPage, beside: Beside): Sql {
  const sign = fixed(page.descending ? '<' : '>');
  const [first = '', id = ''] = page.after ?? [];
  return page.order === 'id'
    ? sql`t.id ${sign} ${first}`
    : sql`(${sortKeyOf(page.order, beside)}, t.id) ${sign} (${first} COLLATE "C", ${id})`;
}

/**
 * A source of tasks `t`: an outer part, for each row of which a page of tasks is read from an index; or, where the outer part is ids of
 * tasks in order (`d.task_id`), the tasks of those, one by one until the page is full.
 */
interface Source {
  readonly kind: 'ranges' | 'ids';
  readonly outer: Sql;
  readonly inner: Sql;
}

/** A search as the sources see it. */
interface Search {
  readonly tenantId: string;
  readonly viewer: Viewer;
  readonly filter: TaskFilter;
  readonly page: TaskPage;
  readonly beside: Beside;
}

const openStates = sql`(VALUES ('OPEN'))`;
const bothStates = sql`(VALUES ('OPEN'), ('CLOSED'))`;

/** Tasks by assignment: one index range per assignment and state. */
function byAssignee({ tenantId }: Search, userIds: readonly string[], states: Sql): Source {
  return {
    kind: 'ranges',
    outer: sql`(SELECT DISTINCT m.assignment_id, m.review_id FROM task_assignment_members m
        WHERE m.tenant_id = ${tenantId} AND m.user_id = ANY (${userIds})) m
      JOIN task_reviews b ON b.tenant_id = ${tenantId} AND b.id = m.review_id AND b.state <> 'HIDDEN' CROSS JOIN ${states} AS v (state)`,
    inner: sql`t.assignment_id = m.assignment_id AND t.state = v.state`,
  };
}

/** Tasks by review: of those of which this holds, besides what the filter says of them. */
function byReview({ tenantId, filter: { reviewIds } }: Search, ...conditions: readonly Sql[]): Source {
  const where = [
    sql`b.tenant_id = ${tenantId} AND b.state <> 'HIDDEN'`,
    ...conditions,
    ...(reviewIds === undefined ? [] : [sql`b.id = ANY (${reviewIds})`]),
  ];
  return { kind: 'ranges', outer: sql`(SELECT b.id FROM task_reviews b WHERE ${allOf(where)}) b`, inner: sql`t.review_id = b.id` };
}

/** Tasks people had a hand in. */
function byActor({ tenantId, page, beside }: Search, userIds: readonly string[]): Source {
  const direction = fixed(page.descending ? 'DESC' : 'ASC');
  const where = [
    sql`x.tenant_id = ${tenantId}`,
    // Only for one person can the index be read in the order of tasks.
    userIds.length === 1 ? sql`x.actor_id = ${userIds[0]}` : sql`x.actor_id = ANY (${userIds})`,
    sql`x.actor_id <> '' AND x.kind <> 'COMMENTED'`,
    // The bound of the page, so that those of the pages before are not read again.
    ...(page.order === 'id' && page.after !== undefined ? [sql`x.task_id ${fixed(page.descending ? '<' : '>')} ${page.after[0]}`] : []),
  ];
  return {
    kind: 'ids',
    outer: sql`(SELECT DISTINCT x.task_id FROM task_actions x WHERE ${allOf(where)} ORDER BY x.task_id ${direction}) d`,
    inner: sql`EXISTS (SELECT ${beside.shownReview})`,
  };
}

function byId({ beside }: Search, ids: readonly string[]): Source {
  return {
    kind: 'ids',
    outer: sql`(SELECT DISTINCT unnest(${ids}::text[]) COLLATE "C" AS task_id) d`,
    inner: sql`EXISTS (SELECT ${beside.shownReview})`,
  };
}

function isVisible({ tenantId, viewer: { userId, standsFor }, beside: { member, acted } }: Search): Sql {
  const isAsked = standsFor.length === 1 ? sql`n.user_id = ${userId}` : sql`n.user_id = ANY (${standsFor})`;
  return sql`(EXISTS (SELECT ${member} AND ${isAsked}) OR EXISTS (SELECT ${acted} AND x.actor_id = ${userId})
    OR EXISTS (SELECT FROM task_reviews g WHERE g.tenant_id = ${tenantId} AND g.id = t.review_id AND ${userId} = ANY (g.manager_ids)))`;
}

/** Where the tasks come from: the narrowest index the filter allows, else what the viewer may see. Together they hold each visible task. */
function sourcesOf(search: Search): Source[] {
  const { filter, viewer } = search;
  const states = filter.states?.length === 1 && filter.states[0] === 'OPEN' && filter.orActedAfter === undefined ? openStates : bothStates;
  const asked = filter.workerIds ?? filter.assigneeIds;
  let narrow: Source | undefined;
  if (filter.ids !== undefined) {
    narrow = byId(search, filter.ids);
  } else if (asked !== undefined) {
    narrow = byAssignee(search, asked, filter.workerIds === undefined ? states : openStates);
    if (asked.length > 0 && asked.every((id) => viewer.standsFor.includes(id))) {
      return [narrow];
    }
  } else if (filter.actedByIds !== undefined) {
    narrow = byActor(search, filter.actedByIds);
  }
  if (narrow !== undefined) {
    return [viewer.seesAll ? narrow : { ...narrow, inner: sql`${narrow.inner} AND ${isVisible(search)}` }];
  }
  if (viewer.seesAll) {
    return [byReview(search)];
  }
  return [
    byAssignee(search, viewer.standsFor, states),
    byReview(search, sql`${viewer.userId} = ANY (b.manager_ids)`),
    byActor(search, [viewer.userId]),
  ];
}

function searchStatement(search: Search): Sql {
  const { tenantId, filter, page, beside } = search;
  const where = allOf([
    sql`t.tenant_id = ${tenantId}`,
    ...conditionsOf<Omit<TaskFilter, 'orActedAfter'>>(filter, conditionsFor(beside, filter)),
    ...(page.after === undefined ? [] : [isBehind(page, beside)]),
  ]);
  const direction = page.descending ? 'DESC' : 'ASC';
  const key = page.order === 'id' ? sql`''` : sortKeyOf(page.order, beside);
  const ordered = (id: string): Sql =>
    sql`ORDER BY ${fixed(page.order === 'id' ? `${id} ${direction}` : `key ${direction}, ${id} ${direction}`)} LIMIT ${page.limit}`;
  const selects = sourcesOf(search).map(({ kind, outer, inner }) =>
    kind === 'ids'
      ? sql`(SELECT ${key} AS key, d.task_id AS id FROM ${outer} JOIN tasks t ON t.tenant_id = ${tenantId} AND t.id = d.task_id
          WHERE ${where} AND ${inner} ${ordered('d.task_id')})`
      : sql`(SELECT f.key, f.id FROM ${outer}
          CROSS JOIN LATERAL (SELECT ${key} AS key, t.id FROM tasks t WHERE ${where} AND ${inner} ${ordered('t.id')}) f
          ${ordered('f.id')})`,
  );
  return sql`SELECT key, id FROM (${listOf(selects, ' UNION ')}) f ${ordered('id')}`;
}

/** The ids of a page with their sort keys ('' where it is sorted by id). */
export function listTaskIds(context: Context, viewer: Viewer, filter: TaskFilter, page: TaskPage): Promise<{ key: string; id: string }[]> {
  const { tenantId } = context;
  return context.db.rows(searchStatement({ tenantId, viewer, filter, page, beside: besideTask(tenantId) }));
}
