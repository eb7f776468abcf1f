/**
 * SQL of the session settings of a tenant: one document, or none where nothing was ever set.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Scope } from '../../scope.ts';
import type { CredentialKind } from './store.ts';

/** The document; empty where nothing was set. */
export async function findSettings(scope: Scope): Promise<JsonObject> {
  const row = await scope.db.maybe<{ document: JsonObject }>('SELECT document FROM session_settings WHERE tenant_id = $1', [
    scope.tenantId,
  ]);
  return row?.document ?? {};
}

/** The same, held against other writers until the end of the transaction. */
export async function lockSettings(scope: Scope): Promise<JsonObject> {
  await scope.db.rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 4))', [`countersign.session_settings.${scope.tenantId}`]);
  return findSettings(scope);
}

/** Replaces the document. */
export async function updateSettings(scope: Scope, document: JsonObject): Promise<void> {
  await scope.db.run(
    `INSERT INTO session_settings (tenant_id, document, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (tenant_id) DO UPDATE SET document = excluded.document, updated_at = excluded.updated_at`,
    [scope.tenantId, JSON.stringify(document), scope.now],
  );
}

/** Of which kind a credential is, and the roles its holder has. */
export function findHolder(scope: Scope, credentialId: string): Promise<{ kind: CredentialKind; roleIds: string[] } | undefined> {
  return scope.db.maybe(
    `SELECT c.kind, ARRAY(SELECT r.role_id FROM user_roles r WHERE r.tenant_id = c.tenant_id AND r.user_id = c.user_id) AS "roleIds"
     FROM personal_clients c WHERE c.tenant_id = $1 AND c.id = $2`,
    [scope.tenantId, credentialId],
  );
}
