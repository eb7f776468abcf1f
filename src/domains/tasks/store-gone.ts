/**
 * SQL that ends open tasks whose access is gone from the inventory. What ended since a revision is read from the grants that did, so it costs in
 * proportion to these, however many tasks there are.
 */
import { sql, type Sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import type { BulkResult } from './store-bulk.ts';

/** Revisions of the inventory: those after `from`, up to `to`. */
export interface Revisions {
  readonly from: number;
  readonly to: number;
}

/** A place among the grants that ended, in the order of their index. */
export interface EndedGrant {
  readonly revision: number;
  readonly isDerived: boolean;
  readonly entitlementId: string;
  readonly accountId: string;
}

/**
 * Locks the open tasks with the ids of `found`, in their order as submissions do, and ends those of them that nothing stands behind any more. The ids
 * are an array, so that they are looked up one by one whatever the planner believes of their number: a review has a million tasks.
 */
function ending({ tenantId, now }: Context, found: Sql): Sql {
  return sql`next AS MATERIALIZED (
      SELECT t.id, t.review_id, t.app_id, t.entitlement_id, t.account_id FROM tasks t
      WHERE t.tenant_id = ${tenantId} AND t.id = ANY (ARRAY(${found})) AND t.state = 'OPEN' ORDER BY t.id FOR UPDATE),
    ended AS (
      UPDATE tasks t SET state = 'CLOSED', outcome = 'CANCELLED', end_reason = 'GRANT_GONE', ended_at = ${now}, updated_at = ${now}
      FROM next n WHERE t.tenant_id = ${tenantId} AND t.id = n.id AND t.state = 'OPEN' AND (
        EXISTS (SELECT FROM apps p WHERE p.tenant_id = ${tenantId} AND p.id = n.app_id AND p.deleted_at IS NOT NULL)
        OR NOT EXISTS (SELECT FROM grants g WHERE g.tenant_id = ${tenantId} AND g.app_id = n.app_id AND g.entitlement_id = n.entitlement_id
          AND g.account_id = n.account_id AND g.removed_revision IS NULL))
      RETURNING t.id)`;
}

const told = sql`(SELECT count(*) FROM ended) AS count,
  (SELECT encode(sha256(coalesce(string_agg(e.id, ',' ORDER BY e.id), '')::bytea), 'hex') FROM ended e) AS digest`;

/** Apps that were deleted by one of these revisions. */
export async function listDeletedApps(context: Context, { from, to }: Revisions): Promise<string[]> {
  const rows = await context.db.rows<{ appId: string }>(
    `SELECT DISTINCT v.app_id AS "appId" FROM inventory_revisions v
     JOIN apps p ON p.tenant_id = $1 AND p.id = v.app_id AND p.deleted_at IS NOT NULL
     WHERE v.tenant_id = $1 AND v.revision > $2 AND v.revision <= $3`,
    [context.tenantId, from, to],
  );
  return rows.map((row) => row.appId);
}

/** Ends up to `limit` open tasks of a review about these apps, behind the task id `after`. `last` is undefined when none was left. */
export function updateTasksOfApps(
  context: Context,
  reviewId: string,
  appIds: readonly string[],
  after: string,
  limit: number,
): Promise<BulkResult & { last: string | null }> {
  const found = sql`SELECT x.id FROM tasks x WHERE x.tenant_id = ${context.tenantId} AND x.review_id = ${reviewId} AND x.id > ${after}
    AND x.state = 'OPEN' AND x.app_id = ANY (${appIds}) ORDER BY x.id LIMIT ${limit}`;
  return context.db.one(sql`WITH ${ending(context, found)} SELECT ${told}, (SELECT max(n.id) FROM next n) AS last`);
}

/**
 * Ends the open tasks of a review about the next `limit` grants that ended by these revisions, behind `after`. `last` is undefined when no grant
 * was left. A grant that was given again is open, and its task stays.
 */
export function updateTasksOfEnded(
  context: Context,
  reviewId: string,
  { from, to }: Revisions,
  after: EndedGrant | undefined,
  limit: number,
): Promise<BulkResult & { last: EndedGrant | null }> {
  const { revision, isDerived, entitlementId, accountId } = after ?? { revision: 0, isDerived: false, entitlementId: '', accountId: '' };
  const found = sql`SELECT x.id FROM (SELECT DISTINCT g.entitlement_id, g.account_id FROM gone g) k
    CROSS JOIN LATERAL (
      SELECT t.id FROM tasks t WHERE t.tenant_id = ${context.tenantId} AND t.review_id = ${reviewId} AND t.account_id = k.account_id
        AND t.entitlement_id = k.entitlement_id OFFSET 0) x`;
  return context.db.one(sql`WITH gone AS MATERIALIZED (
      SELECT g.removed_revision, g.is_derived, g.entitlement_id, g.account_id FROM grants g
      WHERE g.tenant_id = ${context.tenantId} AND g.removed_revision > ${from} AND g.removed_revision <= ${to}
        AND (g.removed_revision, g.is_derived, g.entitlement_id, g.account_id) > (${revision}, ${isDerived}, ${entitlementId}, ${accountId})
      ORDER BY g.removed_revision, g.is_derived, g.entitlement_id, g.account_id LIMIT ${limit}),
    ${ending(context, found)}
    SELECT ${told}, (
      SELECT json_build_object('revision', g.removed_revision, 'isDerived', g.is_derived, 'entitlementId', g.entitlement_id, 'accountId', g.account_id)
      FROM gone g ORDER BY g.removed_revision DESC, g.is_derived DESC, g.entitlement_id DESC, g.account_id DESC LIMIT 1) AS last`);
}

/** Ends one open task of an open review, if its access is gone. `reviewId` is undefined where there is no such task. */
export async function updateGoneTask(context: Context, taskId: string): Promise<BulkResult & { reviewId: string | undefined }> {
  const found = sql`SELECT t.id FROM tasks t
    JOIN task_reviews b ON b.tenant_id = ${context.tenantId} AND b.id = t.review_id AND b.state = 'OPEN'
    WHERE t.tenant_id = ${context.tenantId} AND t.id = ${taskId}`;
  const row = await context.db.one<BulkResult & { reviewId: string | null }>(
    sql`WITH ${ending(context, found)} SELECT ${told}, (SELECT n.review_id FROM next n) AS "reviewId"`,
  );
  return { ...row, reviewId: row.reviewId ?? undefined };
}
