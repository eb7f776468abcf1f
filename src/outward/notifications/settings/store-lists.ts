/** SQL of what is shown of mails and notices: pages, the newest first. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { MailRow, MailState } from '../mailers/index.ts';

const columns = `m.id, m.person_id AS "personId", m.address, m.subject, m.digest, m.state, m.attempts, m.answer,
  m.created_at AS "createdAt", m.updated_at AS "updatedAt"`;

/** A mail of a list, which leaves its text out. */
export type ListedMail = Omit<MailRow, 'body'>;

/** Mails before this id, of a state or of all. */
export function listMails(context: Context, state: MailState | undefined, before: string, limit: number): Promise<ListedMail[]> {
  return context.db.rows<ListedMail>(
    `SELECT ${columns} FROM mails m WHERE m.tenant_id = $1 AND ($2 = '' OR m.id < $2) AND ($3::text IS NULL OR m.state = $3) ORDER BY m.id DESC LIMIT $4`,
    [context.tenantId, before, state ?? null, limit],
  );
}

/** A mail as it was sent. */
export function findMail(context: Context, id: string): Promise<MailRow | undefined> {
  return context.db.maybe<MailRow>(`SELECT ${columns}, m.body FROM mails m WHERE m.tenant_id = $1 AND m.id = $2`, [context.tenantId, id]);
}

/** A notice with the id of its mail. */
export interface ListedNotice {
  readonly id: string;
  readonly kind: string;
  readonly personId: string;
  readonly onBehalfId: string;
  readonly subjectId: string;
  readonly slot: string;
  readonly dueAt: Date;
  readonly mailId: string | null;
}

/** Notices of a review before this id. */
export function listNoticesOfReview(context: Context, reviewId: string, before: string, limit: number): Promise<ListedNotice[]> {
  return context.db.rows<ListedNotice>(
    sql`SELECT o.id, o.kind, o.person_id AS "personId", o.on_behalf_id AS "onBehalfId", o.subject_id AS "subjectId", o.slot, o.due_at AS "dueAt",
        o.mail_id AS "mailId" FROM mail_outbox o
      WHERE o.tenant_id = ${context.tenantId} AND o.review_id = ${reviewId} AND (${before} = '' OR o.id < ${before}) ORDER BY o.id DESC LIMIT ${limit}`,
  );
}

/** Mails by their ids. */
export async function listMailsByIds(context: Context, ids: readonly string[]): Promise<ReadonlyMap<string, ListedMail>> {
  const rows = await context.db.rows<ListedMail>(`SELECT ${columns} FROM mails m WHERE m.tenant_id = $1 AND m.id = ANY ($2)`, [
    context.tenantId,
    [...ids],
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}
