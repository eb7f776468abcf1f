/**
 * SQL that reads the sources that identity providers feed: the one of an app, and the digest of its token.
 */
import type { Context } from '../../context.ts';

/** A connector for SCIM. */
export interface ScimSourceRow {
  readonly id: string;
  readonly appId: string;
  readonly sourceNo: number;
  readonly displayName: string;
  /** SHA-256; null where there is no token. */
  readonly tokenHash: Buffer | null;
  readonly pausedAt: Date | null;
}

const columns = `c.id, c.app_id AS "appId", c.source_no AS "sourceNo", c.display_name AS "displayName", c.scim_token_hash AS "tokenHash",
  c.paused_at AS "pausedAt"`;

/** The connector for SCIM with this id, of an app that is there. */
export function findScimSource(context: Context, id: string): Promise<ScimSourceRow | undefined> {
  return context.db.maybe<ScimSourceRow>(
    `SELECT ${columns} FROM sources_public c JOIN apps_public p ON p.tenant_id = $1 AND p.id = c.app_id AND p.deleted_at IS NULL
     WHERE c.tenant_id = $1 AND c.id = $2 AND c.kind = 'SCIM' AND c.deleted_at IS NULL`,
    [context.tenantId, id],
  );
}

/** The connector for SCIM of an app. */
export function findScimSourceOf(context: Context, appId: string): Promise<ScimSourceRow | undefined> {
  return context.db.maybe<ScimSourceRow>(
    `SELECT ${columns} FROM sources_public c WHERE c.tenant_id = $1 AND c.app_id = $2 AND c.kind = 'SCIM' AND c.deleted_at IS NULL
     ORDER BY c.source_no LIMIT 1`,
    [context.tenantId, appId],
  );
}
