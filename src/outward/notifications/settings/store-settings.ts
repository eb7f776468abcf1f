/** SQL of which mails an organization and its people want: a document for each, or none where nothing was ever set. */
import type { JsonObject } from '@bufbuild/protobuf';
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/** The document of somebody, of everybody for ''; empty where nothing was set. */
export async function findNotificationSettings(context: Context, userId: string): Promise<JsonObject> {
  const found = await context.db.maybeValue<JsonObject>(
    sql`SELECT document FROM notification_settings WHERE tenant_id = ${context.tenantId} AND user_id = ${userId}`,
  );
  return found ?? {};
}

/** Replaces the document. */
export async function updateNotificationSettings(context: Context, userId: string, document: JsonObject): Promise<void> {
  await context.db.run(
    sql`INSERT INTO notification_settings (tenant_id, user_id, document, updated_at)
      VALUES (${context.tenantId}, ${userId}, ${JSON.stringify(document)}, ${context.now})
      ON CONFLICT (tenant_id, user_id) DO UPDATE SET document = excluded.document, updated_at = excluded.updated_at`,
  );
}
