/** SQL that empties mails: those about a review, and those to or about a person. That they were sent, and the digest of each, stays. */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import { type ErasedPerson, holdsTextSql } from '../../lib/words.ts';

async function emptyMails(context: Context, which: Sql, limit: number): Promise<number> {
  return context.db.run(
    sql`UPDATE mails m SET address = '', subject = '', body = '', answer = ''
      FROM (SELECT x.id FROM mails x WHERE x.tenant_id = ${context.tenantId} AND (x.address, x.subject, x.body, x.answer) <> ('', '', '', '')
        AND ${which} LIMIT ${limit}) AS n
      WHERE m.tenant_id = ${context.tenantId} AND m.id = n.id`,
  );
}

/** Empties the next mails about a review, at most `limit`; returns how many. */
export async function emptyMailsOfReview(context: Context, reviewId: string, limit: number): Promise<number> {
  const { tenantId } = context;
  const emptied = await emptyMails(
    context,
    sql`x.id IN (SELECT o.mail_id FROM mail_outbox o WHERE o.tenant_id = ${tenantId} AND o.review_id = ${reviewId} AND o.mail_id IS NOT NULL)`,
    limit,
  );
  if (emptied < limit) {
    await context.db.run(
      sql`UPDATE mail_outbox SET data = '{}' WHERE tenant_id = ${tenantId} AND review_id = ${reviewId} AND review_id <> ''`,
    );
  }
  return emptied;
}

/** Empties the next mails to a person or about them, at most `limit`; returns how many. What waits for them goes. */
export async function erasePersonMails(context: Context, { userIds, texts }: ErasedPerson, limit: number): Promise<number> {
  const { tenantId, db } = context;
  await db.run(sql`DELETE FROM mail_outbox WHERE tenant_id = ${tenantId} AND person_id = ANY (${userIds}) AND mail_id IS NULL`);
  await db.run(
    sql`UPDATE mail_outbox o SET data = '{}' WHERE o.tenant_id = ${tenantId} AND (o.person_id = ANY (${userIds}) OR ${holdsTextSql('o.data', texts)})`,
  );
  const isNamed = sql`${holdsTextSql('x.subject', texts)} OR ${holdsTextSql('x.body', texts)} OR ${holdsTextSql('x.address', texts)} OR ${holdsTextSql('x.answer', texts)}`;
  return emptyMails(context, sql`(x.person_id = ANY (${userIds}) OR ${isNamed})`, limit);
}
