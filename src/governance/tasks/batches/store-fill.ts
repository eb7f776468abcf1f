/**
 * SQL that makes the tasks of a review from its snapshot, piece by piece of its accounts. The pieces of the statement stand one after the
 * other: the accounts, what they hold, which of it is asked about and by which policy, who is asked, and the tasks.
 */
import { empty, fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { Plans } from '../../policies/index.ts';
import type { AccountKey, HeldGrants, Within } from '../../snapshots/index.ts';
import { takeNumbers } from '../../../foundation/tenants/index.ts';
import type { RowDigest } from '../../../lib/log/row-digest.ts';
import type { BulkResult } from './store-bulk.ts';
import { getDigestOfMade } from './store-item-lines.ts';
import { getAccountFacts, getJudgedSql, getWasSql, type Judging, measurePeers } from './store-judge.ts';
import { getAskedFirstSql, getHolds, getObjectPickSql, getRoutePickSql } from '../policy-engine/index.ts';

/** The last of the next `accounts` accounts of a snapshot behind `after`, or undefined where there are none. */
export function findChunkEnd(context: Context, reviewId: string, after: AccountKey, accounts: number): Promise<AccountKey | undefined> {
  return context.db.maybe<AccountKey>(
    `SELECT c.app_id AS "appId", c.account_id AS "accountId" FROM (
       SELECT a.app_id, a.account_id FROM snapshot_accounts a
       WHERE a.tenant_id = $1 AND a.review_id = $2 AND a.excluded_by = '' AND (a.app_id, a.account_id) > ($3, $4)
       ORDER BY a.app_id, a.account_id LIMIT $5) c
     ORDER BY c.app_id DESC, c.account_id DESC LIMIT 1`,
    [context.tenantId, reviewId, after.appId, after.accountId, accounts],
  );
}

/**
 * The plan of a piece must not depend on what the planner believes. It takes a range of accounts for one row, and a generic plan knows the
 * range even less: both end in loops over everything. So what is looked up by index (grants of an account, reviewers of a subject) is
 * written so that nothing else can be done, and what is left is joined by hash.
 */
const pieceSettings = `SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off; SET LOCAL work_mem = '32MB'`;

/** A piece of a snapshot: behind an account, to another one, and what the ids of its tasks begin with. */
export interface Piece {
  readonly after: AccountKey;
  readonly end: AccountKey;
  readonly idPrefix: string;
}

/** Matches rows of this alias with an account of a piece. */
const isInPiece =
  ({ after, end }: Piece): Within =>
  (alias) => {
    const key = fixed(`(${alias}.app_id, ${alias}.account_id)`);
    return sql`${key} > (${after.appId}, ${after.accountId}) AND ${key} <= (${end.appId}, ${end.accountId})`;
  };

/** The accounts of a piece whose grants are asked about. */
function getChunk(tenantId: string, reviewId: string, piece: Piece, { before }: Judging): Sql {
  const { columns, joins } = getAccountFacts(tenantId, reviewId, before);
  return sql`SELECT a.app_id, a.account_id, a.principal_kind, a.user_id, a.access_profile_ids, a.conditions, a.account_key, a.owner_key, ${columns}
       FROM snapshot_accounts a ${joins} WHERE a.tenant_id = ${tenantId} AND a.review_id = ${reviewId} AND a.excluded_by = ''
         AND ${isInPiece(piece)('a')}`;
}

/** Selects what the accounts `chunk` hold, one by one. */
function getHeld({ grants }: HeldGrants): Sql {
  return sql`SELECT c.*, h.entitlement_id, h.granted_at, h.created_at, h.last_used_at, h.deprovision_at, h.paths, h.added_revision FROM chunk c CROSS JOIN LATERAL (${grants} OFFSET 0) h`;
}

/** Selects from `held` what is asked about, with the policy and the route that decide. */
function getItems(tenantId: string, reviewId: string, piece: Piece, { condition, conditions }: HeldGrants, plans: Plans): Sql {
  const route = getRoutePickSql(plans, { policyId: sql`e.policy_id`, holds: getHolds('h', 'e', conditions) });
  const object = getObjectPickSql(plans, {
    routeNo: sql`i.route_no`,
    entitlementId: sql`i.entitlement_id`,
    resourceId: sql`i.resource_id`,
    accountId: sql`i.account_id`,
  });
  return sql`SELECT i.*, ${object} AS object_id FROM (
       SELECT h.*, e.policy_id, e.place_key, e.resource_id, e.risk_level_value_id, e.risk_level_display_name, e.description = '' AS is_undescribed,
         ${route} AS route_no FROM held h
       JOIN snapshot_entitlements e ON e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.app_id = h.app_id
         AND e.entitlement_id = h.entitlement_id AND NOT e.is_excluded
       ${conditions?.getJoins(isInPiece(piece)) ?? empty}
       WHERE ${condition}) i`;
}

/** People asked first about the `items`, looked up once for each subject and route, with how many items that is. */
function getAsked(tenantId: string, reviewId: string): Sql {
  return sql`SELECT s.*, ${getAskedFirstSql(tenantId, reviewId)} AS assignment_id
       FROM (SELECT i.app_id, coalesce(i.user_id, '') AS user_key, i.route_no, i.object_id, count(*) AS n FROM items i
         GROUP BY i.app_id, coalesce(i.user_id, ''), i.route_no, i.object_id) s`;
}

/** At most this many tasks of a set are sorted for a page. The others are in the indexes of names. */
const maxSorted = 5_000;

/**
 * Sets that have more tasks with this piece than are sorted for a page: by what the pieces before made, counted there or not folded yet, and by what
 * is `asked` of them now. All tasks of such a set in this piece are in order.
 */
function getLarge(tenantId: string, reviewId: string): Sql {
  return sql`SELECT m.assignment_id FROM (
      SELECT p.key AS assignment_id, p.total FROM task_progress p
      WHERE p.tenant_id = ${tenantId} AND p.review_id = ${reviewId} AND p.dimension = 'ASSIGNMENT'
      UNION ALL
      SELECT x.assignment_id, x.total FROM task_progress_changes x WHERE x.tenant_id = ${tenantId} AND x.review_id = ${reviewId}
      UNION ALL
      SELECT q.assignment_id, q.n FROM asked q WHERE q.assignment_id IS NOT NULL) m
    GROUP BY m.assignment_id HAVING sum(m.total) > ${maxSorted}`;
}

/**
 * Makes one task for each grant that the accounts of a piece held as of the snapshot, of the entitlements in it. The caller does each piece
 * once, its place kept in the same transaction: a second time would break on tasks_one_per_grant (ON CONFLICT would let it pass, for a third
 * more time). `numericId` counts on under the lock of its counter. Changes planner settings until the transaction ends.
 * The digest is over account/entitlement in the order of the tasks: rows are returned as they were inserted, which prepare.test.ts holds it to.
 */
export async function insertTasksFromSnapshot(
  context: Context,
  reviewId: string,
  piece: Piece,
  held: HeldGrants,
  { plans, judging }: { readonly plans: Plans; readonly judging: Judging },
): Promise<BulkResult & { readonly evidence: RowDigest }> {
  const { tenantId, now } = context;
  const peers = await measurePeers(context, reviewId);
  await context.db.run(pieceSettings);
  const base = await takeNumbers(context, 'task_number', 0);
  const result = await context.db.one<BulkResult & { readonly evidence: RowDigest }>(
    sql`WITH chunk AS MATERIALIZED (${getChunk(tenantId, reviewId, piece, judging)}),
     held AS MATERIALIZED (${getHeld(held)}),
     items AS MATERIALIZED (${getItems(tenantId, reviewId, piece, held, plans)}),
     asked AS MATERIALIZED (${getAsked(tenantId, reviewId)}),
     large AS MATERIALIZED (${getLarge(tenantId, reviewId)}),
     was AS MATERIALIZED (${getWasSql(tenantId, judging.before)}),
     judged AS MATERIALIZED (${getJudgedSql(tenantId, reviewId, judging, peers)}),
     added AS (
       INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, user_id, policy_id, route_no, assignment_id,
         granted_at, last_used_at, created_at, updated_at, account_key, owner_key, place_key, score, flags, peers, peers_with, previous_task_id,
         state, outcome, end_reason, decided_by_id, decided_issuer_id, ended_at, principal_kind, in_order, asked_id)
       SELECT ${tenantId}, ${piece.idPrefix} || id_suffix(n.n), ${reviewId}, ${base} + n.n, n.app_id, n.entitlement_id, n.account_id, n.user_id, n.policy_id, n.route_no,
         CASE WHEN n.is_carried THEN NULL ELSE n.assignment_id END, n.granted_at, n.last_used_at, ${now}, ${now}, n.account_key, n.owner_key, n.place_key,
         n.score, n.flags, n.peers, n.peers_with, n.previous_task_id, CASE WHEN n.is_carried THEN 'CLOSED' ELSE 'OPEN' END,
         CASE WHEN n.is_carried THEN 'CERTIFIED' ELSE '' END, CASE WHEN n.is_carried THEN 'CARRIED' ELSE '' END,
         CASE WHEN n.is_carried THEN n.carried_by END, CASE WHEN n.is_carried THEN n.carried_issuer END,
         CASE WHEN n.is_carried THEN ${now}::timestamptz END, n.principal_kind, n.in_order,
         CASE WHEN n.is_carried THEN NULL ELSE n.assignment_id END
       FROM (
         SELECT row_number() OVER (ORDER BY i.app_id, i.account_id, i.entitlement_id) AS n, i.*, q.assignment_id, l.assignment_id IS NOT NULL AS in_order
         FROM judged i JOIN asked q ON q.app_id = i.app_id AND q.user_key = coalesce(i.user_id, '') AND q.route_no = i.route_no AND q.object_id = i.object_id
         LEFT JOIN large l ON l.assignment_id = q.assignment_id) n
       RETURNING id, numeric_id, app_id, account_id, entitlement_id, policy_id, asked_id),
     numbered AS (
       INSERT INTO task_numbers (tenant_id, first_number, last_number, first_id, review_id)
       SELECT ${tenantId}, ${base} + 1, ${base} + c.n, ${piece.idPrefix} || id_suffix(1), ${reviewId}
       FROM (SELECT count(*) AS n FROM judged) c WHERE c.n > 0)
     SELECT count(*) AS count, encode(sha256(coalesce(string_agg(d.account_id || '/' || d.entitlement_id, ','), '')::bytea), 'hex') AS digest,
       ${getDigestOfMade(tenantId, 'added', sql`SELECT q.assignment_id FROM asked q WHERE q.assignment_id IS NOT NULL`)} AS evidence
     FROM added d`,
  );
  await takeNumbers(context, 'task_number', result.count);
  return result;
}
