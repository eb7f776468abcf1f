/** SQL that ends the credentials of a person whose data is erased. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** Revokes a person's credentials, and empties their names and the addresses they were bound to. */
export async function erasePersonCredentials(context: Context, userId: string): Promise<void> {
  await context.db.run(
    sql`UPDATE personal_clients SET deleted_at = coalesce(deleted_at, ${context.now}), display_name = '', allow_source_cidr = '{}',
        updated_at = ${context.now}
      WHERE tenant_id = ${context.tenantId} AND user_id = ${userId}`,
  );
}
