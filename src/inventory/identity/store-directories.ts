/**
 * SQL of the table `directories`: which apps are directories, and what was said of each.
 */
import type { Context } from '../../context.ts';
import type { DirectoryJson, DirectoryMergeConfigJson } from '../../gen/c1/api/directory/v1/directory_pb.js';

/** A directory. */
export interface DirectoryRow {
  readonly appId: string;
  /** As sent; `{}` where nothing was. */
  readonly mergeConfig: DirectoryMergeConfigJson;
  /** The member of the oneof that is set, as sent. */
  readonly accountFilter: Pick<DirectoryJson, 'all' | 'celExpression'>;
  /** Order that the merge configuration means; null where it asks for no order. */
  readonly matchOrder: readonly string[] | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `d.app_id AS "appId", d.merge_config AS "mergeConfig", d.account_filter AS "accountFilter", d.match_order AS "matchOrder", d.created_at AS "createdAt",
  d.updated_at AS "updatedAt"`;

const live = `FROM directories d JOIN apps_public p ON p.tenant_id = d.tenant_id AND p.id = d.app_id AND p.deleted_at IS NULL
  WHERE d.tenant_id = $1 AND d.deleted_at IS NULL`;

/** The directory that this app is; undefined where it is none, or deleted. */
export function findDirectory(context: Context, appId: string): Promise<DirectoryRow | undefined> {
  return context.db.maybe<DirectoryRow>(`SELECT ${columns} ${live} AND d.app_id = $2`, [context.tenantId, appId]);
}

/** A page of directories by app. */
export function listDirectories(context: Context, after: string, limit: number): Promise<DirectoryRow[]> {
  return context.db.rows<DirectoryRow>(`SELECT ${columns} ${live} AND d.app_id > $2 ORDER BY d.app_id LIMIT $3`, [
    context.tenantId,
    after,
    limit,
  ]);
}

function valuesOf(context: Context, directory: Pick<DirectoryRow, 'appId' | 'mergeConfig' | 'accountFilter' | 'matchOrder'>): unknown[] {
  const { appId, mergeConfig, accountFilter, matchOrder } = directory;
  return [context.tenantId, appId, JSON.stringify(mergeConfig), JSON.stringify(accountFilter), matchOrder, context.now];
}

/** Makes an app a directory; one that was a directory before is a new one. */
export async function insertDirectory(
  context: Context,
  directory: Pick<DirectoryRow, 'appId' | 'mergeConfig' | 'accountFilter' | 'matchOrder'>,
): Promise<void> {
  await context.db.run(
    `INSERT INTO directories (tenant_id, app_id, merge_config, account_filter, match_order, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (tenant_id, app_id)
     DO UPDATE SET merge_config = $3, account_filter = $4, match_order = $5, created_at = $6, updated_at = $6, deleted_at = NULL`,
    valuesOf(context, directory),
  );
}

/** Changes what is said of a directory. */
export async function updateDirectory(
  context: Context,
  directory: Pick<DirectoryRow, 'appId' | 'mergeConfig' | 'accountFilter' | 'matchOrder'>,
): Promise<void> {
  await context.db.run(
    `UPDATE directories SET merge_config = $3, account_filter = $4, match_order = $5, updated_at = $6
     WHERE tenant_id = $1 AND app_id = $2`,
    valuesOf(context, directory),
  );
}

/** Marks a directory deleted, where there is one: its app is none any more. */
export async function removeDirectory(context: Context, appId: string): Promise<void> {
  await context.db.run(
    `UPDATE directories SET deleted_at = $3, updated_at = $3 WHERE tenant_id = $1 AND app_id = $2 AND deleted_at IS NULL`,
    [context.tenantId, appId, context.now],
  );
}
