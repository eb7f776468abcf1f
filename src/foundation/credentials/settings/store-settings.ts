/**
 * SQL of the session settings of a tenant: one document, or none where nothing was ever set.
 */
import type { SessionSettingsJson } from '../../../gen/c1/api/settings/v1/settings_pb.js';
import type { Context } from '../../../context.ts';
import type { CredentialKind } from '../record/index.ts';

/** The document; empty where nothing was set. */
export async function findSettings(context: Context): Promise<SessionSettingsJson> {
  const found = await context.db.maybeValue<SessionSettingsJson>('SELECT document FROM session_settings WHERE tenant_id = $1', [
    context.tenantId,
  ]);
  return found ?? {};
}

/** The same, held against other writers until the end of the transaction. */
export async function lockSettings(context: Context): Promise<SessionSettingsJson> {
  await context.db.rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 4))', [`countersign.session_settings.${context.tenantId}`]);
  return findSettings(context);
}

/** Replaces the document. */
export async function updateSettings(context: Context, document: SessionSettingsJson): Promise<void> {
  await context.db.run(
    `INSERT INTO session_settings (tenant_id, document, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (tenant_id) DO UPDATE SET document = excluded.document, updated_at = excluded.updated_at`,
    [context.tenantId, JSON.stringify(document), context.now],
  );
}

/** Of which kind a credential is, and the roles its holder has. */
export function findHolder(context: Context, credentialId: string): Promise<{ kind: CredentialKind; roleIds: string[] } | undefined> {
  return context.db.maybe(
    `SELECT c.kind, ARRAY(SELECT r.role_id FROM roles_held r WHERE r.tenant_id = c.tenant_id AND r.user_id = c.user_id) AS "roleIds"
     FROM personal_clients c WHERE c.tenant_id = $1 AND c.id = $2`,
    [context.tenantId, credentialId],
  );
}
