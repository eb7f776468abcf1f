/** SQL that removes what sources wanted of a person. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Removes the claims on a person, and which sources report them. */
export async function erasePersonClaims({ db, tenantId }: Context, userId: string): Promise<void> {
  await db.run(sql`DELETE FROM person_claims WHERE tenant_id = ${tenantId} AND user_id = ${userId}`);
  await db.run(sql`DELETE FROM person_sources WHERE tenant_id = ${tenantId} AND user_id = ${userId}`);
}
