/** SQL of the secrets by which sources sign in elsewhere: the table `source_secrets`. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** A secret as it is kept: sealed by a key of the tenant, or the name of a file of the operator. */
export interface SourceSecretRow {
  readonly name: string;
  readonly keyNo: number | null;
  readonly sealed: string;
  readonly fromFile: string;
}

/** Lists the secrets of a source by name. */
export function listSourceSecrets({ db, tenantId }: Context, sourceId: string): Promise<SourceSecretRow[]> {
  return db.rows<SourceSecretRow>(
    sql`SELECT name, key_no AS "keyNo", sealed, from_file AS "fromFile" FROM source_secrets
      WHERE tenant_id = ${tenantId} AND source_id = ${sourceId} ORDER BY name`,
  );
}

/** Adds a secret, or replaces the one of its name. */
export async function upsertSourceSecret({ db, tenantId, now }: Context, sourceId: string, secret: SourceSecretRow): Promise<void> {
  await db.run(
    sql`INSERT INTO source_secrets (tenant_id, source_id, name, key_no, sealed, from_file, set_at)
      VALUES (${tenantId}, ${sourceId}, ${secret.name}, ${secret.keyNo}, ${secret.sealed}, ${secret.fromFile}, ${now})
      ON CONFLICT (tenant_id, source_id, name) DO UPDATE
      SET key_no = excluded.key_no, sealed = excluded.sealed, from_file = excluded.from_file, set_at = excluded.set_at`,
  );
}

/** Removes a secret, or every one of a source where no name is given, and returns the names of those that were there. */
export async function removeSourceSecrets({ db, tenantId }: Context, sourceId: string, name?: string): Promise<string[]> {
  const found = await db.column<string>(
    sql`DELETE FROM source_secrets WHERE tenant_id = ${tenantId} AND source_id = ${sourceId}
      AND (${name ?? null}::text IS NULL OR name = ${name ?? null}) RETURNING name`,
  );
  return found.sort();
}

/** Removes the secrets of every source of an app. */
export async function removeAllSecretsOf({ db, tenantId }: Context, appId: string): Promise<void> {
  await db.run(
    sql`DELETE FROM source_secrets WHERE tenant_id = ${tenantId}
      AND source_id IN (SELECT id FROM sources WHERE tenant_id = ${tenantId} AND app_id = ${appId})`,
  );
}
