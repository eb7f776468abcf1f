/**
 * SQL that marks an app as deleted, with what the catalog lists in it. Nothing is erased, since reviews, events and the history of grants name
 * it. Each statement is one pass over the rows of one table.
 */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** Marks the app deleted, and its resource types, resources and entitlements with it; nobody holds them from then on. */
export async function removeApp(context: Context, appId: string): Promise<void> {
  const { db, tenantId, now } = context;
  const ofApp = sql`tenant_id = ${tenantId} AND app_id = ${appId} AND deleted_at IS NULL`;
  await db.run(sql`UPDATE resource_types SET deleted_at = ${now}, updated_at = ${now} WHERE ${ofApp}`);
  await db.run(sql`UPDATE resources SET deleted_at = ${now}, updated_at = ${now} WHERE ${ofApp}`);
  await db.run(sql`UPDATE entitlements SET grant_count = 0, deleted_at = ${now}, updated_at = ${now} WHERE ${ofApp}`);
  await db.run(
    sql`UPDATE apps SET user_count = 0, deleted_at = ${now}, updated_at = ${now} WHERE tenant_id = ${tenantId} AND id = ${appId}`,
  );
}
