/**
 * SQL of the items of a review as its events vouch for them: one line for each task as it was made, which nothing that happens to the task changes. The
 * event of a piece has the id that all its tasks begin with, so that no task has to name it.
 */
import type { Context } from '../../../context.ts';
import { digestColumns, hashedLines, idJson, lineJson, wholeJson } from '../../../lib/log/line-sql.ts';
import type { RowDigest } from '../../../lib/log/row-digest.ts';
import { fixed, type Sql, sql } from '../../../lib/sql.ts';

/** Returns the id of the event of the tasks whose ids begin so. None of them has it: their last eight digits begin at one. */
export const eventOfItems = (idPrefix: string): string => `${idPrefix}00000000`;

/** The id of the event of the task `t`. */
export const itemEvent = fixed(`left(t.id, 19) || '00000000'`);

/** The line of a task `t` under the policy of a column, with the set `s` of people it asked (`getAskedSets`). */
const lineUnder = (policy: string): Sql =>
  lineJson({
    account: idJson('t.account_id'),
    app: idJson('t.app_id'),
    asked: fixed(`coalesce(s.asked, '[]')`),
    entitlement: idJson('t.entitlement_id'),
    item: idJson('t.id'),
    number: wholeJson('t.numeric_id'),
    policy: idJson(policy),
    reason: fixed(`coalesce(s.reason, '""')`),
  });

/** Selects sets of people as lines have them; a condition over `x` says which. */
const getAskedSets = (tenantId: string): Sql =>
  sql`SELECT x.id, to_json(x.user_ids)::text AS asked, to_json(x.reason)::text AS reason FROM task_assignments x WHERE x.tenant_id = ${tenantId}`;

/** Joins what the line of a task `t` is written of to it: the entitlement `e` as it was frozen, and the set `s`. */
const getJoins = (tenantId: string): Sql =>
  sql`LEFT JOIN snapshot_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id
    LEFT JOIN LATERAL (${getAskedSets(tenantId)} AND x.id = t.asked_id) s ON true`;

/** Columns of a task `t` that its line is written of. */
const itemColumns = fixed('t.id, t.review_id, t.numeric_id, t.app_id, t.account_id, t.entitlement_id, t.asked_id');

/**
 * Returns the digest of tasks in the statement that makes them, as a scalar: `made` names what it returned of each, in the columns of tasks, and `ids`
 * selects the sets of people that are asked. Numbers and ids are in one order.
 */
export const getDigestOfMade = (tenantId: string, made: string, ids: Sql): Sql =>
  sql`(SELECT to_jsonb(d) FROM (SELECT ${digestColumns} FROM (${hashedLines(
    '',
    sql`SELECT ${lineUnder('t.policy_id')} AS line FROM ${fixed(made)} t
      LEFT JOIN (${getAskedSets(tenantId)} AND x.id = ANY (ARRAY(${ids})) OFFSET 0) s ON s.id = t.asked_id ORDER BY t.numeric_id`,
  )}) n) d)`;

/** Selects `event_id`, `id` and `line` of the tasks that these events made, in the order of their ids. */
export function getItemLinesSql(tenantId: string, eventIds: readonly string[]): Sql {
  return sql`SELECT v.id AS event_id, t.id, ${lineUnder('e.policy_id')} AS line FROM unnest(${eventIds}::text[]) AS v (id)
    CROSS JOIN LATERAL (
      SELECT ${itemColumns} FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.id >= left(v.id, 19) AND t.id < left(v.id, 19) || E'\\U0010FFFF' OFFSET 0) t
    JOIN snapshot_heads h ON h.tenant_id = ${tenantId} AND h.review_id = t.review_id
    ${getJoins(tenantId)} ORDER BY v.id, t.id`;
}

/** Returns the digest of the tasks that each of these events made. */
export function listItemDigests(
  { db, tenantId }: Context,
  eventIds: readonly string[],
): Promise<(RowDigest & { readonly eventId: string })[]> {
  return db.rows(
    sql`SELECT n.event_id AS "eventId", ${digestColumns} FROM (${hashedLines('o.event_id', getItemLinesSql(tenantId, eventIds))}) n GROUP BY n.event_id`,
  );
}

/** Lists the items of a review as their events recorded them, behind one, in the order of their ids. */
export function listItemLines(
  { db, tenantId }: Context,
  reviewId: string,
  after: string,
  limit: number,
): Promise<{ readonly id: string; readonly line: string }[]> {
  return db.rows(
    sql`SELECT t.id, ${lineUnder('e.policy_id')} AS line FROM (
        SELECT ${itemColumns} FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.id > ${after} ORDER BY t.id LIMIT ${limit}) t
      ${getJoins(tenantId)} ORDER BY t.id`,
  );
}
