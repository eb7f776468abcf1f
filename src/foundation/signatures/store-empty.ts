/**
 * SQL that empties what signatures and step-ups say of people: names, salts, comments, ID tokens. The signed record stays, since it has commitments alone,
 * and so does the hash of each ID token, so that the event of a signature goes on to vouch for it.
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';

const emptied = sql`person = '{}', person_salt = '', comment_salts = '{}', printed_name = '',
  request = jsonb_build_object('reviewName', s.request -> 'reviewName', 'decisions', '[]'::jsonb)`;

/** Empties step-ups that a condition over `t` wants. */
async function emptyStepUps({ db, tenantId }: Context, isWanted: Sql): Promise<void> {
  await db.run(
    sql`UPDATE step_up_transactions t SET id_token = '', claims = NULL,
        id_token_sha256 = CASE WHEN t.id_token = '' THEN t.id_token_sha256 ELSE encode(sha256(convert_to(t.id_token, 'UTF8')), 'hex') END
      WHERE t.tenant_id = ${tenantId} AND (t.id_token <> '' OR t.claims IS NOT NULL) AND ${isWanted}`,
  );
}

/** Empties the next signatures of a review, with their step-ups; returns how many. */
export async function emptySignatures(context: Context, reviewId: string, limit: number): Promise<number> {
  const { db, tenantId } = context;
  const rows = await db.rows<{ id: string }>(
    sql`UPDATE signatures s SET ${emptied}
      FROM (SELECT x.id FROM signatures x WHERE x.tenant_id = ${tenantId} AND x.review_id = ${reviewId}
        AND (x.printed_name <> '' OR x.person_salt <> '') LIMIT ${limit}) AS n
      WHERE s.tenant_id = ${tenantId} AND s.id = n.id RETURNING s.id`,
  );
  await emptyStepUps(context, sql`t.signature_id = ANY (${rows.map(({ id }) => id)})`);
  return rows.length;
}

/** Empties every signature and step-up of a person, tests of providers too. */
export async function erasePersonSignatures(context: Context, userId: string): Promise<void> {
  const { db, tenantId } = context;
  await db.run(sql`UPDATE signatures s SET ${emptied} WHERE s.tenant_id = ${tenantId} AND s.user_id = ${userId}`);
  await emptyStepUps(context, sql`t.user_id = ${userId}`);
}
