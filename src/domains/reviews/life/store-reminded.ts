/** SQL of reminders that named people: read from their events, which are the record of them. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { idFloor } from '../../../wire/ids.ts';

/**
 * Those of these people whom a reminder of a review has named since a moment; one that a clock wrote which ran more than a minute ahead does not count.
 * Grows with the reminders since then.
 */
export async function listReminded(
  { db, tenantId, now }: Context,
  reviewId: string,
  userIds: readonly string[],
  since: Date,
): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ userId: string }>(
    sql`SELECT DISTINCT n.user_id AS "userId" FROM events e, jsonb_array_elements_text(coalesce(e.data->'userIds', '[]')) AS n (user_id)
      WHERE e.tenant_id = ${tenantId} AND e.target_id = ${reviewId} AND e.kind = 'review.reminded' AND e.id >= ${idFloor(since)}
        AND e.occurred_at > ${since} AND e.occurred_at <= ${now}::timestamptz + interval '1 minute' AND n.user_id = ANY (${[...userIds]})`,
  );
  return new Set(rows.map(({ userId }) => userId));
}
