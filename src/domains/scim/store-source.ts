/**
 * SQL of the table `connectors` as SCIM needs it: the app's connector for it, and the digest of its token.
 */
import { sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { newMatchOrder } from '../sources/index.ts';

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
    `SELECT ${columns} FROM sources c JOIN apps p ON p.tenant_id = $1 AND p.id = c.app_id AND p.deleted_at IS NULL
     WHERE c.tenant_id = $1 AND c.id = $2 AND c.kind = 'SCIM' AND c.deleted_at IS NULL`,
    [context.tenantId, id],
  );
}

/** The connector for SCIM of an app. */
export function findScimSourceOf(context: Context, appId: string): Promise<ScimSourceRow | undefined> {
  return context.db.maybe<ScimSourceRow>(
    `SELECT ${columns} FROM sources c WHERE c.tenant_id = $1 AND c.app_id = $2 AND c.kind = 'SCIM' AND c.deleted_at IS NULL
     ORDER BY c.source_no LIMIT 1`,
    [context.tenantId, appId],
  );
}

/** Adds a connector for SCIM with the next number of its app, under the first name of SCIM, SCIM 2, ... that is free. The app is locked. */
export async function insertScimSource(context: Context, id: string, appId: string): Promise<void> {
  const { tenantId, now } = context;
  await context.db.run(
    sql`INSERT INTO sources (tenant_id, id, app_id, source_no, kind, display_name, name_key, match_order, created_at, updated_at)
     SELECT ${tenantId}, ${id}, ${appId}, m.next, 'SCIM', n.name, lower(n.name), ${newMatchOrder(tenantId, appId)}, ${now}, ${now}
     FROM (SELECT coalesce(max(source_no), 0) + 1 AS next FROM sources WHERE tenant_id = ${tenantId} AND app_id = ${appId}) AS m
     CROSS JOIN LATERAL (
       SELECT CASE WHEN i = 1 THEN 'SCIM' ELSE 'SCIM ' || i END AS name FROM generate_series(1, m.next) AS i
       WHERE NOT EXISTS (SELECT FROM sources o WHERE o.tenant_id = ${tenantId} AND o.app_id = ${appId} AND o.deleted_at IS NULL
         AND o.name_key = lower(CASE WHEN i = 1 THEN 'SCIM' ELSE 'SCIM ' || i END))
       ORDER BY i LIMIT 1) AS n`,
  );
}

/** Sets the digest of a connector's token; null takes the token away. */
export async function updateTokenHash(context: Context, id: string, tokenHash: Buffer | null): Promise<void> {
  await context.db.run('UPDATE sources SET scim_token_hash = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2', [
    context.tenantId,
    id,
    tokenHash,
    context.now,
  ]);
}
