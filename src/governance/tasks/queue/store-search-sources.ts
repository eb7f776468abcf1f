/**
 * SQL of task search: in which orders tasks are read, and from where. What a caller may see decides where tasks are read from, before anything
 * is: nothing is read and then thrown away because somebody else's it is.
 *
 * Every source is read in the order of the page and stops after it: a person's tasks by assignment, those of a review by the accounts or
 * entitlements of its snapshot. A condition like `assignment_id = ANY (...)` with a sort over everything would read all a person was ever
 * asked for each page.
 */
import { allSql, fixed, type Sql, sql } from '../../../lib/sql.ts';
import { escapeLike } from '../../../lib/where.ts';
import { getTaskIdByNumberSql } from '../task/index.ts';
import { type Beside, getShownSql, type TaskFilter, type Viewer } from './store-search-filter.ts';

/** Orders that a page can have. */
export type TaskOrder = 'id' | 'account' | 'accountOwner' | 'resource' | 'resourceIdAndEntitlement';

/** A page: where it starts (the key of the last task before it), and how it is sorted. */
export interface TaskPage {
  readonly order: TaskOrder;
  readonly descending: boolean;
  /** [id], or the keys of the order (see `listTaskKeys`) and the id. */
  readonly after: readonly string[] | undefined;
  readonly limit: number;
}

/** A search as the sources see it. */
export interface Search {
  readonly tenantId: string;
  readonly viewer: Viewer;
  readonly filter: TaskFilter;
  readonly page: TaskPage;
  readonly beside: Beside;
  /** Tasks a text may be found in, where that is known; else all. */
  readonly candidates?: Candidates | undefined;
  /** Words of the text that only names of accounts and owners have, where that is known. */
  readonly accountWords?: readonly string[] | undefined;
  /** Somebody whose assigned tasks are read has many of them. */
  readonly readsMany?: boolean;
}

/** Only places a text may be: tasks of these accounts, of these entitlements, and the one with this number. */
export interface Candidates {
  readonly accountIds: readonly string[];
  readonly entitlementIds: readonly string[];
  readonly number: number | undefined;
  /** The entitlements have so many tasks that these are not sorted: they are read in the order of the page until it is full. */
  readonly isMany: boolean;
}

/** More entitlements than this are not read side by side in the order of ids. */
const maxSideBySide = 100;

/** The entitlements to which reading in the order of the page is narrowed; undefined for all. */
const readsOnly = ({ candidates, page }: Search): readonly string[] | undefined =>
  candidates?.isMany === true && !isByPlace(page.order) ? candidates.entitlementIds : undefined;

/** Rows of a snapshot in an order, and their tasks. */
export interface Walk {
  readonly table: Sql;
  /** The columns of the row `n` that the order is by. */
  readonly keys: readonly string[];
  /** True if task `t` is one of the row `n`. */
  readonly isOf: Sql;
}

const ofAccount = sql`t.account_id = n.account_id AND t.app_id = n.app_id`;
const ofEntitlement = sql`t.entitlement_id = n.entitlement_id AND t.app_id = n.app_id`;

/** True if an order is by the names or ids of entitlements. */
export const isByPlace = (order: TaskOrder): boolean => order === 'resource' || order === 'resourceIdAndEntitlement';

/** Those with tasks; the indexes of the orders hold no others. */
const accountsInScope = sql`(SELECT * FROM snapshot_accounts WHERE excluded_by = '')`;

/** By what a review is read in an order. */
export const walks: Readonly<Record<Exclude<TaskOrder, 'id'>, Walk>> = {
  account: { table: accountsInScope, keys: ['n.account_key', 'n.account_id'], isOf: ofAccount },
  accountOwner: { table: accountsInScope, keys: ['n.owner_key', 'n.account_id'], isOf: ofAccount },
  resource: { table: sql`review_entitlements`, keys: ['n.place_key'], isOf: ofEntitlement },
  resourceIdAndEntitlement: { table: sql`review_entitlements`, keys: ['n.resource_id', 'n.entitlement_id'], isOf: ofEntitlement },
};

/** Count of keys of an order before the id. */
export const taskKeyCount: Readonly<Record<TaskOrder, number>> = {
  id: 0,
  account: 2,
  accountOwner: 2,
  resource: 1,
  resourceIdAndEntitlement: 2,
};

/** Keys of an order, of the task `t` alone; the id comes behind it. Compared byte by byte, so that a page token means the same on every server. */
export function listTaskKeys(order: TaskOrder, { entitlement }: Beside): readonly Sql[] {
  switch (order) {
    case 'id':
      return [];
    case 'account':
      return [sql`t.account_key`, sql`t.account_id`];
    case 'accountOwner':
      return [sql`t.owner_key`, sql`t.account_id`];
    case 'resource':
      return [sql`t.place_key`];
    case 'resourceIdAndEntitlement':
      return [sql`coalesce((SELECT e.resource_id ${entitlement}), '') COLLATE "C"`, sql`t.entitlement_id`];
  }
}

/**
 * A source of tasks `t`. Of `ranges`, an outer part, for each row of which a page is read from an index. Of `walk`, the same by way of the
 * snapshot of the review `walked`. Of `ids`, ids of tasks in order (`d.task_id`), whose tasks are read one by one until the page is full. Of
 * `few`, all tasks of the outer part, sorted.
 */
export interface Source {
  readonly kind: 'ranges' | 'walk' | 'ids' | 'few';
  readonly outer: Sql;
  readonly inner: Sql;
  readonly walked?: Sql;
  /** Of each row of the snapshot, tasks of these entitlements alone; undefined for all. */
  readonly only?: readonly string[] | undefined;
  /** Besides: what holds of the rows `n` of the snapshot, or of the tasks of `few`. */
  readonly where?: Sql;
}

const openStates = sql`(VALUES ('OPEN'))`;
const bothStates = sql`(VALUES ('OPEN'), ('CLOSED'))`;

/** The states of the tasks that a filter keeps. */
const getStates = ({ states, orActedAfter }: TaskFilter): Sql =>
  states?.length === 1 && states[0] === 'OPEN' && orActedAfter === undefined ? openStates : bothStates;

/**
 * Tasks by assignment. Those of a set that are not in order are few and sorted; of the others, and of all by their id, one index range is read per
 * assignment and state.
 */
function byAssignee(search: Search, userIds: readonly string[], states: Sql, ...conditions: readonly Sql[]): Source[] {
  const { tenantId, viewer, page, readsMany = false } = search;
  const where = allSql([sql`m.tenant_id = ${tenantId} AND m.user_id = ANY (${userIds})`, ...conditions]);
  const outer = sql`(SELECT DISTINCT m.assignment_id, m.review_id FROM task_assignment_members m
        JOIN task_reviews b ON b.tenant_id = ${tenantId} AND b.id = m.review_id AND ${getShownSql(viewer)} WHERE ${where}) m
      CROSS JOIN ${states} AS v (state)`;
  const inner = sql`t.assignment_id = m.assignment_id AND t.state = v.state`;
  const only = readsOnly(search);
  if (only !== undefined) {
    return [{ kind: 'few', outer, inner: sql`${inner} AND t.review_id = m.review_id AND t.entitlement_id = ANY (${only})` }];
  }
  if (page.order === 'id') {
    return [
      {
        kind: 'ranges',
        outer: sql`${outer} CROSS JOIN (VALUES (false), (true)) AS o (in_order)`,
        inner: sql`${inner} AND t.in_order = o.in_order`,
      },
    ];
  }
  // No index has this order. Few tasks are sorted; of many, those of each entitlement are looked for by its names.
  const isById = page.order === 'resourceIdAndEntitlement';
  if (isById && !readsMany) {
    return [{ kind: 'few', outer, inner }];
  }
  const ordered = sql`${inner} AND t.in_order`;
  return [
    { kind: 'few', outer, inner: sql`${inner} AND NOT t.in_order` },
    isById
      ? { kind: 'walk', outer, inner: sql`${ordered} AND t.place_key = n.place_key`, walked: sql`m.review_id` }
      : { kind: 'ranges', outer, inner: ordered },
  ];
}

function shownReviews({ tenantId, viewer, filter: { reviewIds } }: Search, conditions: readonly Sql[]): Sql {
  const where = [
    sql`b.tenant_id = ${tenantId} AND ${getShownSql(viewer)}`,
    ...conditions,
    ...(reviewIds === undefined ? [] : [sql`b.id = ANY (${reviewIds})`]),
  ];
  return sql`(SELECT b.id FROM task_reviews b WHERE ${allSql(where)}) b`;
}

/** Tasks by review: of those of which this holds, besides what the filter says of them. */
function byReview(search: Search, ...conditions: readonly Sql[]): Source {
  const { page, accountWords = [] } = search;
  const outer = shownReviews(search, conditions);
  const inner = sql`t.review_id = b.id`;
  const only = readsOnly(search);
  if (page.order === 'id') {
    return only === undefined || only.length > maxSideBySide
      ? { kind: 'ranges', outer, inner }
      : {
          kind: 'ranges',
          outer: sql`${outer} CROSS JOIN (SELECT unnest(${only}::text[]) COLLATE "C" AS id) k`,
          inner: sql`${inner} AND t.entitlement_id = k.id`,
        };
  }
  const where = isByPlace(page.order)
    ? []
    : accountWords.map((word) => sql`(n.account_key || ' ' || n.owner_key) LIKE (SELECT search_fold(${escapeLike(word)}))`);
  return { kind: 'walk', outer, inner, walked: sql`b.id`, only, where: allSql(where) };
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
    outer: sql`(SELECT DISTINCT x.task_id FROM task_actions x WHERE ${allSql(where)} ORDER BY x.task_id ${direction}) d`,
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

/** Tasks that the viewer staged a decision about: a thousand in a review at most. */
function byPending({ tenantId, viewer, beside }: Search): Source {
  return {
    kind: 'ids',
    outer: sql`(SELECT DISTINCT p.task_id FROM pending_decisions p WHERE p.tenant_id = ${tenantId} AND p.user_id = ${viewer.userId}) d`,
    inner: sql`EXISTS (SELECT ${beside.shownReview})`,
  };
}

/** All tasks of the shown reviews of which this holds and that the viewer sees, sorted. */
function fewOf(search: Search, inner: Sql): Source {
  const where = search.viewer.seesAll ? sql`TRUE` : isVisible(search);
  return { kind: 'few', outer: shownReviews(search, []), inner: sql`t.review_id = b.id AND ${inner}`, where };
}

/** Tasks in which a text may be found besides those of entitlements: of accounts, and the one with a number. */
function besideEntitlements(search: Search, { accountIds, number }: Candidates): Source[] {
  return [
    ...(accountIds.length === 0 ? [] : [fewOf(search, sql`t.account_id = ANY (${accountIds})`)]),
    ...(number === undefined
      ? []
      : [fewOf(search, sql`t.id = ${getTaskIdByNumberSql(search.tenantId, number)} AND t.numeric_id = ${number}`)]),
  ];
}

/** Tasks in which alone a text may be found. In the order of their names the tasks of the entitlements are read one by one; in any other they are sorted. */
function byCandidates(search: Search, candidates: Candidates): Source[] {
  const { entitlementIds } = candidates;
  const where = search.viewer.seesAll ? sql`TRUE` : isVisible(search);
  const ofEntitlements: Source = isByPlace(search.page.order)
    ? { ...byReview(search), where: sql`n.entitlement_id = ANY (${entitlementIds})`, inner: sql`t.review_id = b.id AND ${where}` }
    : fewOf(search, sql`t.entitlement_id = ANY (${entitlementIds})`);
  return [ofEntitlements, ...besideEntitlements(search, candidates)];
}

function isVisible({ tenantId, viewer: { userId, standsFor }, beside: { member, acted } }: Search): Sql {
  const isAsked = standsFor.length === 1 ? sql`n.user_id = ${userId}` : sql`n.user_id = ANY (${standsFor})`;
  return sql`(EXISTS (SELECT ${member} AND ${isAsked}) OR EXISTS (SELECT ${acted} AND x.actor_id = ${userId})
    OR EXISTS (SELECT FROM task_reviews g WHERE g.tenant_id = ${tenantId} AND g.id = t.review_id AND ${userId} = ANY (g.manager_ids)))`;
}

/**
 * True if a delegate sees task `t` for another reason than their delegator, or its step allows delegation and it is not about their own access. Nothing
 * for anybody else.
 */
export function getOwnCondition({ tenantId, viewer, beside: { member, acted, approval } }: Search): Sql[] {
  const { seesAll, standsFor, userId, behind } = viewer;
  return seesAll || standsFor.length <= 1
    ? []
    : [
        sql`(EXISTS (SELECT ${member} AND n.user_id = ${userId}) OR ${approval} ->> 'allowDelegation' = 'true' AND coalesce(t.user_id <> ALL (${[...behind]}::text[]), TRUE)
          OR EXISTS (SELECT ${acted} AND x.actor_id = ${userId})
          OR EXISTS (SELECT FROM task_reviews g WHERE g.tenant_id = ${tenantId} AND g.id = t.review_id AND ${userId} = ANY (g.manager_ids)))`,
      ];
}

/**
 * Sources of the tasks; together they hold each task that the viewer may see and the filter keeps. For somebody who sees everything, the narrowest
 * index that the filter allows; for anybody else what concerns them, narrowed where the filter allows.
 */
export function listSources(search: Search): Source[] {
  const { filter, viewer, candidates } = search;
  if (filter.ids !== undefined || filter.hasPending === true) {
    const narrow = filter.ids === undefined ? byPending(search) : byId(search, filter.ids);
    return [viewer.seesAll ? narrow : { ...narrow, inner: sql`${narrow.inner} AND ${isVisible(search)}` }];
  }
  if (candidates !== undefined) {
    return candidates.isMany ? [...listOwnSources(search), ...besideEntitlements(search, candidates)] : byCandidates(search, candidates);
  }
  return listOwnSources(search);
}

/** Lists sources of tasks that the viewer may see and the filter keeps, whatever text is looked for. */
function listOwnSources(search: Search): Source[] {
  const { tenantId, filter, viewer } = search;
  const states = getStates(filter);
  const asked = filter.workerIds ?? filter.assigneeIds;
  const askedStates = filter.workerIds === undefined ? states : openStates;
  if (viewer.seesAll) {
    if (asked !== undefined) {
      return byAssignee(search, asked, askedStates);
    }
    return [filter.actedByIds === undefined ? byReview(search) : byActor(search, filter.actedByIds)];
  }
  const { userId, standsFor } = viewer;
  const isManaged = sql`${userId} = ANY (b.manager_ids)`;
  const actedOn = byActor(search, [userId]);
  if (asked !== undefined) {
    if (asked.length > 0 && asked.every((id) => standsFor.includes(id))) {
      return byAssignee(search, asked, askedStates);
    }
    // Of what others are asked, what they are asked together with the viewer, and what is in the viewer's reviews.
    const isShared = sql`EXISTS (SELECT FROM task_assignment_members o
      WHERE o.tenant_id = ${tenantId} AND o.assignment_id = m.assignment_id AND o.user_id = ANY (${standsFor}))`;
    return [...byAssignee(search, asked, askedStates, sql`(${isShared} OR ${isManaged})`), actedOn];
  }
  if (filter.actedByIds?.length === 1 && filter.actedByIds[0] === userId) {
    return [actedOn];
  }
  return [...byAssignee(search, standsFor, states), byReview(search, isManaged), actedOn];
}

/** Assignees whose tasks a search reads, in an order where it matters how many they are. */
export function listReaders({ filter, viewer, page }: Pick<Search, 'filter' | 'viewer' | 'page'>): readonly string[] {
  if (page.order !== 'resourceIdAndEntitlement' || filter.ids !== undefined) {
    return [];
  }
  return filter.workerIds ?? filter.assigneeIds ?? (viewer.seesAll ? [] : viewer.standsFor);
}
