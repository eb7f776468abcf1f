/** SQL of when sources fetch, and of what a fetch needs to know of its source. */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import { fixed, sql } from '../../lib/sql.ts';
import type { SourceKind } from './store-sync.ts';

/** A source as a fetch needs it. */
export interface FetchSource {
  readonly id: string;
  readonly appId: string;
  readonly kind: SourceKind;
  readonly displayName: string;
  /** Its settings, with their type. */
  readonly config: JsonObject | null;
  readonly columnMapping: Readonly<Record<string, string>>;
  /** '' for the usual schedule of its kind. */
  readonly schedule: string;
  readonly zone: string;
  readonly nextAt: Date | null;
  /** Seconds; null for the usual. */
  readonly staleAfter: number | null;
  readonly pausedAt: Date | null;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

const columns =
  fixed(`id, app_id AS "appId", kind, display_name AS "displayName", config, column_mapping AS "columnMapping", schedule, zone,
  next_at AS "nextAt", stale_after AS "staleAfter", paused_at AS "pausedAt", updated_at AS "updatedAt", deleted_at AS "deletedAt"`);

/** The source with this id, deleted or not. */
export function findFetchSource({ db, tenantId }: Context, id: string): Promise<FetchSource | undefined> {
  return db.maybe<FetchSource>(sql`SELECT ${columns} FROM sources WHERE tenant_id = ${tenantId} AND id = ${id}`);
}

/** The same, locked until the transaction ends. */
export function lockFetchSource({ db, tenantId }: Context, id: string): Promise<FetchSource | undefined> {
  return db.maybe<FetchSource>(sql`SELECT ${columns} FROM sources WHERE tenant_id = ${tenantId} AND id = ${id} FOR NO KEY UPDATE`);
}

/** Sets when a source fetches; what its files say stays as it was read. */
export async function updateSchedule({ db, tenantId }: Context, id: string, schedule: string, zone: string): Promise<void> {
  await db.run(sql`UPDATE sources SET schedule = ${schedule}, zone = ${zone} WHERE tenant_id = ${tenantId} AND id = ${id}`);
}

/** Sets the moment of the next scheduled fetch; null for none. */
export async function updateNextFetch({ db, tenantId }: Context, id: string, nextAt: Date | null): Promise<void> {
  await db.run(sql`UPDATE sources SET next_at = ${nextAt} WHERE tenant_id = ${tenantId} AND id = ${id}`);
}

/** The ids of sources behind this one whose scheduled moment has come, in order. */
export function listDueSources({ db, tenantId, now }: Context, behind: string, limit: number): Promise<string[]> {
  return db.column<string>(
    sql`SELECT id FROM sources WHERE tenant_id = ${tenantId} AND next_at <= ${now} AND id > ${behind} ORDER BY id LIMIT ${limit}`,
  );
}

/** The next moment that has not come; undefined for none. */
export async function findNextFetch({ db, tenantId, now }: Context): Promise<Date | undefined> {
  const found = await db.value<Date | null>(sql`SELECT min(next_at) AS at FROM sources WHERE tenant_id = ${tenantId} AND next_at > ${now}`);
  return found ?? undefined;
}
