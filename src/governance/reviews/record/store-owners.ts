/**
 * SQL about the owners of reviews: the table `review_owners`.
 */
import type { Context } from '../../../context.ts';

/** An owner as a list shows them. */
export interface OwnerRow {
  readonly userId: string;
  readonly displayName: string;
  readonly email: string;
  readonly employeeId: string;
}

/** A page of the owners of a review by user id; those of a closed one as they were when it closed. */
export function listOwners(context: Context, reviewId: string, after: string, limit: number): Promise<OwnerRow[]> {
  return context.db.rows<OwnerRow>(
    `SELECT o.user_id AS "userId", w.display_name AS "displayName", w.email, w.employee_id AS "employeeId" FROM review_owners o
     JOIN reviews r ON r.tenant_id = $1 AND r.id = $2
     CROSS JOIN LATERAL person_words($1, o.user_id, r.closed_at) w
     WHERE o.tenant_id = $1 AND o.review_id = $2 AND o.user_id > $3 ORDER BY o.user_id LIMIT $4`,
    [context.tenantId, reviewId, after, limit],
  );
}

/** Makes these the owners of a review: adds who is missing, removes who is too many. */
export async function updateOwners(context: Context, reviewId: string, userIds: readonly string[]): Promise<void> {
  await context.db.run('DELETE FROM review_owners WHERE tenant_id = $1 AND review_id = $2 AND user_id <> ALL ($3)', [
    context.tenantId,
    reviewId,
    userIds,
  ]);
  await context.db.run(
    `INSERT INTO review_owners (tenant_id, review_id, user_id, created_at)
     SELECT $1, $2, u.id, $4 FROM unnest($3::text[]) AS u (id) ON CONFLICT DO NOTHING`,
    [context.tenantId, reviewId, userIds, context.now],
  );
}
