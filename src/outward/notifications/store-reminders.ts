/** SQL of reminders: which open reviews want them, and up to which moment each of these is through. */
import { sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';

/** An open review that wants reminders. */
export interface RemindedReview {
  readonly id: string;
  readonly startedAt: Date;
  /** RFC 3339; '' for none. */
  readonly completionDate: string;
  /** Null: it is seen for the first time. */
  readonly remindedTo: Date | null;
}

/** The next open reviews behind `after` that want reminders. */
export function listRemindedReviews(context: Context, after: string, limit: number): Promise<RemindedReview[]> {
  const { tenantId } = context;
  return context.db.rows<RemindedReview>(
    sql`SELECT r.id, r.started_at AS "startedAt", coalesce(r.document ->> 'completionDate', '') AS "completionDate", m.reminded_to AS "remindedTo"
      FROM reviews_public r LEFT JOIN mail_reminders m ON m.tenant_id = ${tenantId} AND m.review_id = r.id
      WHERE r.tenant_id = ${tenantId} AND r.state = 'OPEN' AND NOT r.closing AND r.started_at IS NOT NULL AND r.id > ${after}
        AND r.document -> 'notificationConfig' -> 'sendReminders' = 'true'
      ORDER BY r.id LIMIT ${limit}`,
  );
}

/** Takes down up to which moment the reminders of a review are through. */
export async function updateRemindedTo(context: Context, reviewId: string, to: Date): Promise<void> {
  await context.db.run(
    sql`INSERT INTO mail_reminders (tenant_id, review_id, reminded_to) VALUES (${context.tenantId}, ${reviewId}, ${to})
      ON CONFLICT (tenant_id, review_id) DO UPDATE SET reminded_to = excluded.reminded_to`,
  );
}

/** Forgets the reviews that are not open any more, or want no reminders. */
export async function removeReminders(context: Context): Promise<void> {
  const { tenantId } = context;
  await context.db.run(
    sql`DELETE FROM mail_reminders m WHERE m.tenant_id = ${tenantId} AND NOT EXISTS (SELECT FROM reviews_public r
      WHERE r.tenant_id = ${tenantId} AND r.id = m.review_id AND r.state = 'OPEN' AND NOT r.closing
        AND r.document -> 'notificationConfig' -> 'sendReminders' = 'true')`,
  );
}
