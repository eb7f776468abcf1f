/**
 * SQL of routes (review_routes): keeping them, and picking the route of an item of the snapshot.
 */
import type { PolicyJson } from '../../../gen/c1/api/policy/v1/policy_pb.js';
import { fixed, joinSql, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { Plans, Route, Turn } from '../../policies/index.ts';
import type { ItemConditions } from '../../snapshots/index.ts';

/** Keeps routes of a review behind those it has; they are of this version of its policies, which has none yet. */
export async function insertRoutes(context: Context, reviewId: string, routes: readonly Route[], version: number): Promise<void> {
  await context.db.run(
    `INSERT INTO review_routes (tenant_id, review_id, route_no, policy_id, step_key, document, created_at, version)
     SELECT $1, $2, (SELECT coalesce(max(r.route_no) + 1, 0) FROM review_routes r WHERE r.tenant_id = $1 AND r.review_id = $2) + n.place - 1,
       n.route ->> 'policyId', n.route ->> 'stepKey', n.route -> 'document', $4, $5
     FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS n (route, place)`,
    [context.tenantId, reviewId, JSON.stringify(routes), context.now, version],
  );
}

/** A route of a review as it is kept. */
export interface RouteRow {
  readonly routeNo: number;
  readonly policyId: string;
  readonly stepKey: string;
  readonly document: PolicyJson;
  /** The version of the policies of the review that it is of: 0 for what prepare froze. */
  readonly version: number;
}

const routeColumns = 'r.route_no AS "routeNo", r.policy_id AS "policyId", r.step_key AS "stepKey", r.document, r.version';

/** A route of a review. */
export function findRoute(context: Context, reviewId: string, routeNo: number): Promise<RouteRow | undefined> {
  return context.db.maybe<RouteRow>(
    `SELECT ${routeColumns} FROM review_routes r WHERE r.tenant_id = $1 AND r.review_id = $2 AND r.route_no = $3`,
    [context.tenantId, reviewId, routeNo],
  );
}

/** All routes of a review by number. */
export function listRoutes(context: Context, reviewId: string): Promise<RouteRow[]> {
  return context.db.rows<RouteRow>(
    `SELECT ${routeColumns} FROM review_routes r WHERE r.tenant_id = $1 AND r.review_id = $2 ORDER BY r.route_no`,
    [context.tenantId, reviewId],
  );
}

/** SQL of a condition for an item: for its account or for its entitlement. */
export type Holds = (condition: number) => Sql;

/** Place of an item: the policy of its entitlement, and its conditions. */
export interface ItemPlace {
  readonly policyId: Sql;
  readonly holds: Holds;
}

/** The conditions of rows `a` of review_accounts and `e` of review_entitlements; those that read both need the item itself. */
export function getHolds(a: string, e: string, ofItem?: ItemConditions): Holds {
  return (condition) =>
    ofItem?.values.get(condition) ??
    sql`(${condition}::smallint = ANY (${fixed(a)}.conditions) OR ${condition}::smallint = ANY (${fixed(e)}.conditions))`;
}

function pickTurn(turns: readonly Turn[], holds: Holds): Sql {
  const whens = turns.map(({ conditions, route }) => {
    const all = conditions.length === 0 ? sql`TRUE` : joinSql(conditions.map(holds), ' AND ');
    return sql`WHEN ${all} THEN ${fixed(String(route))}`;
  });
  return turns.length === 1 ? fixed(String(turns[0]?.route)) : sql`CASE ${joinSql(whens, ' ')} END`;
}

/** True if a route may be that of an item, as far as account and entitlement alone say: a condition that reads both may hold or not. */
export function getMayBeOnSql(
  { turns, rootIds }: Plans,
  routeNo: number,
  { policyId, holds }: ItemPlace,
  ofItems: ReadonlySet<number>,
): Sql {
  const picks = rootIds.map((id) => {
    const whens = (turns.get(id) ?? []).flatMap(({ conditions, route }) => {
      const known = conditions.filter((condition) => !ofItems.has(condition));
      const isCertain = known.length === conditions.length;
      const all = known.length === 0 ? sql`TRUE` : joinSql(known.map(holds), ' AND ');
      return isCertain || route === routeNo ? [sql`WHEN ${all} THEN ${fixed(String(route === routeNo))}`] : [];
    });
    return { id, pick: sql`CASE ${joinSql(whens, ' ')} END` };
  });
  const [only] = picks;
  if (picks.length === 1 && only !== undefined) {
    return only.pick;
  }
  return sql`CASE ${policyId} ${joinSql(
    picks.map(({ id, pick }) => sql`WHEN ${id} THEN ${pick}`),
    ' ',
  )} END`;
}

/** The number of the route of an item. */
export function getRoutePickSql({ turns, rootIds }: Plans, { policyId, holds }: ItemPlace): Sql {
  const picks = rootIds.map((id) => ({ id, pick: pickTurn(turns.get(id) ?? [], holds) }));
  const [only] = picks;
  if (picks.length === 1 && only !== undefined) {
    return sql`(${only.pick})::smallint`;
  }
  return sql`(CASE ${policyId} ${joinSql(
    picks.map(({ id, pick }) => sql`WHEN ${id} THEN ${pick}`),
    ' ',
  )} END)::smallint`;
}

/** Between the account and the entitlement of an item. */
export const itemSeparator = '/';

/**
 * Object to find reviewers of an item on route `routeNo` by, besides its app: its entitlement, the resource of that, its account, or the item
 * itself.
 */
export function getObjectPickSql(plans: Plans, item: { routeNo: Sql; entitlementId: Sql; resourceId: Sql; accountId: Sql }): Sql {
  const whens = plans.routes.flatMap(({ reads: what }, number) => {
    const object = {
      ENTITLEMENT: item.entitlementId,
      RESOURCE: item.resourceId,
      ACCOUNT: item.accountId,
      ITEM: getItemObjectSql(item),
      PERSON: undefined,
      NOTHING: undefined,
    }[what];
    return object === undefined ? [] : [sql`WHEN ${fixed(String(number))} THEN ${object}`];
  });
  const nothing = sql`''::text COLLATE "C"`;
  return whens.length === 0 ? nothing : sql`CASE ${item.routeNo} ${joinSql(whens, ' ')} ELSE ${nothing} END`;
}

/** The object of an item that reviewers are looked for by itself. */
export const getItemObjectSql = ({ accountId, entitlementId }: { readonly accountId: Sql; readonly entitlementId: Sql }): Sql =>
  sql`(${accountId} || ${fixed(`'${itemSeparator}'`)} || ${entitlementId})`;

/** Those asked first about the subject `s` (route_no, app_id, object_id, user_key): what was found for the person, else for everybody. */
export function getAskedFirstSql(tenantId: string, reviewId: string): Sql {
  return sql`(SELECT r.assignment_id FROM task_subject_assignments r
    WHERE r.tenant_id = ${tenantId} AND r.review_id = ${reviewId} AND r.route_no = s.route_no AND r.app_id = s.app_id AND r.object_id = s.object_id
      AND r.user_id = ANY (ARRAY[s.user_key, '']) ORDER BY r.user_id DESC LIMIT 1)`;
}
