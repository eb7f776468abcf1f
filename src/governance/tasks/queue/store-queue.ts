/**
 * SQL of a reviewer's queue: their tasks of one review in the order that was asked for, and how many there are. A person's tasks of a review are read
 * by their reviewer sets; nothing else is.
 */
import { empty, fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { nameAtSql } from '../../../foundation/directory/index.ts';
import { getTextConditionSql } from './store-search-filter.ts';
import { changedMask, getMask, getMayDecideSql, reviewFrom, type TaskOutcome } from '../task/index.ts';

/** The parts of a queue. */
export type QueueSection = 'CLOSER' | 'NEW' | 'CHANGED' | 'UNCHANGED' | 'OTHER';

/** Rows a queue shows. */
export interface QueueFilter {
  readonly show: 'OPEN' | 'CLOSER' | 'NEW' | 'CHANGED' | 'MINE' | 'ALL' | 'DECIDED';
  readonly by: 'APP' | 'PERSON' | 'RESOURCE';
  /** The id of a group; undefined for all. */
  readonly group: string | undefined;
  readonly query: string | undefined;
  readonly order: 'ATTENTION' | 'PERSON' | 'ENTITLEMENT' | 'UNUSED' | 'NEWEST';
}

/** A queue's people and review. */
export interface QueueOf {
  readonly reviewId: string;
  /** The caller, and those in whose place they decide. */
  readonly userIds: readonly string[];
  /** Steps at which delegates are asked, as "route/step". */
  readonly delegable: readonly string[];
}

/** A task as the queue has it. */
export interface QueueRow {
  readonly id: string;
  readonly numericId: number;
  readonly appId: string;
  readonly entitlementId: string;
  readonly accountId: string;
  readonly userId: string | null;
  readonly routeNo: number;
  readonly step: number;
  readonly score: number;
  readonly flags: number;
  readonly section: QueueSection;
  readonly state: 'OPEN' | 'CLOSED';
  readonly outcome: TaskOutcome;
  readonly decidedById: string | null;
  readonly decidedByName: string | null;
  /** Another person who issued what it was decided through; null for nobody. */
  readonly decidedIssuerId: string | null;
  readonly decidedIssuerName: string | null;
  readonly endedAt: Date | null;
  readonly grantedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly assigneeIds: readonly string[];
  readonly account: string;
  readonly accountType: string;
  readonly accountStatus: string;
  readonly person: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly appName: string;
  readonly entitlement: string;
  readonly description: string;
  readonly resourceId: string;
  readonly resource: string;
  readonly riskLevel: string;
  readonly staged: 'APPROVE' | 'DENY' | null;
  readonly stagedComment: string | null;
  /** Key it is sorted by before its app, entitlement and account. */
  readonly orderKey: string;
}

/** Counts of tasks of a section and group, all, to do, closed and staged. */
export interface QueueCount {
  readonly section: QueueSection;
  readonly groupId: string;
  readonly name: string;
  readonly total: number;
  readonly todo: number;
  readonly decided: number;
  readonly staged: number;
}

const section = fixed(`CASE WHEN t.score >= ${reviewFrom} THEN 'CLOSER' WHEN t.flags & ${getMask('COMPARED')} = 0 THEN 'OTHER'
    WHEN t.previous_task_id IS NULL THEN 'NEW' WHEN t.flags & ${changedMask} <> 0 THEN 'CHANGED' ELSE 'UNCHANGED' END`);

/** Of a task all that a queue shows, filters and counts. */
const columns =
  fixed(`t.id, t.numeric_id, t.app_id, t.entitlement_id, t.account_id, t.user_id, t.route_no, t.step, t.score, t.flags, t.state, t.outcome,
  t.decided_by_id, t.decided_issuer_id, t.ended_at, t.granted_at, t.last_used_at, t.assignment_id`);
const searched = fixed(', t.account_key, t.owner_key, t.place_key');

/** Selects the reviewer sets of the caller and of those in whose place they decide, with everybody in each. */
function getSets({ tenantId, actor }: Context, { reviewId, userIds }: QueueOf): Sql {
  return sql`SELECT m.*, (SELECT n.user_ids FROM task_assignments n WHERE n.tenant_id = ${tenantId} AND n.id = m.assignment_id) AS user_ids
    FROM (SELECT m.assignment_id, bool_or(m.user_id = ${actor.userId}) AS is_own FROM task_assignment_members m
      WHERE m.tenant_id = ${tenantId} AND m.user_id = ANY (${userIds}) AND m.review_id = ${reviewId} GROUP BY m.assignment_id) m`;
}

/** Selects the tasks of the `sets` that the caller may decide, with their section and what the caller staged. OFFSET 0 keeps the way by reviewer sets. */
function getMine({ tenantId, actor }: Context, { reviewId, delegable }: QueueOf, { query }: QueueFilter): Sql {
  const mayDecide = getMayDecideSql(tenantId, actor, sql`s.is_own`, sql`t.route_no || '/' || t.step = ANY (${delegable})`);
  return sql`SELECT ${columns}${query === undefined ? empty : searched}, ${section} AS section, d.decision AS staged, d.comment AS staged_comment
    FROM sets s CROSS JOIN LATERAL (
      SELECT t.* FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.assignment_id = s.assignment_id AND t.review_id = ${reviewId} OFFSET 0) t
    LEFT JOIN (SELECT p.task_id, p.decision, p.comment FROM pending_decisions p
      WHERE p.tenant_id = ${tenantId} AND p.review_id = ${reviewId} AND p.user_id = ${actor.userId}) d ON d.task_id = t.id
    WHERE ${mayDecide}`;
}

const groupOf: Readonly<Record<QueueFilter['by'], Sql>> = {
  APP: sql`t.app_id`,
  PERSON: sql`coalesce(t.user_id, t.account_id)`,
  RESOURCE: sql`coalesce(nullif(e.resource_id, ''), t.app_id)`,
};

const shown = ({ actor }: Context): Readonly<Record<QueueFilter['show'], Sql>> => ({
  ALL: sql`TRUE`,
  OPEN: sql`t.state = 'OPEN' AND t.staged IS NULL`,
  DECIDED: sql`(t.state = 'CLOSED' OR t.staged IS NOT NULL)`,
  MINE: sql`(t.decided_by_id = ${actor.userId} OR t.state = 'OPEN' AND t.staged IS NOT NULL)`,
  CLOSER: sql`t.section = 'CLOSER'`,
  NEW: sql`t.section = 'NEW'`,
  CHANGED: sql`t.section = 'CHANGED'`,
});

const inSnapshot = ({ tenantId }: Context, { reviewId }: QueueOf, table: 'e' | 'a'): Sql =>
  table === 'e'
    ? sql`JOIN snapshot_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id`
    : sql`JOIN snapshot_accounts a ON a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.app_id = t.app_id AND a.account_id = t.account_id`;

/** Key rows are sorted by, the lowest first, its type, and the part of the snapshot that has it. */
interface Order {
  readonly key: Sql;
  readonly type: Sql;
  readonly from?: 'e' | 'a';
}

const name = fixed('text COLLATE "C"');
const moment = fixed('bigint');
const microseconds = (column: string): string => `(extract(epoch FROM t.${column}) * 1000000)::bigint`;
const unknownLast = '9223372036854775807';

const orders: Readonly<Record<QueueFilter['order'], Order>> = {
  ATTENTION: { key: fixed('-t.score'), type: fixed('integer') },
  PERSON: {
    key: fixed(`search_fold(coalesce(nullif(a.user_display_name, ''), nullif(a.user_email, ''), a.external_id)) COLLATE "C"`),
    type: name,
    from: 'a',
  },
  ENTITLEMENT: { key: fixed(`search_fold(coalesce(nullif(e.description, ''), e.display_name)) COLLATE "C"`), type: name, from: 'e' },
  UNUSED: { key: fixed(`coalesce(${microseconds('last_used_at')}, ${unknownLast})`), type: moment },
  NEWEST: { key: fixed(`coalesce(-${microseconds('granted_at')}, ${unknownLast})`), type: moment },
};

/** A page of a queue, and on the first one how many tasks the whole queue has, by section and group. */
export interface QueueRows {
  readonly rows: readonly QueueRow[];
  readonly counts: readonly QueueCount[];
}

/**
 * A page of the queue behind the row with this key (what it is sorted by, app, entitlement, account). The tasks of the queue are read once, for the
 * page and for the counts.
 */
export async function listQueueRows(
  context: Context,
  of: QueueOf,
  filter: QueueFilter,
  page: { readonly after: readonly string[] | undefined; readonly limit: number },
): Promise<QueueRows> {
  const { tenantId } = context;
  const [first = '', ...key] = page.after ?? [];
  const { key: sorted, type, from } = orders[filter.order];
  const behind =
    page.after === undefined
      ? sql`TRUE`
      : sql`(o.order_key, t.app_id, t.entitlement_id, t.account_id) > (${first}::${type}, ${joinSql(key.map((one) => sql`${one} COLLATE "C"`))})`;
  const order = fixed('t.app_id, t.entitlement_id, t.account_id');
  const isByResource = filter.by === 'RESOURCE' && filter.group !== undefined;
  const counts = page.after === undefined ? sql`(${getCounts(context, of, filter.by)})` : sql`'[]'::json`;
  const found = await context.db.rows<QueueRow & { id: string | null; counts: QueueCount[] | null }>(
    sql`WITH sets AS MATERIALIZED (${getSets(context, of)}),
    mine AS (${getMine(context, of, filter)}),
    page AS (
      SELECT t.*, o.order_key FROM mine t ${isByResource || from === 'e' ? inSnapshot(context, of, 'e') : empty}
        ${from === 'a' ? inSnapshot(context, of, 'a') : empty} CROSS JOIN LATERAL (SELECT ${sorted} AS order_key) o
      WHERE ${behind} AND ${shown(context)[filter.show]} AND ${filter.group === undefined ? sql`TRUE` : sql`${groupOf[filter.by]} = ${filter.group}`}
        AND ${filter.query === undefined ? sql`TRUE` : getTextConditionSql(filter.query)}
      ORDER BY o.order_key, ${order} LIMIT ${page.limit}),
    shown AS (
      SELECT t.id, t.numeric_id AS "numericId", t.app_id AS "appId", t.entitlement_id AS "entitlementId", t.account_id AS "accountId",
        t.user_id AS "userId", t.route_no AS "routeNo", t.step, t.score, t.flags, t.section, t.state, t.outcome, t.decided_by_id AS "decidedById",
        ${nameAtSql(tenantId, 't.decided_by_id', 't.ended_at')} AS "decidedByName",
        nullif(t.decided_issuer_id, t.decided_by_id) AS "decidedIssuerId", ${nameAtSql(tenantId, 'nullif(t.decided_issuer_id, t.decided_by_id)', 't.ended_at')} AS "decidedIssuerName",
        t.ended_at AS "endedAt", t.granted_at AS "grantedAt", t.last_used_at AS "lastUsedAt",
        (SELECT s.user_ids FROM sets s WHERE s.assignment_id = t.assignment_id) AS "assigneeIds",
        a.external_id AS account, a.account_type AS "accountType", a.account_status AS "accountStatus",
        coalesce(nullif(a.user_display_name, ''), a.user_email) AS person, a.department, a.job_title AS "jobTitle", e.app_display_name AS "appName",
        e.display_name AS entitlement, e.description, e.resource_id AS "resourceId", e.resource_display_name AS resource,
        e.risk_level_display_name AS "riskLevel", t.staged, t.staged_comment AS "stagedComment", t.order_key::text AS "orderKey",
        row_number() OVER (ORDER BY t.order_key, ${order}) AS place
      FROM page t ${inSnapshot(context, of, 'a')} ${inSnapshot(context, of, 'e')})
    SELECT CASE WHEN coalesce(s.place, 1) = 1 THEN c.counts END AS counts, s.*
    FROM (SELECT ${counts} AS counts) c LEFT JOIN shown s ON true ORDER BY s.place`,
  );
  return { rows: found.filter(({ id }) => id !== null), counts: found[0]?.counts ?? [] };
}

/** Keys tasks are counted by before their snapshot is looked at: one entitlement says what its app was called. */
const countedBy: Readonly<Record<QueueFilter['by'], { readonly columns: Sql; readonly keys: Sql }>> = {
  APP: { columns: sql`t.app_id, min(t.entitlement_id) AS entitlement_id`, keys: sql`t.app_id` },
  PERSON: { columns: sql`t.app_id, t.account_id, t.user_id`, keys: sql`t.app_id, t.account_id, t.user_id` },
  RESOURCE: { columns: sql`t.app_id, t.entitlement_id`, keys: sql`t.app_id, t.entitlement_id` },
};

/** Selects how many tasks `mine` has, by section and group, as an array of QueueCount. Names are looked up once for each app, account or entitlement. */
function getCounts(context: Context, of: QueueOf, by: QueueFilter['by']): Sql {
  const name: Readonly<Record<QueueFilter['by'], Sql>> = {
    APP: sql`min(e.app_display_name)`,
    PERSON: sql`min(coalesce(nullif(a.user_display_name, ''), nullif(a.user_email, ''), a.external_id))`,
    RESOURCE: sql`min(coalesce(nullif(e.resource_display_name, ''), e.app_display_name))`,
  };
  const { columns: counted, keys } = countedBy[by];
  return sql`SELECT coalesce(json_agg(n), '[]') FROM (
    SELECT t.section, ${groupOf[by]} AS "groupId", ${name[by]} AS name, sum(t.total)::bigint AS total, sum(t.todo)::bigint AS todo,
      sum(t.decided)::bigint AS decided, sum(t.staged)::bigint AS staged
    FROM (
      SELECT t.section, ${counted}, count(*) AS total, count(*) FILTER (WHERE t.state = 'OPEN' AND t.staged IS NULL) AS todo,
        count(*) FILTER (WHERE t.state = 'CLOSED') AS decided, count(*) FILTER (WHERE t.state = 'OPEN' AND t.staged IS NOT NULL) AS staged
      FROM mine t GROUP BY t.section, ${keys}) t
    ${by === 'PERSON' ? inSnapshot(context, of, 'a') : inSnapshot(context, of, 'e')}
    GROUP BY t.section, ${groupOf[by]}) n`;
}
