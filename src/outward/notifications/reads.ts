/** Data other modules may read of mails: pieces of SQL. */
import { type Sql, sql } from '../../lib/sql.ts';

/** Returns how often people were reminded of a review: `user_id` and `reminders`. */
export function getRemindersSql(tenantId: string, reviewId: string): Sql {
  return sql`SELECT coalesce(nullif(o.on_behalf_id, ''), o.person_id) AS user_id, count(*) AS reminders FROM mail_outbox o
    WHERE o.tenant_id = ${tenantId} AND o.review_id = ${reviewId} AND o.review_id <> '' AND o.mail_id IS NOT NULL
      AND o.kind IN ('REMINDER', 'REVIEW_REMINDED', 'TASK_REMINDED') GROUP BY 1`;
}
