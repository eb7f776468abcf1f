/** SQL that empties what people wrote about the items of a review, and finds the reviews in which a person was asked or acted. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/**
 * Empties the next comments of a review, with the salts of commitments to them, at most `limit`; returns how many. A trigger permits nothing else of
 * an action to change.
 */
export function emptyComments(context: Context, reviewId: string, limit: number): Promise<number> {
  return context.db.run(
    sql`UPDATE task_actions a SET comment = '', data = a.data - 'commentSalt', emptied_at = ${context.now}
      FROM (SELECT x.task_id, x.id FROM task_actions x WHERE x.tenant_id = ${context.tenantId} AND x.review_id = ${reviewId}
        AND x.comment <> '' LIMIT ${limit}) AS n
      WHERE a.tenant_id = ${context.tenantId} AND a.task_id = n.task_id AND a.id = n.id`,
  );
}

/** Empties what the next items of a review are sorted by, which is made of names; returns how many. */
export function emptyItemKeys(context: Context, reviewId: string, limit: number): Promise<number> {
  return context.db.run(
    sql`UPDATE tasks t SET account_key = '', owner_key = ''
      FROM (SELECT x.id FROM tasks x WHERE x.tenant_id = ${context.tenantId} AND x.review_id = ${reviewId}
        AND (x.account_key <> '' OR x.owner_key <> '') LIMIT ${limit}) AS n
      WHERE t.tenant_id = ${context.tenantId} AND t.id = n.id`,
  );
}

/** Removes the decisions on a review that nobody submitted; returns how many. */
export function removePending(context: Context, reviewId: string): Promise<number> {
  return context.db.run(sql`DELETE FROM pending_decisions WHERE tenant_id = ${context.tenantId} AND review_id = ${reviewId}`);
}

/** Those of these reviews in which a person was asked, decided, commented or submitted. */
export function listReviewsAsked(context: Context, userIds: readonly string[], reviewIds: readonly string[]): Promise<string[]> {
  const { tenantId } = context;
  return context.db.column<string>(
    sql`SELECT r.id FROM unnest(${reviewIds}::text[]) AS r (id)
      WHERE EXISTS (SELECT FROM task_assignment_members m WHERE m.tenant_id = ${tenantId} AND m.user_id = ANY (${userIds}) AND m.review_id = r.id)
        OR EXISTS (SELECT FROM task_actions a WHERE a.tenant_id = ${tenantId} AND a.review_id = r.id AND (a.actor_id = ANY (${userIds}) OR a.issuer_id = ANY (${userIds})))
        OR EXISTS (SELECT FROM submissions s WHERE s.tenant_id = ${tenantId} AND s.review_id = r.id AND s.user_id = ANY (${userIds}))
      ORDER BY r.id`,
  );
}
