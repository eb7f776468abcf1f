/** The items of reviews, read from their tasks: pieces of SQL that snapshots are compared with. */
import { type Sql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/** Selects `account_id` and `entitlement_id` of what was decided after a moment in reviews of these apps, some more than once. */
export function getDecidedSinceSql(tenantId: string, appIds: readonly string[], since: Date): Sql {
  return sql`SELECT t.account_id, t.entitlement_id FROM task_reviews b JOIN tasks t ON t.tenant_id = ${tenantId} AND t.review_id = b.id
     WHERE b.tenant_id = ${tenantId} AND b.state IN ('OPEN', 'CLOSING', 'CLOSED') AND t.app_id = ANY (${appIds}::text[])
       AND t.end_reason = 'DECIDED' AND t.ended_at > ${since}`;
}

/** Selects what tasks were made for with ids that begin so: `app_id`, `principal_kind`, `account_id` and `entitlement_id`. */
export function getItemsMadeSql(tenantId: string, reviewId: string, idPrefix: string): Sql {
  return sql`SELECT t.app_id, t.principal_kind, t.account_id, t.entitlement_id FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId}
    AND t.id >= ${idPrefix}::text || '00000000' AND t.id <= ${idPrefix}::text || '99999999'`;
}

/** Selects the `entitlement_id` of what is asked about the account `c` in a review. */
export function getAccountItemsSql(tenantId: string, reviewId: string): Sql {
  return sql`SELECT t.entitlement_id FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId} AND t.account_id = c.account_id`;
}

/** Selects what a review asked about: `app_id`, `account_id`, `entitlement_id`, and `is_certified` where somebody certified it and that still holds. */
export function getItemsAskedSql({ tenantId, now }: Context, reviewId: string): Sql {
  return sql`SELECT t.app_id, t.account_id, t.entitlement_id,
      t.outcome = 'CERTIFIED' AND t.decided_by_id IS NOT NULL AND t.end_reason IN ('DECIDED', 'CARRIED')
        AND (t.certify_until IS NULL OR t.certify_until > ${now}) AS is_certified
    FROM tasks t WHERE t.tenant_id = ${tenantId} AND t.review_id = ${reviewId}`;
}
