/**
 * SQL of connectors as clients see them: the table `connectors` with the last sync of each. What imports need of it is in store-sources.ts.
 */
import type { ConnectorJson } from '../../gen/c1/api/app/v1/connector_pb.js';
import type { JsonObject } from '@bufbuild/protobuf';
import { allSql, fixed, joinSql, type Sql, sql } from '../../lib/sql.ts';
import type { Context } from '../../context.ts';
import { type SourceKind, findNewMatchOrder, getSourceKey } from './store-sync.ts';
import { sourceSlot } from './slots.ts';

/** State of a fetch as the module fetches keeps it. */
export type FetchStateOfSource = 'WAITING' | 'RUNNING' | 'READING' | 'UNCHANGED' | 'DONE' | 'HELD' | 'DISCARDED' | 'SUPERSEDED' | 'FAILED';

/** A data source with how its last sync went. */
export interface SourceRow {
  readonly id: string;
  /** '' for a source of people. */
  readonly appId: string;
  /** Number that grants and accounts carry; from 1 within the app. */
  readonly sourceNo: number;
  readonly kind: SourceKind;
  readonly displayName: string;
  readonly description: string;
  /** The people who own it in the default role, in the order in which they were named. */
  readonly userIds: readonly string[];
  /** The other writable members of the Connector message. */
  readonly document: ConnectorJson;
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
  /** Names of the secrets that are set. */
  readonly secretsSet: readonly string[];
  /** The last sync, done or failed; nulls before the first. */
  readonly syncState: 'DONE' | 'FAILED' | null;
  readonly syncStartedAt: Date | null;
  readonly syncEndedAt: Date | null;
  readonly syncError: string | null;
  /** The earliest moment that the data of the last sync that was done can be of; null before the first. */
  readonly observedFrom: Date | null;
  /** '' for the usual schedule of the kind, and where it fetches nothing. */
  readonly schedule: string;
  readonly zone: string;
  readonly nextAt: Date | null;
  readonly staleSince: Date | null;
  /** Seconds; null for the usual. */
  readonly staleAfter: number | null;
  /** State of the newest fetch that was not skipped; nulls before the first. */
  readonly fetchState: FetchStateOfSource | null;
  readonly fetchError: string | null;
  readonly fetchStartedAt: Date | null;
  readonly heldFetchId: string | null;
  /** Records of people that are disputed; at most 1,000. */
  readonly disputed: number;
}

const getColumns =
  (): Sql => sql`c.id, c.app_id AS "appId", c.source_no AS "sourceNo", c.kind, c.display_name AS "displayName", c.description,
  ARRAY(SELECT o.user_id FROM source_owners o WHERE o.tenant_id = c.tenant_id AND o.source_id = c.id AND o.role_slug = 'owner'
    ORDER BY o.place, o.user_id)::text[] AS "userIds", c.document, c.config, c.config_updated_at AS "configUpdatedAt", c.column_mapping AS "columnMapping", c.removal_share AS "removalShare", c.match_order AS "matchOrder",
  c.paused_at AS "pausedAt", c.last_sync_id AS "lastSyncId", c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.deleted_at AS "deletedAt",
  ARRAY(SELECT x.name FROM source_secrets x WHERE x.tenant_id = c.tenant_id AND x.source_id = c.id ORDER BY x.name)::text[] AS "secretsSet",
  s.state AS "syncState", s.started_at AS "syncStartedAt", s.created_at AS "syncEndedAt", s.error AS "syncError",
  s.observed_from AS "observedFrom", c.schedule, c.zone, c.next_at AS "nextAt", c.stale_since AS "staleSince", c.stale_after AS "staleAfter", f.state AS "fetchState",
  f.error AS "fetchError", f.started_at AS "fetchStartedAt", f.held_id AS "heldFetchId",
  ${sourceSlot.get().getDisputedCount()} AS disputed`;
const getFrom = (): Sql => sql`sources c LEFT JOIN LATERAL (${sourceSlot.get().getLastSync()}) AS s ON true
  LEFT JOIN LATERAL (${sourceSlot.get().getFetches()}) AS f ON true`;

/** The connector with this id, of whatever app. */
export function findSource(context: Context, id: string): Promise<SourceRow | undefined> {
  return context.db.maybe<SourceRow>(
    sql`SELECT ${getColumns()} FROM ${getFrom()} WHERE c.tenant_id = ${context.tenantId} AND c.id = ${id} AND c.deleted_at IS NULL`,
  );
}

/** The same, deleted or not. */
export function findSourceOrDeleted(context: Context, id: string): Promise<SourceRow | undefined> {
  return context.db.maybe<SourceRow>(
    sql`SELECT ${getColumns()} FROM ${getFrom()} WHERE c.tenant_id = ${context.tenantId} AND c.id = ${id}`,
  );
}

/** Locks a connector until the transaction ends and returns its id; undefined for none. */
export function lockSource(context: Context, id: string): Promise<string | undefined> {
  return context.db.maybeValue<string>(`SELECT id FROM sources WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`, [
    context.tenantId,
    id,
  ]);
}

/** Sources of a list: those of an app, and of these ids; undefined for all. */
export interface SourceFilter {
  readonly appId: string | undefined;
  readonly ids: readonly string[] | undefined;
}

/** A page of connectors by id. */
export function listSources(context: Context, { appId, ids }: SourceFilter, after: string, limit: number): Promise<SourceRow[]> {
  const where = [
    sql`c.tenant_id = ${context.tenantId} AND c.id > ${after} AND c.deleted_at IS NULL`,
    ...(appId === undefined ? [] : [sql`c.app_id = ${appId}`]),
    ...(ids === undefined ? [] : [sql`c.id = ANY (${[...ids]})`]),
  ];
  return context.db.rows<SourceRow>(sql`SELECT ${getColumns()} FROM ${getFrom()} WHERE ${allSql(where)} ORDER BY c.id LIMIT ${limit}`);
}

/** Facts that a client may give of a connector. */
export type SourceContent = Pick<SourceRow, 'kind' | 'displayName' | 'description' | 'userIds' | 'document' | 'config' | 'removalShare'>;

/** Content from a client, column by column; its people are among the owners (catalog). */
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
export function findTakenName(context: Context, appId: string, displayName: string, exceptId: string): Promise<string | undefined> {
  return context.db.maybeValue<string>(
    `SELECT display_name AS "displayName" FROM sources
     WHERE tenant_id = $1 AND app_id = $2 AND name_key = $3 AND id <> $4 AND deleted_at IS NULL`,
    [context.tenantId, appId, getSourceKey(displayName), exceptId],
  );
}

/** The number the next connector of the app gets. The caller holds the app's lock. */
export function getNextNumber(context: Context, appId: string): Promise<number> {
  return context.db.value<number>(`SELECT coalesce(max(source_no), 0) + 1 AS next FROM sources WHERE tenant_id = $1 AND app_id = $2`, [
    context.tenantId,
    appId,
  ]);
}

/** Adds a source of its kind. */
export async function insertSource(context: Context, id: string, appId: string, number: number, content: SourceContent): Promise<void> {
  const { tenantId, now } = context;
  const said = columnsOf(content);
  const order = await findNewMatchOrder(context, appId);
  await context.db.run(
    sql`INSERT INTO sources (tenant_id, id, app_id, source_no, kind, created_at, updated_at, config_updated_at, match_order,
       ${fixed(said.map(([column]) => column).join(', '))})
     VALUES (${tenantId}, ${id}, ${appId}, ${number}, ${content.kind}, ${now}, ${now}, ${content.config === null ? null : now}, ${order}::text[],
       ${joinSql(said.map(([, value]) => value))})`,
  );
}

/** Replaces what clients say of a connector. */
export async function updateSource(context: Context, id: string, content: SourceContent): Promise<void> {
  const { tenantId, now } = context;
  const sets = columnsOf(content).map(([column, value]) => sql`${fixed(column)} = ${value}`);
  await context.db.run(
    sql`UPDATE sources SET ${joinSql(sets)}, updated_at = ${now},
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
