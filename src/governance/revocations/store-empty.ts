/** SQL that empties what people wrote about removals. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { holdsTextSql } from '../../lib/words.ts';

/** Empties the next notes about the removals of a review, at most `limit` of each table; returns how many. */
export async function emptyNotes(context: Context, reviewId: string, limit: number): Promise<number> {
  const { tenantId, db } = context;
  const current = await db.run(
    sql`UPDATE revocations r SET note = '' FROM (SELECT x.id FROM revocations x WHERE x.tenant_id = ${tenantId} AND x.review_id = ${reviewId}
        AND x.note <> '' LIMIT ${limit}) AS n WHERE r.tenant_id = ${tenantId} AND r.id = n.id`,
  );
  const former = await db.run(
    sql`UPDATE revocation_changes c SET note = ''
      FROM (SELECT x.revocation_id, x.id FROM revocation_changes x JOIN revocations r ON r.tenant_id = ${tenantId} AND r.id = x.revocation_id
        WHERE x.tenant_id = ${tenantId} AND r.review_id = ${reviewId} AND x.note <> '' LIMIT ${limit}) AS n
      WHERE c.tenant_id = ${tenantId} AND c.revocation_id = n.revocation_id AND c.id = n.id`,
  );
  return current + former;
}

/** Returns the removals of a person's access that somebody asked for without a review. */
export function listOwnRemovals({ db, tenantId }: Context, userId: string, accountIds: readonly string[]): Promise<string[]> {
  return db.column<string>(
    sql`SELECT r.id FROM revocations r WHERE r.tenant_id = ${tenantId} AND r.review_id = ''
      AND (r.user_id = ${userId} OR r.account_id = ANY (${accountIds})) ORDER BY r.id`,
  );
}

/** Empties notes and descriptions that hold one of the texts. */
export async function emptyNotesNaming(context: Context, texts: readonly string[]): Promise<void> {
  const { tenantId, db } = context;
  await db.run(
    sql`UPDATE revocations r SET note = '', description = '' WHERE r.tenant_id = ${tenantId}
      AND (${holdsTextSql('r.note', texts)} OR ${holdsTextSql('r.description', texts)})`,
  );
  await db.run(sql`UPDATE revocation_changes c SET note = '' WHERE c.tenant_id = ${tenantId} AND ${holdsTextSql('c.note', texts)}`);
}
