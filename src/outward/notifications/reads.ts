/** Data other modules may read of mails: functions. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Counts the reminders of a review that each of these people got, or whoever decided in their place; `mail_outbox_by_review` answers. */
export async function countReminders(
  { db, tenantId }: Context,
  reviewId: string,
  userIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.rows<{ userId: string; reminders: number }>(
    sql`SELECT coalesce(nullif(o.on_behalf_id, ''), o.person_id) AS "userId", count(*) AS reminders FROM mail_outbox o
      WHERE o.tenant_id = ${tenantId} AND o.review_id = ${reviewId} AND o.review_id <> '' AND o.mail_id IS NOT NULL
        AND o.kind IN ('REMINDER', 'REVIEW_REMINDED', 'TASK_REMINDED') AND coalesce(nullif(o.on_behalf_id, ''), o.person_id) = ANY (${userIds})
      GROUP BY 1`,
  );
  return new Map(rows.map(({ userId, reminders }) => [userId, reminders]));
}
