/**
 * SQL that ends open tasks whose access is gone from the inventory. What ended since a revision is read from the grants that did, so it costs in
 * proportion to these, however many tasks there are.
 */
import { fixed, sql, type Sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { BulkResult } from './store-bulk.ts';
import { taskSlot } from '../task/index.ts';

/** Revisions of the inventory: those after `from`, up to `to`. */
export interface Revisions {
  readonly from: number;
  readonly to: number;
}

/** A review that follows the inventory. */
export interface FollowedReview {
  readonly id: string;
  /** True if its tasks end when a later sync no longer has their access. */
  readonly autoResolves: boolean;
}

/** A place among the grants that ended, in the order of their index. */
export interface EndedGrant {
  readonly revision: number;
  readonly isDerived: boolean;
  readonly entitlementId: string;
  readonly accountId: string;
}

/** The id that the row `alias` goes on under. No COALESCE: under row-level security that is never a condition of an index. */
const idByNow = (alias: string): Sql =>
  fixed(`CASE WHEN ${alias}.merged_into_id IS NULL THEN ${alias}.id ELSE ${alias}.merged_into_id END`);

/** The links by which the resource that a task `n` asks about passed its entitlement on, as `l`; where one of them went on as another, of that. */
function linksOf({ tenantId }: Context): Sql {
  return sql`resources_public q
    JOIN entitlements_public k ON k.tenant_id = ${tenantId} AND k.app_id = n.app_id AND k.id = n.entitlement_id
    JOIN entitlements_public f ON f.tenant_id = ${tenantId} AND f.app_id = n.app_id AND f.resource_id = ${idByNow('q')}
    JOIN links_public l ON l.tenant_id = ${tenantId} AND l.app_id = n.app_id AND l.from_entitlement_id = f.id
      AND l.to_entitlement_id = ${idByNow('k')}
    WHERE n.principal_kind = 'R' AND q.tenant_id = ${tenantId} AND q.app_id = n.app_id AND q.id = n.account_id`;
}

/**
 * True if what a task `n` asks about is there now, where its account or entitlement went on as another one, too. `OFFSET 0` keeps each a look by key, here and
 * below: without statistics all that is held was read into a hash instead.
 */
function isHeld(context: Context): Sql {
  return sql`(EXISTS (SELECT FROM grants_held g WHERE g.tenant_id = ${context.tenantId} AND g.app_id = n.app_id AND g.entitlement_id = n.entitlement_id
      AND g.account_id = n.account_id OFFSET 0)
    OR EXISTS (SELECT FROM accounts_public x
      JOIN entitlements_public k ON k.tenant_id = ${context.tenantId} AND k.app_id = x.app_id AND k.id = n.entitlement_id
      JOIN grants_held g ON g.tenant_id = ${context.tenantId} AND g.app_id = x.app_id AND g.entitlement_id = ${idByNow('k')}
        AND g.account_id = ${idByNow('x')}
      WHERE x.tenant_id = ${context.tenantId} AND x.app_id = n.app_id AND x.id = n.account_id
        AND (x.merged_into_id IS NOT NULL OR k.merged_into_id IS NOT NULL) OFFSET 0)
    OR EXISTS (SELECT FROM ${linksOf(context)} AND l.removed_revision IS NULL OFFSET 0))`;
}

/** True if something that a task `n` asks about is deleted: its app, its entitlement, its account or the account's owner. */
function isObjectGone({ tenantId }: Context): Sql {
  return sql`(EXISTS (SELECT FROM apps_public x WHERE x.tenant_id = ${tenantId} AND x.id = n.app_id AND x.deleted_at IS NOT NULL OFFSET 0)
    OR EXISTS (SELECT FROM entitlements_public x WHERE x.tenant_id = ${tenantId} AND x.app_id = n.app_id AND x.id = n.entitlement_id
      AND x.deleted_at IS NOT NULL AND x.merged_into_id IS NULL OFFSET 0)
    OR EXISTS (SELECT FROM accounts_public x WHERE x.tenant_id = ${tenantId} AND x.app_id = n.app_id AND x.id = n.account_id AND x.deleted_at IS NOT NULL
      AND x.merged_into_id IS NULL OFFSET 0)
    OR EXISTS (SELECT FROM resources_public x WHERE n.principal_kind = 'R' AND x.tenant_id = ${tenantId} AND x.app_id = n.app_id AND x.id = n.account_id
      AND x.deleted_at IS NOT NULL AND x.merged_into_id IS NULL OFFSET 0)
    OR EXISTS (SELECT FROM users_public x WHERE x.tenant_id = ${tenantId} AND x.id = n.user_id AND x.status = 'DELETED' OFFSET 0))`;
}

/**
 * True if what a task `n` asks about was ended here rather than left out by a later sync: something of it is deleted, or its grant was ended
 * manually or at its date.
 */
function endedHere(context: Context): Sql {
  const { tenantId } = context;
  return sql`(${isObjectGone(context)}
    OR coalesce((SELECT v.cause IN ('MANUAL', 'EXPIRY') FROM grants_public g
      JOIN revisions_public v ON v.tenant_id = ${tenantId} AND v.revision = g.removed_revision
      WHERE g.tenant_id = ${tenantId} AND g.app_id = n.app_id AND g.entitlement_id = n.entitlement_id AND g.account_id = n.account_id
      ORDER BY g.removed_revision DESC LIMIT 1), false)
    OR coalesce((SELECT v.cause IN ('MANUAL', 'EXPIRY') FROM (SELECT max(l.removed_revision) AS revision FROM ${linksOf(context)}) m
      JOIN revisions_public v ON v.tenant_id = ${tenantId} AND v.revision = m.revision), false))`;
}

/**
 * Locks the open tasks with the ids of `found`, in their order as submissions do, and ends those of them that nothing stands behind any more. The ids
 * are an array, so that they are looked up one by one whatever the planner believes of their number: a review has a million tasks.
 * What a later sync left out ends only the tasks of which `autoResolves` holds.
 */
function ending(context: Context, found: Sql, autoResolves: Sql): Sql {
  const { tenantId, now } = context;
  return sql`next AS MATERIALIZED (
      SELECT t.id, t.review_id, t.app_id, t.entitlement_id, t.account_id, t.principal_kind, t.user_id FROM tasks t
      WHERE t.tenant_id = ${tenantId} AND t.id = ANY (ARRAY(${found})) AND t.state = 'OPEN' ORDER BY t.id FOR UPDATE),
    ended AS (
      UPDATE tasks t SET state = 'CLOSED', outcome = 'CANCELLED', end_reason = CASE WHEN ${isObjectGone(context)} THEN 'OBJECT_GONE' ELSE 'GRANT_GONE' END,
        ended_at = ${now}, updated_at = ${now}
      FROM next n WHERE t.tenant_id = ${tenantId} AND t.id = n.id AND t.state = 'OPEN' AND (
        EXISTS (SELECT FROM apps_public p WHERE p.tenant_id = ${tenantId} AND p.id = n.app_id AND p.deleted_at IS NOT NULL)
        OR NOT ${isHeld(context)} AND (${autoResolves} OR ${endedHere(context)}))
      RETURNING t.id, t.end_reason)`;
}

const told = sql`(SELECT count(*) FROM ended) AS count, (SELECT count(*) FROM ended e WHERE e.end_reason = 'OBJECT_GONE') AS "objectGone",
  (SELECT encode(sha256(coalesce(string_agg(e.id, ',' ORDER BY e.id), '')::bytea), 'hex') FROM ended e) AS digest`;

/** Apps that were deleted by one of these revisions. */
export function listDeletedApps(context: Context, { from, to }: Revisions): Promise<string[]> {
  return context.db.column<string>(
    `SELECT DISTINCT v.app_id AS "appId" FROM revisions_public v
     JOIN apps_public p ON p.tenant_id = $1 AND p.id = v.app_id AND p.deleted_at IS NOT NULL
     WHERE v.tenant_id = $1 AND v.revision > $2 AND v.revision <= $3`,
    [context.tenantId, from, to],
  );
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
  return context.db.one(sql`WITH ${ending(context, found, sql`true`)} SELECT ${told}, (SELECT max(n.id) FROM next n) AS last`);
}

/**
 * Ends the open tasks of a review about the next `limit` grants that ended by these revisions, behind `after`. `last` is undefined when no grant
 * was left. A grant that was given again is open, and its task stays. So does, unless the review resolves by itself, that of a grant which a
 * later sync left out.
 */
export function updateTasksOfEnded(
  context: Context,
  { id: reviewId, autoResolves }: FollowedReview,
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
      SELECT g.removed_revision, g.is_derived, g.entitlement_id, g.account_id FROM grants_public g
      WHERE g.tenant_id = ${context.tenantId} AND g.removed_revision > ${from} AND g.removed_revision <= ${to}
        AND (g.removed_revision, g.is_derived, g.entitlement_id, g.account_id) > (${revision}, ${isDerived}, ${entitlementId}, ${accountId})
      ORDER BY g.removed_revision, g.is_derived, g.entitlement_id, g.account_id LIMIT ${limit}),
    ${ending(context, found, sql`${autoResolves}::boolean`)}
    SELECT ${told}, (
      SELECT json_build_object('revision', g.removed_revision, 'isDerived', g.is_derived, 'entitlementId', g.entitlement_id, 'accountId', g.account_id)
      FROM gone g ORDER BY g.removed_revision DESC, g.is_derived DESC, g.entitlement_id DESC, g.account_id DESC LIMIT 1) AS last`);
}

/** A place among the links that ended, in the order of their index. */
export interface EndedLink {
  readonly revision: number;
  readonly appId: string;
  readonly from: string;
  readonly to: string;
}

/** Like `updateTasksOfEnded`, of the next `limit` links that ended: a resource may pass an entitlement on by another one still. */
export function updateTasksOfEndedLinks(
  context: Context,
  { id: reviewId, autoResolves }: FollowedReview,
  { from, to }: Revisions,
  after: EndedLink | undefined,
  limit: number,
): Promise<BulkResult & { last: EndedLink | null }> {
  const { tenantId } = context;
  const behind = after ?? { revision: 0, appId: '', from: '', to: '' };
  const found = sql`SELECT x.id FROM (
      SELECT DISTINCT f.resource_id, g.to_entitlement_id FROM gone g
      JOIN entitlements_public f ON f.tenant_id = ${tenantId} AND f.app_id = g.app_id AND f.id = g.from_entitlement_id) k
    CROSS JOIN LATERAL (
      SELECT t.id FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.account_id = k.resource_id
        AND t.entitlement_id = k.to_entitlement_id OFFSET 0) x`;
  return context.db.one(sql`WITH gone AS MATERIALIZED (
      SELECT l.removed_revision, l.app_id, l.from_entitlement_id, l.to_entitlement_id FROM links_public l
      WHERE l.tenant_id = ${tenantId} AND l.removed_revision > ${from} AND l.removed_revision <= ${to}
        AND (l.removed_revision, l.app_id, l.from_entitlement_id, l.to_entitlement_id) > (${behind.revision}, ${behind.appId}, ${behind.from}, ${behind.to})
      ORDER BY l.removed_revision, l.app_id, l.from_entitlement_id, l.to_entitlement_id LIMIT ${limit}),
    ${ending(context, found, sql`${autoResolves}::boolean`)}
    SELECT ${told}, (
      SELECT json_build_object('revision', g.removed_revision, 'appId', g.app_id, 'from', g.from_entitlement_id, 'to', g.to_entitlement_id)
      FROM gone g ORDER BY g.removed_revision DESC, g.app_id DESC, g.from_entitlement_id DESC, g.to_entitlement_id DESC LIMIT 1) AS last`);
}

/** True if the access that a task asks about is there now: its app is, and its grant or link is open. */
export async function hasAccess(context: Context, taskId: string): Promise<boolean> {
  const row = await context.db.maybe(
    sql`SELECT FROM tasks n JOIN apps_public p ON p.tenant_id = ${context.tenantId} AND p.id = n.app_id AND p.deleted_at IS NULL
      WHERE n.tenant_id = ${context.tenantId} AND n.id = ${taskId} AND ${isHeld(context)}`,
  );
  return row !== undefined;
}

/** Ends one open task of an open review, if its access is gone. `reviewId` is undefined where there is no such task. */
export async function updateGoneTask(context: Context, taskId: string): Promise<BulkResult & { reviewId: string | undefined }> {
  const found = sql`SELECT t.id FROM tasks t
    WHERE t.tenant_id = ${context.tenantId} AND t.id = ${taskId} AND join_task_changes(t.tenant_id, t.review_id)`;
  const autoResolves = sql`EXISTS (SELECT FROM ${fixed(taskSlot.get().reviews)} r WHERE r.tenant_id = ${context.tenantId} AND r.id = n.review_id
    AND r.document -> 'autoResolve' = 'true')`;
  const row = await context.db.one<BulkResult & { reviewId: string | null }>(
    sql`WITH ${ending(context, found, autoResolves)} SELECT ${told}, (SELECT n.review_id FROM next n) AS "reviewId"`,
  );
  return { ...row, reviewId: row.reviewId ?? undefined };
}
