/** SQL of whom the mails of a tenant come from: one document, or none where nothing was ever set. */
import type { JsonObject } from '@bufbuild/protobuf';
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/** Setting and its times. */
export interface ProviderRow {
  readonly document: JsonObject;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The document; undefined where nothing was set. */
export function findProvider(context: Context): Promise<ProviderRow | undefined> {
  return context.db.maybe<ProviderRow>(
    sql`SELECT p.document, p.created_at AS "createdAt", p.updated_at AS "updatedAt" FROM email_providers p WHERE p.tenant_id = ${context.tenantId}`,
  );
}

/** Replaces the document. */
export async function updateProvider(context: Context, document: JsonObject): Promise<void> {
  const { tenantId, now, db } = context;
  await db.run(
    sql`INSERT INTO email_providers (tenant_id, document, created_at, updated_at) VALUES (${tenantId}, ${JSON.stringify(document)}, ${now}, ${now})
      ON CONFLICT (tenant_id) DO UPDATE SET document = excluded.document, updated_at = excluded.updated_at`,
  );
}
