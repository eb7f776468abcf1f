/**
 * SQL of the table `connectors` as imports need it: which source a file comes from. The public operations on connectors are elsewhere.
 */
import { sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { sourceSlot } from './slots.ts';

/** Way a source gets its data (`sources.kind`). */
export type SourceKind = 'FILE' | 'SCIM' | 'FOLDER' | 'HTTPS' | 'S3' | 'SQL' | 'LDAP' | 'BATON' | 'ENTRA';

/** A data source: of an app, or (`appId` '') of people. */
export interface SyncSource {
  readonly id: string;
  readonly appId: string;
  /** Number that grants and accounts carry; from 1 within the app. */
  readonly sourceNo: number;
  readonly kind: SourceKind;
  readonly displayName: string;
  /** Wanted column -> column of the file; empty where files have the wanted names. */
  readonly columnMapping: Readonly<Record<string, string>>;
  /** In percent: an import that takes away more needs to be allowed. */
  readonly removalShare: number;
  readonly matchOrder: readonly string[];
  readonly pausedAt: Date | null;
  /** The last sync that was done; '' before the first. */
  readonly lastSyncId: string;
  readonly updatedAt: Date;
}

const columns = `id, app_id AS "appId", source_no AS "sourceNo", kind, display_name AS "displayName", column_mapping AS "columnMapping",
  removal_share AS "removalShare", match_order AS "matchOrder", paused_at AS "pausedAt", last_sync_id AS "lastSyncId",
  updated_at AS "updatedAt"`;

/** Returns the order a new source of an app matches in: that of the directory the app is, where it is one, else the usual one. */
export async function findNewMatchOrder(context: Context, appId: string): Promise<readonly string[]> {
  return (await sourceSlot.get().findDirectoryOrder(context, appId)) ?? ['EMAIL', 'EMPLOYEE_ID', 'USERNAME'];
}

/** Returns the key that tells sources of one app apart, in whatever case a name is written. */
export function getSourceKey(displayName: string): string {
  return displayName.trim().toLowerCase();
}

/** The source with this id; undefined where it is deleted. */
export function findSyncSource(context: Context, id: string): Promise<SyncSource | undefined> {
  return context.db.maybe<SyncSource>(`SELECT ${columns} FROM sources WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL`, [
    context.tenantId,
    id,
  ]);
}

/** The source with this id, deleted or not: what it delivered stays. */
export function findSyncSourceById(context: Context, id: string): Promise<SyncSource | undefined> {
  return context.db.maybe<SyncSource>(`SELECT ${columns} FROM sources WHERE tenant_id = $1 AND id = $2`, [context.tenantId, id]);
}

/** The source of this name of an app, or of people (`appId` ''); undefined where it is deleted. */
export function findSyncSourceByName(context: Context, appId: string, displayName: string): Promise<SyncSource | undefined> {
  return context.db.maybe<SyncSource>(
    `SELECT ${columns} FROM sources WHERE tenant_id = $1 AND app_id = $2 AND name_key = $3 AND deleted_at IS NULL`,
    [context.tenantId, appId, getSourceKey(displayName)],
  );
}

/** Adds a source fed by files, with the next number of its app. Two at once must wait for each other: the caller holds the app's lock. */
export async function insertFileSource(context: Context, id: string, appId: string, displayName: string): Promise<void> {
  const { tenantId, now } = context;
  const order = await findNewMatchOrder(context, appId);
  await context.db.run(
    sql`INSERT INTO sources (tenant_id, id, app_id, source_no, display_name, name_key, match_order, created_at, updated_at)
     SELECT ${tenantId}, ${id}, ${appId}, coalesce(max(source_no), 0) + 1, ${displayName}, ${getSourceKey(displayName)},
       ${order}::text[], ${now}, ${now}
     FROM sources WHERE tenant_id = ${tenantId} AND app_id = ${appId}`,
  );
}

/** Remembers the last sync of a source. */
export async function updateLastSync(context: Context, id: string, syncId: string): Promise<void> {
  await context.db.run(`UPDATE sources SET last_sync_id = $3 WHERE tenant_id = $1 AND id = $2`, [context.tenantId, id, syncId]);
}
