/**
 * SQL of what other modules have sources remember: the token of an identity provider, the order in which accounts are matched, the columns of
 * files. What clients say of a source is in store.ts.
 */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { removeAllSecretsOf } from './secrets/index.ts';
import { findNewMatchOrder } from './store-sync.ts';

/** Adds a source for SCIM with the next number of its app, under the first name of SCIM, SCIM 2, ... that is free. The app is locked. */
export async function insertScimSource(context: Context, id: string, appId: string): Promise<void> {
  const { tenantId, now } = context;
  const order = await findNewMatchOrder(context, appId);
  await context.db.run(
    sql`INSERT INTO sources (tenant_id, id, app_id, source_no, kind, display_name, name_key, match_order, created_at, updated_at)
     SELECT ${tenantId}, ${id}, ${appId}, m.next, 'SCIM', n.name, lower(n.name COLLATE "C"), ${order}::text[], ${now}, ${now}
     FROM (SELECT coalesce(max(source_no), 0) + 1 AS next FROM sources WHERE tenant_id = ${tenantId} AND app_id = ${appId}) AS m
     CROSS JOIN LATERAL (
       SELECT CASE WHEN i = 1 THEN 'SCIM' ELSE 'SCIM ' || i END AS name FROM generate_series(1, m.next) AS i
       WHERE NOT EXISTS (SELECT FROM sources o WHERE o.tenant_id = ${tenantId} AND o.app_id = ${appId} AND o.deleted_at IS NULL
         AND o.name_key = lower((CASE WHEN i = 1 THEN 'SCIM' ELSE 'SCIM ' || i END) COLLATE "C"))
       ORDER BY i LIMIT 1) AS n`,
  );
}

/** Sets the digest of a source's token; null takes the token away. */
export async function updateTokenHash(context: Context, id: string, tokenHash: Buffer | null): Promise<void> {
  await context.db.run(
    sql`UPDATE sources SET scim_token_hash = ${tokenHash}, updated_at = ${context.now} WHERE tenant_id = ${context.tenantId} AND id = ${id}`,
  );
}

/** Gives a source this order of matching its accounts. */
export async function updateMatchOrder(context: Context, id: string, order: readonly string[]): Promise<void> {
  await context.db.run(
    sql`UPDATE sources SET match_order = ${order}, updated_at = ${context.now} WHERE tenant_id = ${context.tenantId} AND id = ${id}`,
  );
}

/** Gives every source of an app this order and returns how many had another. */
export function updateMatchOrdersOf(context: Context, appId: string, order: readonly string[]): Promise<number> {
  return context.db.run(
    sql`UPDATE sources SET match_order = ${order}, updated_at = ${context.now}
      WHERE tenant_id = ${context.tenantId} AND app_id = ${appId} AND deleted_at IS NULL AND match_order <> ${order}`,
  );
}

/** Sets which columns the files of a source have. Its time of change moves, so that the same file as before is read again. */
export async function updateColumnMapping(context: Context, id: string, mapping: Readonly<Record<string, string>>): Promise<void> {
  await context.db.run(
    sql`UPDATE sources SET column_mapping = ${JSON.stringify(mapping)}, updated_at = ${context.now}
      WHERE tenant_id = ${context.tenantId} AND id = ${id} AND deleted_at IS NULL`,
  );
}

/** Marks every source of an app as deleted, and removes their secrets. */
export async function removeSourcesOf(context: Context, appId: string): Promise<void> {
  await removeAllSecretsOf(context, appId);
  await context.db.run(
    sql`UPDATE sources SET deleted_at = ${context.now}, updated_at = ${context.now}, scim_token_hash = NULL
      WHERE tenant_id = ${context.tenantId} AND app_id = ${appId} AND deleted_at IS NULL`,
  );
}
