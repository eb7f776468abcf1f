/** SQL of what completeness reads beside the snapshot: the names of apps, and the revision of the inventory at a moment. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** Returns the names of these apps, deleted ones too, by id. */
export function listAppNames({ db, tenantId }: Context, ids: readonly string[]): Promise<{ id: string; displayName: string }[]> {
  return db.rows(
    sql`SELECT a.id, a.display_name AS "displayName" FROM apps_public a WHERE a.tenant_id = ${tenantId} AND a.id = ANY (${ids}::text[]) ORDER BY a.id`,
  );
}

/** Returns the last revision of the inventory that was made by a moment; 0 for none. `inventory_revisions_by_time` answers. */
export async function findRevisionAt({ db, tenantId }: Context, moment: Date): Promise<number> {
  const found = await db.maybeValue<number>(
    sql`SELECT v.revision FROM revisions_public v WHERE v.tenant_id = ${tenantId} AND v.made_at <= ${moment} ORDER BY v.made_at DESC, v.revision DESC LIMIT 1`,
  );
  return found ?? 0;
}
