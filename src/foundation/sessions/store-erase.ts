/** SQL that removes how a person signed in. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Removes sessions, links, programs, accounts at identity providers and former addresses of a person. */
export async function erasePersonSignIns({ db, tenantId }: Context, userId: string): Promise<void> {
  await db.run(sql`DELETE FROM sessions WHERE tenant_id = ${tenantId} AND user_id = ${userId}`);
  await db.run(sql`DELETE FROM sign_in_links WHERE tenant_id = ${tenantId} AND user_id = ${userId}`);
  await db.run(sql`DELETE FROM device_grants WHERE tenant_id = ${tenantId} AND user_id = ${userId}`);
  await db.run(sql`DELETE FROM external_identities WHERE tenant_id = ${tenantId} AND user_id = ${userId}`);
  await db.run(sql`DELETE FROM address_changes WHERE tenant_id = ${tenantId} AND user_id = ${userId}`);
}
