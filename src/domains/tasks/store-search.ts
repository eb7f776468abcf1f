/**
 * SQL of task search: which tasks an actor sees, filtered and in order, as pages of ids. The statements are put together from the fixed
 * pieces below; whatever comes from outside is a parameter.
 *
 * Every source is read from an index in the order of the page and stops after it: per assignment of a person, per review of a manager. A
 * condition like `assignment_id = ANY (...)` with a sort over everything would read all a person was ever asked for each page.
 */
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

const account = `FROM review_accounts a WHERE a.tenant_id = $1 AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id`;
const entitlement = `FROM review_entitlements e
  WHERE e.tenant_id = $1 AND e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id`;
const review = 'FROM reviews r WHERE r.tenant_id = $1 AND r.id = t.review_id';
const acted = `FROM task_actions x WHERE x.tenant_id = $1 AND x.task_id = t.id AND x.kind <> 'COMMENTED'`;
const member = 'FROM task_assignment_members n WHERE n.tenant_id = $1 AND n.assignment_id = t.assignment_id';
/** The approval of the current step in the frozen policy; the steps stand under `certify`, or under the only key there is. */
const approval = `(SELECT coalesce(p.document -> 'policySteps' -> 'certify', (SELECT k.value FROM jsonb_each(p.document -> 'policySteps') k LIMIT 1))
    -> 'steps' -> t.step::int -> 'approval'
  FROM review_policies p WHERE p.tenant_id = $1 AND p.review_id = t.review_id AND p.policy_id = t.policy_id)`;

/** Conditions on the task `t`, by member of the filter; `?` is its value as a parameter. What drives a source is not here but in sourcesOf. */
const conditions: { readonly [K in keyof TaskFilter]-?: string } = {
  ids: 't.id = ANY (?)',
  reviewIds: 't.review_id = ANY (?)',
  states: 't.state = ANY (?)',
  outcomes: 't.outcome = ANY (?)',
  appIds: 't.app_id = ANY (?)',
  excludedAppIds: 't.app_id <> ALL (?)',
  entitlementIds: 't.entitlement_id = ANY (?)',
  excludedEntitlementIds: 't.entitlement_id <> ALL (?)',
  resourceIds: `EXISTS (SELECT ${entitlement} AND e.resource_id = ANY (?))`,
  resourceTypeIds: `EXISTS (SELECT ${entitlement} AND e.resource_type_id = ANY (?))`,
  excludedResourceTypeIds: `NOT EXISTS (SELECT ${entitlement} AND e.resource_type_id = ANY (?))`,
  accountIds: 't.account_id = ANY (?)',
  accountTypes: `EXISTS (SELECT ${account} AND a.account_type = ANY (?))`,
  accountStatuses: `EXISTS (SELECT ${account} AND a.account_status = ANY (?))`,
  employmentStatuses: `EXISTS (SELECT ${account} AND lower(a.employment_status) = ANY (?))`,
  userIds: 't.user_id = ANY (?)',
  excludedIds: 't.id <> ALL (?)',
  openerIds: `EXISTS (SELECT ${review} AND r.created_by_id = ANY (?))`,
  openerOrSubjectId: `(t.user_id = ? OR EXISTS (SELECT ${review} AND r.created_by_id = ?))`,
  assigneeIds: `EXISTS (SELECT ${member} AND n.user_id = ANY (?))`,
  workerIds: `(t.state = 'OPEN' AND EXISTS (SELECT ${member} AND n.user_id = ANY (?)))`,
  actedByIds: `EXISTS (SELECT ${acted} AND x.actor_id = ANY (?))`,
  orActedAfter: '',
  createdAfter: 't.created_at >= ?',
  createdBefore: 't.created_at < ?',
  endedAfter: 't.ended_at >= ?',
  endedBefore: 't.ended_at < ?',
  approverTypes: `(t.state = 'OPEN' AND ${approval} ?| @)`,
  requiresApprovalReason: `${approval} ->> 'requireApprovalReason' = 'true' AND ?::boolean`,
  requiresDenialReason: `${approval} ->> 'requireDenialReason' = 'true' AND ?::boolean`,
  query: '',
};

/** What a page is sorted by; the sort key is text, compared byte by byte, so that a page token means the same on every server. */
const sortKeys: { readonly [K in Exclude<TaskOrder, 'id'>]: string } = {
  account: `coalesce((SELECT lower(a.external_id) ${account}), '')`,
  accountOwner: `coalesce((SELECT lower(a.user_display_name) || ' ' || lower(a.user_email) ${account}), '')`,
  resource: `coalesce((SELECT lower(e.app_display_name) || ' ' || lower(e.resource_display_name) || ' ' || lower(e.display_name) ${entitlement}), '')`,
  resourceIdAndEntitlement: `coalesce((SELECT e.resource_id || ' ' || e.entitlement_id ${entitlement}), '')`,
};

/** Numbers parameters as they come. */
class Parameters {
  readonly values: unknown[];
  constructor(...values: unknown[]) {
    this.values = values;
  }
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

function queryCondition(parameters: Parameters, query: string): string {
  const text = parameters.add(`%${escapeLike(query.toLowerCase())}%`);
  const number = /^#?(\d{1,15})$/.exec(query)?.[1];
  const inAccount = `EXISTS (SELECT ${account} AND (lower(a.external_id) LIKE ${text} OR lower(a.user_display_name) LIKE ${text} OR lower(a.user_email) LIKE ${text}))`;
  const inEntitlement = `EXISTS (SELECT ${entitlement} AND (lower(e.display_name) LIKE ${text} OR lower(e.resource_display_name) LIKE ${text}
    OR lower(e.app_display_name) LIKE ${text}))`;
  return `(${number === undefined ? '' : `t.numeric_id = ${parameters.add(Number(number))} OR `}${inAccount} OR ${inEntitlement})`;
}

function conditionsOf(parameters: Parameters, filter: TaskFilter, page: TaskPage): string[] {
  const where = ['t.tenant_id = $1'];
  for (const [name, condition] of Object.entries(conditions) as [keyof TaskFilter, string][]) {
    const value = filter[name];
    if (value === undefined || condition === '') {
      continue;
    }
    const parameter = parameters.add(value);
    // The jsonb operator ?| has the sign itself.
    const text = condition.includes('@') ? condition.replace('@', parameter) : condition.replaceAll('?', parameter);
    const widened = name === 'states' && filter.orActedAfter !== undefined;
    where.push(widened ? `(${text} OR EXISTS (SELECT ${acted} AND x.created_at >= ${parameters.add(filter.orActedAfter)}))` : text);
  }
  if (filter.query !== undefined) {
    where.push(queryCondition(parameters, filter.query));
  }
  if (page.after !== undefined) {
    const sign = page.descending ? '<' : '>';
    const [first = '', id = ''] = page.after;
    where.push(
      page.order === 'id'
        ? `t.id ${sign} ${parameters.add(first)}`
        : `(${sortKeys[page.order]} COLLATE "C", t.id) ${sign} (${parameters.add(first)} COLLATE "C", ${parameters.add(id)})`,
    );
  }
  return where;
}

/**
 * A source of tasks `t`: an outer part, for each row of which a page of tasks is read from an index; or, where the outer part is ids of
 * tasks in order (`d.task_id`), the tasks of those, one by one until the page is full.
 */
interface Source {
  readonly kind: 'ranges' | 'ids';
  readonly outer: string;
  readonly inner: string;
}

const openStates = `(VALUES ('OPEN'))`;
const bothStates = `(VALUES ('OPEN'), ('CLOSED'))`;

/** Tasks by assignment: one index range per assignment and state. */
function byAssignee(parameters: Parameters, userIds: readonly string[], states: string): Source {
  const users = parameters.add(userIds);
  return {
    kind: 'ranges',
    outer: `(SELECT DISTINCT m.assignment_id, m.review_id FROM task_assignment_members m WHERE m.tenant_id = $1 AND m.user_id = ANY (${users})) m
      JOIN task_reviews b ON b.tenant_id = $1 AND b.id = m.review_id AND b.state <> 'HIDDEN' CROSS JOIN ${states} AS v (state)`,
    inner: 't.assignment_id = m.assignment_id AND t.state = v.state',
  };
}

function byReview(condition: string): Source {
  const outer = `(SELECT b.id FROM task_reviews b WHERE b.tenant_id = $1 AND b.state <> 'HIDDEN'${condition}) b`;
  return { kind: 'ranges', outer, inner: 't.review_id = b.id' };
}

const inShownReview = `EXISTS (SELECT FROM task_reviews b WHERE b.tenant_id = $1 AND b.id = t.review_id AND b.state <> 'HIDDEN')`;

/** The bound of the page on ids of tasks, so that those of the pages before are not read again. */
function boundOf(parameters: Parameters, page: TaskPage, column: string): string {
  return page.order === 'id' && page.after !== undefined
    ? ` AND ${column} ${page.descending ? '<' : '>'} ${parameters.add(page.after[0])}`
    : '';
}

/** Tasks people had a hand in. */
function byActor(parameters: Parameters, userIds: readonly string[], page: TaskPage): Source {
  // Only for one person can the index be read in the order of tasks.
  const who = userIds.length === 1 ? `= ${parameters.add(userIds[0])}` : `= ANY (${parameters.add(userIds)})`;
  return {
    kind: 'ids',
    outer: `(SELECT DISTINCT x.task_id FROM task_actions x WHERE x.tenant_id = $1 AND x.actor_id ${who} AND x.actor_id <> ''
      AND x.kind <> 'COMMENTED'${boundOf(parameters, page, 'x.task_id')} ORDER BY x.task_id ${page.descending ? 'DESC' : 'ASC'}) d`,
    inner: inShownReview,
  };
}

function byId(parameters: Parameters, ids: readonly string[]): Source {
  return { kind: 'ids', outer: `(SELECT DISTINCT unnest(${parameters.add(ids)}::text[]) COLLATE "C" AS task_id) d`, inner: inShownReview };
}

function visibleTo(parameters: Parameters, viewer: Viewer): string {
  const me = parameters.add(viewer.userId);
  const asked = viewer.standsFor.length === 1 ? `= ${me}` : `= ANY (${parameters.add(viewer.standsFor)})`;
  return ` AND (EXISTS (SELECT ${member} AND n.user_id ${asked}) OR EXISTS (SELECT ${acted} AND x.actor_id = ${me})
    OR EXISTS (SELECT FROM task_reviews g WHERE g.tenant_id = $1 AND g.id = t.review_id AND ${me} = ANY (g.manager_ids)))`;
}

function reviewCondition(parameters: Parameters, filter: TaskFilter): string {
  return filter.reviewIds === undefined ? '' : ` AND b.id = ANY (${parameters.add(filter.reviewIds)})`;
}

/** Where the tasks come from: the narrowest index the filter allows, else what the viewer may see. Together they hold each visible task. */
function sourcesOf(parameters: Parameters, filter: TaskFilter, viewer: Viewer, page: TaskPage): Source[] {
  const states = filter.states?.length === 1 && filter.states[0] === 'OPEN' && filter.orActedAfter === undefined ? openStates : bothStates;
  const asked = filter.workerIds ?? filter.assigneeIds;
  let narrow: Source | undefined;
  if (filter.ids !== undefined) {
    narrow = byId(parameters, filter.ids);
  } else if (asked !== undefined) {
    narrow = byAssignee(parameters, asked, filter.workerIds === undefined ? states : openStates);
    if (asked.length > 0 && asked.every((id) => viewer.standsFor.includes(id))) {
      return [narrow];
    }
  } else if (filter.actedByIds !== undefined) {
    narrow = byActor(parameters, filter.actedByIds, page);
  }
  if (narrow !== undefined) {
    return [viewer.seesAll ? narrow : { ...narrow, inner: narrow.inner + visibleTo(parameters, viewer) }];
  }
  if (viewer.seesAll) {
    return [byReview(reviewCondition(parameters, filter))];
  }
  return [
    byAssignee(parameters, viewer.standsFor, states),
    byReview(` AND ${parameters.add(viewer.userId)} = ANY (b.manager_ids)${reviewCondition(parameters, filter)}`),
    byActor(parameters, [viewer.userId], page),
  ];
}

/** The statement of a page and its parameters; apart so that its plan can be looked at. */
function getSearchStatement(tenantId: string, viewer: Viewer, filter: TaskFilter, page: TaskPage): { sql: string; values: unknown[] } {
  const parameters = new Parameters(tenantId, page.limit);
  const sources = sourcesOf(parameters, filter, viewer, page);
  const where = conditionsOf(parameters, filter, page).join(' AND ');
  const direction = page.descending ? 'DESC' : 'ASC';
  const key = page.order === 'id' ? `''` : `${sortKeys[page.order]} COLLATE "C"`;
  const orderBy = (id: string) => (page.order === 'id' ? `${id} ${direction}` : `key ${direction}, ${id} ${direction}`);
  const selects = sources.map(({ kind, outer, inner }) =>
    kind === 'ids'
      ? `(SELECT ${key} AS key, d.task_id AS id FROM ${outer} JOIN tasks t ON t.tenant_id = $1 AND t.id = d.task_id
          WHERE ${where} AND ${inner} ORDER BY ${orderBy('d.task_id')} LIMIT $2)`
      : `(SELECT f.key, f.id FROM ${outer}
          CROSS JOIN LATERAL (SELECT ${key} AS key, t.id FROM tasks t WHERE ${where} AND ${inner} ORDER BY ${orderBy('t.id')} LIMIT $2) f
          ORDER BY ${orderBy('f.id')} LIMIT $2)`,
  );
  return { sql: `SELECT key, id FROM (${selects.join(' UNION ')}) f ORDER BY ${orderBy('id')} LIMIT $2`, values: parameters.values };
}

/** The ids of a page with their sort keys ('' where it is sorted by id). */
export function listTaskIds(context: Context, viewer: Viewer, filter: TaskFilter, page: TaskPage): Promise<{ key: string; id: string }[]> {
  const { sql, values } = getSearchStatement(context.tenantId, viewer, filter, page);
  return context.db.rows(sql, values);
}
