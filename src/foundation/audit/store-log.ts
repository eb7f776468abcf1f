/**
 * SQL of the log behind the events: what is not sealed yet, the tree it is sealed into, and where that stands. Events themselves are in
 * store.ts; what is done with all this is decided in seal.ts and find-unsealed.ts.
 */
import type { Context } from '../../context.ts';
import type { Db } from '../../db/types.ts';
import { empty, fixed, type Sql, sql } from '../../lib/sql.ts';

/** The open epoch of a tenant's log. */
export interface LogRow {
  readonly epoch: number;
  readonly origin: string;
  /** The position of the epoch's first leaf. */
  readonly base: number;
  readonly size: number;
  readonly frontier: Buffer;
  /** Last seal's snapshot, as PostgreSQL writes it; null until every event from before is sealed. */
  readonly snapshot: string | null;
  /** Since when it is known to be behind a checkpoint of its own; nothing is sealed then. */
  readonly behindSince: Date | null;
}

const logColumns = 'epoch, origin, base, size, frontier, snapshot::text AS snapshot, behind_since AS "behindSince"';

/** The tenants whose logs have something to seal, in one statement however many there are. */
export async function listTenantsToSeal(db: Db): Promise<string[]> {
  return (await db.rows<{ id: string }>('SELECT id FROM list_tenants_to_seal() AS s (id)', [])).map(({ id }) => id);
}

/** Progress of writing: the last number an event drew, and which transactions may still be at it. */
export interface WritingState {
  readonly last: string;
  readonly xmin: string;
  readonly xmax: string;
}

/** Reads it. The number first: whoever drew one up to it has an id that the snapshot knows. */
export async function findWritingState(db: Db): Promise<WritingState> {
  const { last } = await db.one<{ last: string }>("SELECT coalesce(pg_sequence_last_value('events_seq'::regclass), 0)::text AS last", []);
  const ids = await db.one<{ xmin: string; xmax: string }>(
    'SELECT pg_snapshot_xmin(s)::text AS xmin, pg_snapshot_xmax(s)::text AS xmax FROM pg_current_snapshot() s',
    [],
  );
  return { last, ...ids };
}

/** The open epoch, as it stands; undefined where the log has not begun. */
export function findLog(context: Context): Promise<LogRow | undefined> {
  return context.db.maybe<LogRow>(`SELECT ${logColumns} FROM logs WHERE tenant_id = $1 AND state = 'OPEN'`, [context.tenantId]);
}

/** The same, locked to the end of the transaction; undefined too where somebody else holds the lock. */
export function lockLog(context: Context): Promise<LogRow | undefined> {
  return context.db.maybe<LogRow>(`SELECT ${logColumns} FROM logs WHERE tenant_id = $1 AND state = 'OPEN' FOR UPDATE SKIP LOCKED`, [
    context.tenantId,
  ]);
}

/** Begins a log, where nobody else has and the tenant is not being erased: whoever still works for it would leave a row behind. */
export async function insertLog(context: Context, origin: string, root: Buffer): Promise<void> {
  await context.db.run(
    sql`INSERT INTO logs (tenant_id, epoch, origin, base, size, root, frontier, state)
     SELECT ${context.tenantId}, 1, ${origin}, 0, 0, ${root}::bytea, ${Buffer.alloc(0)}::bytea, 'OPEN'
     WHERE NOT EXISTS (SELECT FROM tenant_erasures e WHERE e.tenant_id = ${context.tenantId}) ON CONFLICT DO NOTHING`,
  );
}

/** Marks the open epoch as behind a checkpoint of its own. */
export async function updateBehind(context: Context): Promise<void> {
  await context.db.run(
    sql`UPDATE logs SET behind_since = ${context.now} WHERE tenant_id = ${context.tenantId} AND state = 'OPEN' AND behind_since IS NULL`,
  );
}

/** Ends the open epoch, and begins the next one behind the last leaf there is, which nothing is sealed into yet. */
export async function insertNextEpoch(
  context: Context,
  log: LogRow,
  next: { readonly origin: string; readonly base: number; readonly root: Buffer },
): Promise<void> {
  await context.db.run(sql`UPDATE logs SET state = 'ENDED' WHERE tenant_id = ${context.tenantId} AND epoch = ${log.epoch}`);
  await context.db.run(
    sql`INSERT INTO logs (tenant_id, epoch, origin, base, size, root, frontier, state)
      VALUES (${context.tenantId}, ${log.epoch + 1}, ${next.origin}, ${next.base}, 0, ${next.root}::bytea, ${Buffer.alloc(0)}::bytea, 'OPEN')`,
  );
}

/** Ids of events without a leaf in the order in which they were written, and the snapshot in which they were looked for. */
export interface Unsealed {
  readonly ids: readonly string[];
  readonly snapshot: string;
}

function withoutLeaf(context: Context): Sql {
  return sql`NOT EXISTS (SELECT FROM log_leaves l WHERE l.tenant_id = ${context.tenantId} AND l.event_id = e.id)`;
}

/** One statement: what it finds and the snapshot it reports belong together. */
function inOneSnapshot(found: Sql, limit: number): Sql {
  return sql`WITH found AS (${found} ORDER BY seq, id LIMIT ${limit})
    SELECT coalesce(array_agg(f.id ORDER BY f.seq, f.id), '{}') AS ids, pg_current_snapshot()::text AS snapshot FROM found f`;
}

/**
 * Lists what a snapshot did not see: events of transactions that had not begun then (`xmax` and later) and of those that were under way (`xip`).
 * Two index lookups.
 */
export function listUnsealedSince(
  context: Context,
  seen: { readonly xmax: string; readonly xip: readonly string[] },
  limit: number,
): Promise<Unsealed> {
  return context.db.one<Unsealed>(
    inOneSnapshot(
      sql`SELECT e.seq, e.id FROM events e
        WHERE e.tenant_id = ${context.tenantId} AND e.xact >= ${seen.xmax}::xid8 AND e.xact < pg_snapshot_xmax(pg_current_snapshot())
          AND ${withoutLeaf(context)}
        UNION ALL
        SELECT e.seq, e.id FROM events e
        WHERE e.tenant_id = ${context.tenantId} AND e.xact = ANY (${seen.xip}::xid8[]) AND ${withoutLeaf(context)}`,
      limit,
    ),
  );
}

/**
 * Whatever has no leaf, whichever transaction wrote it: reads all events. With bounds only those whose id is from `sinceId` on and
 * whose transaction a snapshot saw.
 */
export function listUnsealed(
  context: Context,
  limit: number,
  bounds?: { readonly sinceId: string; readonly seenIn: string },
): Promise<Unsealed> {
  const within =
    bounds === undefined ? empty : sql`AND e.id >= ${bounds.sinceId} AND pg_visible_in_snapshot(e.xact, ${bounds.seenIn}::pg_snapshot)`;
  return context.db.one<Unsealed>(
    inOneSnapshot(
      sql`SELECT e.seq, e.id FROM events e WHERE e.tenant_id = ${context.tenantId} ${within} AND ${withoutLeaf(context)}`,
      limit,
    ),
  );
}

/** An event as it goes into its leaf. */
export interface SealableRow {
  readonly id: string;
  readonly occurredAt: Date;
  /** The database's clock, in microseconds. */
  readonly written: string;
  readonly kind: string;
  readonly actorKind: string;
  readonly actorId: string;
  readonly credentialId: string;
  readonly issuerId: string;
  readonly sourceIp: string;
  readonly requestId: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly reviewId: string;
  /** JSON text. */
  readonly data: string;
  /** Null once erased. */
  readonly salt: Buffer | null;
  /** The commitment, where the content was erased. */
  readonly contentHash: Buffer | null;
}

/** Members of a SealableRow, of the events `e`. */
export const sealableColumns =
  fixed(`e.id, e.occurred_at AS "occurredAt", to_char(e.written_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS written, e.kind,
  e.actor_kind AS "actorKind", e.actor_id AS "actorId", e.credential_id AS "credentialId", e.issuer_id AS "issuerId",
  e.source_ip AS "sourceIp", e.request_id AS "requestId", e.target_type AS "targetType", e.target_id AS "targetId",
  e.review_id AS "reviewId", e.data::text AS data, uuid_send(e.salt) AS salt, e.content_hash AS "contentHash"`);

/** These events, in no order. */
export function listSealableRows(context: Context, ids: readonly string[]): Promise<SealableRow[]> {
  return context.db.rows<SealableRow>(
    sql`SELECT ${sealableColumns}
     FROM events e WHERE e.tenant_id = ${context.tenantId} AND e.id = ANY (${ids})`,
  );
}

/** Standing of a review's events: how many are sealed, and the position of the last of them. */
export interface ReviewLink {
  readonly reviewId: string;
  readonly number: number;
  readonly position: number;
}

/** The links of these reviews; one without sealed events has none. */
export function listReviewLinks(context: Context, reviewIds: readonly string[]): Promise<ReviewLink[]> {
  return context.db.rows<ReviewLink>(
    sql`SELECT r.review_id AS "reviewId", r.number, r.position FROM log_reviews r
      WHERE r.tenant_id = ${context.tenantId} AND r.review_id = ANY (${reviewIds})`,
  );
}

/** Sets where the events of reviews stand. */
export async function updateReviewLinks(context: Context, links: readonly ReviewLink[]): Promise<void> {
  await context.db.run(
    sql`INSERT INTO log_reviews (tenant_id, review_id, number, position)
      SELECT ${context.tenantId}, n.* FROM unnest(${links.map((link) => link.reviewId)}::text[], ${links.map((link) => link.number)}::integer[],
        ${links.map((link) => link.position)}::bigint[]) AS n
      ON CONFLICT (tenant_id, review_id) DO UPDATE SET number = excluded.number, position = excluded.position`,
  );
}

/** A leaf to add, with the event's place among those of its review. */
export interface NewLeaf {
  readonly eventId: string;
  readonly hash: Buffer;
  readonly place: { readonly number: number; readonly previous: number } | undefined;
}

/** Adds leaves from a position on. */
export async function insertLeaves(context: Context, firstPosition: number, leaves: readonly NewLeaf[]): Promise<void> {
  await context.db.run(
    sql`INSERT INTO log_leaves (tenant_id, position, event_id, leaf_hash, review_number, review_previous)
      SELECT ${context.tenantId}, ${firstPosition}::bigint + n.at - 1, n.id, n.hash, n.number, n.previous
      FROM unnest(${leaves.map(({ eventId }) => eventId)}::text[], ${leaves.map(({ hash }) => hash)}::bytea[],
        ${leaves.map(({ place }) => place?.number ?? null)}::integer[], ${leaves.map(({ place }) => place?.previous ?? null)}::bigint[])
        WITH ORDINALITY AS n (id, hash, number, previous, at)`,
  );
}

/** Adds the roots of subtrees that became full. */
export async function insertNodes(
  context: Context,
  epoch: number,
  nodes: readonly { readonly level: number; readonly index: number; readonly hash: Buffer }[],
): Promise<void> {
  await context.db.run(
    sql`INSERT INTO log_nodes (tenant_id, epoch, level, index, hash)
      SELECT ${context.tenantId}, ${epoch}::integer, n.* FROM unnest(${nodes.map((node) => node.level)}::smallint[],
        ${nodes.map((node) => node.index)}::bigint[], ${nodes.map((node) => node.hash)}::bytea[]) AS n`,
  );
}

/** Takes down that so many events were sealed from a position on, now. */
export async function insertSeal(context: Context, firstPosition: number, size: number): Promise<void> {
  await context.db.run(
    sql`INSERT INTO log_seals (tenant_id, first_position, size, sealed_at) VALUES (${context.tenantId}, ${firstPosition}, ${size}, ${context.now})`,
  );
}

/** Sets the open epoch's tree, and what the seal saw. */
export async function updateLog(
  context: Context,
  log: {
    readonly epoch: number;
    readonly size: number;
    readonly root: Buffer;
    readonly frontier: Buffer;
    readonly snapshot: string | null;
  },
): Promise<void> {
  await context.db.run(
    sql`UPDATE logs SET size = ${log.size}, root = ${log.root}, frontier = ${log.frontier}, snapshot = ${log.snapshot}::pg_snapshot
      WHERE tenant_id = ${context.tenantId} AND epoch = ${log.epoch}`,
  );
}
