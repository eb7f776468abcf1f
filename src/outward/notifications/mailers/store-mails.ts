/** SQL of mails: made of notices, marked before they are sent, and what came of them. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import type { Database } from '../../../db/types.ts';
import { idFloor, newId } from '../../../wire/ids.ts';

/** State of a mail (`mails.state`). UNSURE: it may have been sent, so it is not sent again. DROPPED: there was nothing to say any more. */
export type MailState = 'WAITING' | 'SENDING' | 'SENT' | 'FAILED' | 'UNSURE' | 'DROPPED';

/** A mail to one person. */
export interface MailRow {
  readonly id: string;
  readonly personId: string;
  readonly address: string;
  readonly subject: string;
  /** The part in plain text. */
  readonly body: string;
  /** SHA-256 of the whole message. */
  readonly digest: string;
  readonly state: MailState;
  readonly attempts: number;
  /** Receiving server's answer, or why nothing was sent. */
  readonly answer: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The columns of a mail `m`. */
const mailColumns = `m.id, m.person_id AS "personId", m.address, m.subject, m.body, m.digest, m.state, m.attempts, m.answer,
  m.created_at AS "createdAt", m.updated_at AS "updatedAt"`;

/** Makes notices due by now that a clock wrote which was ahead of ours by more than a minute. */
export async function updateFutureNotices({ db, tenantId, now }: Context): Promise<void> {
  await db.run(
    sql`UPDATE mail_outbox o SET due_at = o.due_at - (o.created_at - ${now}), created_at = ${now}
      WHERE o.tenant_id = ${tenantId} AND o.mail_id IS NULL AND o.due_at > ${now} AND o.created_at > ${now}::timestamptz + interval '1 minute'`,
  );
}

/** Makes a mail for each of these people of all that is due for them. */
export async function insertMails(context: Context, mails: readonly { readonly id: string; readonly personId: string }[]): Promise<void> {
  const { tenantId, now } = context;
  const ids = mails.map(({ id }) => id);
  const people = mails.map(({ personId }) => personId);
  await context.db.run(
    sql`INSERT INTO mails (tenant_id, id, person_id, created_at, updated_at)
      SELECT ${tenantId}, n.id, n.person_id, ${now}, ${now} FROM unnest(${ids}::text[], ${people}::text[]) AS n (id, person_id)`,
  );
  await context.db.run(
    sql`UPDATE mail_outbox o SET mail_id = n.id FROM unnest(${ids}::text[], ${people}::text[]) AS n (id, person_id)
      WHERE o.tenant_id = ${tenantId} AND o.person_id = n.person_id AND o.mail_id IS NULL AND o.due_at <= ${now}`,
  );
}

/** Makes a mail of one notice that nobody else makes one of, and says whether it is new: a notice exists once. */
export async function insertMailOfNotice(
  context: Context,
  id: string,
  notice: { readonly kind: string; readonly subjectId: string; readonly personId: string },
): Promise<boolean> {
  const { tenantId, now } = context;
  const added = await context.db.run(
    sql`INSERT INTO mail_outbox (tenant_id, id, kind, subject_id, person_id, due_at, mail_id, created_at)
      VALUES (${tenantId}, ${newId(now)}, ${notice.kind}, ${notice.subjectId}, ${notice.personId}, ${now}, ${id}, ${now}) ON CONFLICT DO NOTHING`,
  );
  if (added > 0) {
    await context.db.run(
      sql`INSERT INTO mails (tenant_id, id, person_id, created_at, updated_at) VALUES (${tenantId}, ${id}, ${notice.personId}, ${now}, ${now})`,
    );
  }
  return added > 0;
}

/** Takes places for so many mails behind those that were taken before; when the first of them leaves, each `gapMs` after the one before. */
export function updatePace(context: Context, count: number, gapMs: number): Promise<Date> {
  const { tenantId, now } = context;
  return context.db.value<Date>(
    // What a clock wrote that was ahead of ours is moved back by as much, as the deliveries behind it are.
    sql`INSERT INTO mail_pace AS p (tenant_id, next_at, written_at)
      VALUES (${tenantId}, ${now}::timestamptz + ${count * gapMs} * interval '1 millisecond', ${now})
      ON CONFLICT (tenant_id) DO UPDATE SET written_at = ${now},
        next_at = greatest(p.next_at - greatest(p.written_at - ${now}, interval '0'), ${now}) + ${count * gapMs} * interval '1 millisecond'
      RETURNING next_at - ${count * gapMs} * interval '1 millisecond' AS first`,
  );
}

/** A mail, locked until the transaction ends. */
export function lockMail(context: Context, id: string): Promise<MailRow | undefined> {
  return context.db.maybe<MailRow>(`SELECT ${mailColumns} FROM mails m WHERE m.tenant_id = $1 AND m.id = $2 FOR UPDATE`, [
    context.tenantId,
    id,
  ]);
}

/** Marks a mail as being sent, with what it says: from now on nobody else sends it. */
export async function updateSending(
  context: Context,
  id: string,
  sent: Pick<MailRow, 'address' | 'subject' | 'body' | 'digest'>,
): Promise<void> {
  await context.db.run(
    sql`UPDATE mails SET state = 'SENDING', attempts = attempts + 1, address = ${sent.address}, subject = ${sent.subject}, body = ${sent.body},
      digest = ${sent.digest}, answer = '', updated_at = ${context.now} WHERE tenant_id = ${context.tenantId} AND id = ${id}`,
  );
}

/** Writes down what came of a mail. */
export async function updateMailState(context: Context, id: string, state: MailState, answer: string): Promise<void> {
  await context.db.run(
    sql`UPDATE mails SET state = ${state}, answer = ${answer}, updated_at = ${context.now} WHERE tenant_id = ${context.tenantId} AND id = ${id}`,
  );
}

/** Time for which a mail that may not have arrived is counted, from when it was made: longer than one is tried. */
const countedMs = 48 * 3_600_000;

/** Counts mails of these tenants that were made in the last two days and may not have arrived, one tenant after the other, under row-level security. */
export async function countUnsureMails(database: Pick<Database, 'tenant'>, tenantIds: readonly string[], now: Date): Promise<number> {
  const since = idFloor(new Date(now.getTime() - countedMs));
  let count = 0;
  for (const tenantId of tenantIds) {
    const { found } = await database
      .tenant(tenantId)
      .one<{ found: number }>(
        sql`SELECT count(*)::int AS found FROM mails m WHERE m.tenant_id = ${tenantId} AND m.id >= ${since} AND m.state = 'UNSURE'`,
      );
    count += found;
  }
  return count;
}

/** The reviews that a mail is about. */
export function listReviewsOfMail(context: Context, id: string): Promise<string[]> {
  return context.db.column<string>(
    sql`SELECT DISTINCT o.review_id AS id FROM mail_outbox o WHERE o.tenant_id = ${context.tenantId} AND o.mail_id = ${id} AND o.review_id <> '' ORDER BY 1`,
  );
}
