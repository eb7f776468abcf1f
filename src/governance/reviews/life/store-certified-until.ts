/**
 * SQL about access that was certified until a date: what has come, what stands for it now, and that it was followed. The table
 * `certified_until_ends`.
 */
import { fixed, type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getStandingIdsSql } from '../../../inventory/catalog/index.ts';
import type { ChosenEntitlement } from '../scope/index.ts';

/** All that ended so long before the last one that was followed was followed too: they are followed day by day, in order. */
const settledAfter = fixed("interval '2 days'");

/** The certified items `t` with an end that was not followed yet, up to now. */
function getDue({ tenantId, now }: Context): Sql {
  return sql`t.tenant_id = ${tenantId} AND t.outcome = 'CERTIFIED' AND t.certify_until <= ${now}
    AND t.certify_until > (SELECT coalesce(max(k.certify_until), '-infinity') - ${settledAfter} FROM certified_until_ends k WHERE k.tenant_id = ${tenantId})
    AND NOT EXISTS (SELECT FROM certified_until_ends k
      WHERE k.tenant_id = ${tenantId} AND k.task_id = t.id AND k.certify_until = t.certify_until)`;
}

/** A day, from its first moment to the first of the next. */
export interface Day {
  readonly from: Date;
  readonly to: Date;
}

/** The review and moment of the first end that was not followed. One of today waits for the last of its review today. */
export function findFirstEnd(context: Context, today: Day): Promise<{ reviewId: string; at: Date } | undefined> {
  const { db, tenantId, now } = context;
  return db.maybe(
    sql`SELECT t.review_id AS "reviewId", t.certify_until AS at FROM tasks_public t
      WHERE ${getDue(context)} AND NOT (t.certify_until >= ${today.from} AND EXISTS (SELECT FROM tasks_public l
        WHERE l.tenant_id = ${tenantId} AND l.review_id = t.review_id AND l.outcome = 'CERTIFIED' AND l.certify_until > ${now} AND l.certify_until < ${today.to}))
      ORDER BY t.certify_until, t.review_id LIMIT 1`,
  );
}

/** The next moment at which something ends; undefined where nothing does. */
export async function findNextEnd({ db, tenantId, now }: Context): Promise<Date | undefined> {
  const row = await db.one<{ at: Date | null }>(
    sql`SELECT min(t.certify_until) AS at FROM tasks_public t WHERE t.tenant_id = ${tenantId} AND t.outcome = 'CERTIFIED' AND t.certify_until > ${now}`,
  );
  return row.at ?? undefined;
}

/** An item whose time is over. */
export interface EndedItem extends ChosenEntitlement {
  readonly taskId: string;
  /** Of the account, or of the resource that passes the entitlement on. */
  readonly accountId: string;
  readonly isLink: boolean;
  readonly certifyUntil: Date;
  /** True if the access is there now. */
  readonly stands: boolean;
}

/** Condition that the access is there now which the task `t` is about: `n` has the ids of today. */
const stands = (
  tenantId: string,
): Sql => sql`EXISTS (SELECT FROM entitlements_public e JOIN apps_public p ON p.tenant_id = ${tenantId} AND p.id = e.app_id AND p.deleted_at IS NULL
    WHERE e.tenant_id = ${tenantId} AND e.app_id = t.app_id AND e.id = n.entitlement_id AND e.deleted_at IS NULL)
  AND CASE WHEN t.principal_kind = 'R' THEN EXISTS (
      SELECT FROM resources_public r
      JOIN entitlements_public f ON f.tenant_id = ${tenantId} AND f.app_id = r.app_id AND f.resource_id = r.id AND f.deleted_at IS NULL
      JOIN links_public l ON l.tenant_id = ${tenantId} AND l.app_id = f.app_id AND l.from_entitlement_id = f.id
        AND l.to_entitlement_id = n.entitlement_id AND l.removed_revision IS NULL
      WHERE r.tenant_id = ${tenantId} AND r.app_id = t.app_id AND r.id = n.account_id AND r.deleted_at IS NULL)
    ELSE EXISTS (SELECT FROM grants_held g JOIN accounts_public a ON a.tenant_id = ${tenantId} AND a.app_id = g.app_id AND a.id = g.account_id AND a.status <> 'DELETED'
      WHERE g.tenant_id = ${tenantId} AND g.app_id = t.app_id AND g.entitlement_id = n.entitlement_id AND g.account_id = n.account_id) END`;

/** The next items of a review whose time is over since a day, and was not followed. */
export function listEnded(context: Context, reviewId: string, { from, to }: Day, limit: number): Promise<EndedItem[]> {
  return context.db.rows<EndedItem>(
    sql`SELECT t.id AS "taskId", t.app_id AS "appId", n.entitlement_id AS "entitlementId", n.account_id AS "accountId",
        t.principal_kind = 'R' AS "isLink", t.certify_until AS "certifyUntil", (${stands(context.tenantId)}) AS stands
      FROM tasks_public t CROSS JOIN LATERAL (${getStandingIdsSql(context.tenantId)}) n
      WHERE ${getDue(context)} AND t.review_id = ${reviewId} AND t.certify_until >= ${from} AND t.certify_until < ${to}
      ORDER BY t.app_id, t.entitlement_id, t.account_id LIMIT ${limit}`,
  );
}

/** Writes down that the end of these items was followed, and by which review; '' for those whose access had ended. */
export async function insertFollowed(context: Context, items: readonly EndedItem[], reviewId: string): Promise<void> {
  await context.db.run(
    sql`INSERT INTO certified_until_ends (tenant_id, task_id, certify_until, review_id, created_at)
      SELECT ${context.tenantId}, n.task_id, n.at, ${reviewId}, ${context.now}
      FROM unnest(${items.map(({ taskId }) => taskId)}::text[], ${items.map(({ certifyUntil }) => certifyUntil.toISOString())}::timestamptz[]) AS n (task_id, at)`,
  );
}
