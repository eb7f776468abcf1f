/**
 * SQL of connectors as clients see them: the table `connectors` with the last sync of each. What imports need of it is in store-sources.ts.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { allOf, fixed, listOf, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { newMatchOrder, getSourceKey } from './store-sync.ts';

/** A data source with how its last sync went. */
export interface SourceRow {
  readonly id: string;
  /** '' for a source of people. */
  readonly appId: string;
  /** What grants and accounts carry; from 1 within the app. */
  readonly sourceNo: number;
  /** As in `sources.kind`. */
  readonly kind: 'FILE' | 'SCIM';
  readonly displayName: string;
  readonly description: string;
  /** The people who own it in the default role, in the order in which they were named. */
  readonly userIds: readonly string[];
  /** The other writable members of the Connector message. */
  readonly document: JsonObject;
  /** As sent, without what looked like a secret; null where there is none. */
  readonly config: JsonObject | null;
  readonly configUpdatedAt: Date | null;
  readonly columnMapping: Readonly<Record<string, string>>;
  /** Percent. */
  readonly removalShare: number;
  readonly matchOrder: readonly string[];
  readonly pausedAt: Date | null;
  /** The last sync that was done; '' before the first. */
  readonly lastSyncId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
  /** The last sync, done or failed; nulls before the first. */
  readonly syncState: 'DONE' | 'FAILED' | null;
  readonly syncStartedAt: Date | null;
  readonly syncEndedAt: Date | null;
  readonly syncError: string | null;
}

const columns = sql`c.id, c.app_id AS "appId", c.source_no AS "sourceNo", c.kind, c.display_name AS "displayName", c.description,
  ARRAY(SELECT o.user_id FROM source_owners o WHERE o.tenant_id = c.tenant_id AND o.source_id = c.id AND o.role_slug = 'owner'
    ORDER BY o.place, o.user_id)::text[] AS "userIds", c.document, c.config, c.config_updated_at AS "configUpdatedAt", c.column_mapping AS "columnMapping", c.removal_share AS "removalShare", c.match_order AS "matchOrder",
  c.paused_at AS "pausedAt", c.last_sync_id AS "lastSyncId", c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.deleted_at AS "deletedAt",
  s.state AS "syncState", s.started_at AS "syncStartedAt", s.created_at AS "syncEndedAt", s.error AS "syncError"`;
const from = sql`sources c LEFT JOIN LATERAL (
    SELECT i.state, i.started_at, i.created_at, i.error FROM syncs i
    WHERE i.tenant_id = c.tenant_id AND i.source_id = c.id ORDER BY i.id DESC LIMIT 1) AS s ON true`;

/** The connector with this id, of whatever app. */
export function findSource(context: Context, id: string): Promise<SourceRow | undefined> {
  return context.db.maybe<SourceRow>(
    sql`SELECT ${columns} FROM ${from} WHERE c.tenant_id = ${context.tenantId} AND c.id = ${id} AND c.deleted_at IS NULL`,
  );
}

/** The same, deleted or not. */
export function findSourceOrDeleted(context: Context, id: string): Promise<SourceRow | undefined> {
  return context.db.maybe<SourceRow>(sql`SELECT ${columns} FROM ${from} WHERE c.tenant_id = ${context.tenantId} AND c.id = ${id}`);
}

/** Locks a connector until the transaction ends and returns its id; undefined for none. */
export async function lockSource(context: Context, id: string): Promise<string | undefined> {
  const row = await context.db.maybe<{ id: string }>(
    `SELECT id FROM sources WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
    [context.tenantId, id],
  );
  return row?.id;
}

/** A page of connectors by id: those of an app, or all there are where `appId` is undefined. */
export function listSources(context: Context, appId: string | undefined, after: string, limit: number): Promise<SourceRow[]> {
  const where = [
    sql`c.tenant_id = ${context.tenantId} AND c.id > ${after} AND c.deleted_at IS NULL`,
    ...(appId === undefined ? [] : [sql`c.app_id = ${appId}`]),
  ];
  return context.db.rows<SourceRow>(sql`SELECT ${columns} FROM ${from} WHERE ${allOf(where)} ORDER BY c.id LIMIT ${limit}`);
}

/** What a client may say of a connector. */
export type SourceContent = Pick<SourceRow, 'displayName' | 'description' | 'userIds' | 'document' | 'config' | 'removalShare'>;

/** What a client says, column by column; its people are among the owners (catalog). */
const columnsOf = (content: SourceContent): readonly (readonly [column: string, value: Sql])[] => [
  ['display_name', sql`${content.displayName}`],
  ['name_key', sql`${getSourceKey(content.displayName)}`],
  ['description', sql`${content.description}`],
  ['document', sql`${JSON.stringify(content.document)}`],
  ['removal_share', sql`${content.removalShare}`],
  ['config', configOf(content)],
];

const configOf = ({ config }: SourceContent): Sql => sql`${config === null ? null : JSON.stringify(config)}::jsonb`;

/** The name of another connector of the app that has this one in any case; undefined where it is free. */
export async function findTakenName(context: Context, appId: string, displayName: string, exceptId: string): Promise<string | undefined> {
  const row = await context.db.maybe<{ displayName: string }>(
    `SELECT display_name AS "displayName" FROM sources
     WHERE tenant_id = $1 AND app_id = $2 AND name_key = $3 AND id <> $4 AND deleted_at IS NULL`,
    [context.tenantId, appId, getSourceKey(displayName), exceptId],
  );
  return row?.displayName;
}

/** The number the next connector of the app gets. The caller holds the app's lock. */
export async function getNextNumber(context: Context, appId: string): Promise<number> {
  const { next } = await context.db.one<{ next: number }>(
    `SELECT coalesce(max(source_no), 0) + 1 AS next FROM sources WHERE tenant_id = $1 AND app_id = $2`,
    [context.tenantId, appId],
  );
  return next;
}

/** Adds a connector that is fed by files. */
export async function insertSource(context: Context, id: string, appId: string, number: number, content: SourceContent): Promise<void> {
  const { tenantId, now } = context;
  const said = columnsOf(content);
  await context.db.run(
    sql`INSERT INTO sources (tenant_id, id, app_id, source_no, created_at, updated_at, config_updated_at, match_order,
       ${fixed(said.map(([column]) => column).join(', '))})
     VALUES (${tenantId}, ${id}, ${appId}, ${number}, ${now}, ${now}, ${content.config === null ? null : now}, ${newMatchOrder(tenantId, appId)},
       ${listOf(said.map(([, value]) => value))})`,
  );
}

/** Replaces what clients say of a connector. */
export async function updateSource(context: Context, id: string, content: SourceContent): Promise<void> {
  const { tenantId, now } = context;
  const sets = columnsOf(content).map(([column, value]) => sql`${fixed(column)} = ${value}`);
  await context.db.run(
    sql`UPDATE sources SET ${listOf(sets)}, updated_at = ${now},
       config_updated_at = CASE WHEN config IS DISTINCT FROM ${configOf(content)} THEN ${now} ELSE config_updated_at END
     WHERE tenant_id = ${tenantId} AND id = ${id}`,
  );
}

/** Sets since when a connector is paused, null to resume it. */
export async function updatePause(context: Context, id: string, pausedAt: Date | null): Promise<void> {
  await context.db.run(`UPDATE sources SET paused_at = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2`, [
    context.tenantId,
    id,
    pausedAt,
    context.now,
  ]);
}

/** Marks a connector as deleted; what an identity provider sends with its token is refused from then on. */
export async function removeSource(context: Context, id: string): Promise<void> {
  await context.db.run(`UPDATE sources SET deleted_at = $3, updated_at = $3, scim_token_hash = NULL WHERE tenant_id = $1 AND id = $2`, [
    context.tenantId,
    id,
    context.now,
  ]);
}
