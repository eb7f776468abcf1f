/**
 * SQL that reads the log as it stands, for proofs and checks: its leaves with the events they are of, and the hashes of its tree. Nothing here
 * writes; positions are given out in store-log.ts.
 */
import type { Context } from '../../context.ts';
import type { EventKind } from '../../events/index.ts';
import { fixed, type Sql, sql } from '../../lib/sql.ts';
import type { StoredRange } from '../../lib/log/merkle-proof.ts';
import { type SealableRow, sealableColumns } from './store-log.ts';

/** A leaf as it is stored. */
export interface LeafRow {
  readonly position: number;
  readonly eventId: string;
  readonly leafHash: Buffer;
  /** The event's place among those of its review; null where it has none, and in leaves of before places were stored. */
  readonly reviewNumber: number | null;
  readonly reviewPrevious: number | null;
}

/** A leaf with its event, whose id is null where it is gone. */
export interface EntryRow extends LeafRow, Omit<SealableRow, 'id'> {
  readonly id: string | null;
  /** The code of the service that wrote it; null in events from before codes. */
  readonly mac: Buffer | null;
  readonly macGeneration: number | null;
  readonly erasedAt: Date | null;
}

/** One epoch of a log: a tree of its own. */
export interface EpochRow {
  readonly epoch: number;
  readonly origin: string;
  readonly base: number;
  readonly size: number;
  readonly root: Buffer;
  readonly state: 'OPEN' | 'ENDED';
  readonly behindSince: Date | null;
}

/** The epochs of a log, the first one first. */
export function listEpochs({ db, tenantId }: Context): Promise<EpochRow[]> {
  return db.rows<EpochRow>(
    sql`SELECT g.epoch, g.origin, g.base, g.size, g.root, g.state, g.behind_since AS "behindSince"
      FROM logs g WHERE g.tenant_id = ${tenantId} ORDER BY g.epoch`,
  );
}

const leafColumns = fixed(`l.position, l.event_id AS "eventId", l.leaf_hash AS "leafHash", l.review_number AS "reviewNumber",
  l.review_previous AS "reviewPrevious"`);

function entries(tenantId: string, where: Sql): Sql {
  return sql`SELECT ${leafColumns}, ${sealableColumns}, e.mac, e.mac_generation AS "macGeneration", e.erased_at AS "erasedAt"
    FROM log_leaves l LEFT JOIN events e ON e.tenant_id = ${tenantId} AND e.id = l.event_id
    WHERE l.tenant_id = ${tenantId} AND ${where} ORDER BY l.position`;
}

/** Leaves from a position on, at most `limit`. */
export function listEntries({ db, tenantId }: Context, from: number, limit: number): Promise<EntryRow[]> {
  return db.rows<EntryRow>(sql`${entries(tenantId, sql`l.position >= ${from}`)} LIMIT ${limit}`);
}

/** The leaves of a review's events from a position on, at most `limit`. */
export function listReviewEntries({ db, tenantId }: Context, reviewId: string, from: number, limit: number): Promise<EntryRow[]> {
  return db.rows<EntryRow>(
    sql`${entries(tenantId, sql`e.review_id = ${reviewId} AND e.review_id <> '' AND l.position >= ${from}`)} LIMIT ${limit}`,
  );
}

/** The id of a review's last event, sealed or not; undefined for none. */
export function findLastOfReview({ db, tenantId }: Context, reviewId: string): Promise<string | undefined> {
  return db.maybeValue<string>(
    sql`SELECT e.id FROM events e WHERE e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.review_id <> '' ORDER BY e.id DESC LIMIT 1`,
  );
}

/** The leaves of these events and at these positions, in order: two lookups, since one condition for both would read every leaf. */
export async function listNamedEntries(
  { db, tenantId }: Context,
  eventIds: readonly string[],
  positions: readonly number[],
): Promise<EntryRow[]> {
  const find = (where: Sql): Promise<EntryRow[]> => db.rows<EntryRow>(entries(tenantId, where));
  const byId = eventIds.length === 0 ? [] : await find(sql`l.event_id = ANY (${eventIds}::text[])`);
  const byPosition = positions.length === 0 ? [] : await find(sql`l.position = ANY (${positions}::bigint[])`);
  const rows = new Map([...byId, ...byPosition].map((row) => [row.position, row]));
  return [...rows.values()].toSorted((one, other) => one.position - other.position);
}

/** Those who acted on a review, and the credentials they did it with. Reads all events of the review. */
export function listActorsOfReview({ db, tenantId }: Context, reviewId: string): Promise<string[]> {
  return db.column<string>(
    sql`WITH acts AS (SELECT DISTINCT e.actor_id, e.credential_id, e.issuer_id FROM events e
        WHERE e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.review_id <> '')
      SELECT DISTINCT x.id FROM acts a, unnest(ARRAY[a.actor_id, a.credential_id, a.issuer_id]) AS x (id) WHERE x.id <> '' ORDER BY x.id`,
  );
}

/** The positions of events of these kinds that happened to these objects, of no review, from a position to before another: the last `limit`, in order. */
export async function listPositionsOf(
  { db, tenantId }: Context,
  targetIds: readonly string[],
  kinds: readonly EventKind[],
  { from, end, limit }: { readonly from: number; readonly end: number; readonly limit: number },
): Promise<number[]> {
  const rows = await db.rows<{ position: number }>(
    sql`SELECT l.position FROM events e JOIN log_leaves l ON l.tenant_id = ${tenantId} AND l.event_id = e.id
      WHERE e.tenant_id = ${tenantId} AND e.target_id = ANY (${targetIds}::text[]) AND e.target_id <> '' AND e.kind = ANY (${kinds}::text[])
        AND e.review_id = '' AND l.position >= ${from} AND l.position < ${end} ORDER BY l.position DESC LIMIT ${limit}`,
  );
  return rows.map(({ position }) => position).reverse();
}

/** Counts the events of a review before a position, and finds the last of those positions (-1 for none). Reads all events of the review. */
export function findPlaceBefore(
  { db, tenantId }: Context,
  reviewId: string,
  position: number,
): Promise<{ count: number; previous: number }> {
  return db.one(
    sql`SELECT count(*) AS count, coalesce(max(l.position), -1) AS previous
      FROM events e JOIN log_leaves l ON l.tenant_id = ${tenantId} AND l.event_id = e.id
      WHERE e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.review_id <> '' AND l.position < ${position}`,
  );
}

/** A stored hash of a tree. */
export interface TreeHash {
  readonly level: number;
  readonly index: number;
  readonly hash: Buffer;
}

/**
 * The stored hashes of these ranges of an epoch's tree: one query for the leaves and one for the nodes. Each range is a look into the index by
 * itself (OFFSET 0): joined, a log without statistics is read whole for every range.
 */
export async function listTreeHashes(
  { db, tenantId }: Context,
  { epoch, base }: Pick<EpochRow, 'epoch' | 'base'>,
  ranges: readonly StoredRange[],
): Promise<TreeHash[]> {
  const [leaves, nodes] = [ranges.filter(({ level }) => level === 0), ranges.filter(({ level }) => level > 0)];
  const found =
    leaves.length === 0
      ? []
      : await db.rows<TreeHash>(
          sql`SELECT 0 AS level, l.position - ${base}::bigint AS index, l.leaf_hash AS hash
            FROM unnest(${leaves.map(({ first }) => first)}::bigint[], ${leaves.map(({ count }) => count)}::bigint[]) AS r (first, count)
            CROSS JOIN LATERAL (SELECT h.position, h.leaf_hash FROM log_leaves h WHERE h.tenant_id = ${tenantId}
              AND h.position >= r.first + ${base}::bigint AND h.position < r.first + r.count + ${base}::bigint OFFSET 0) l`,
        );
  const above =
    nodes.length === 0
      ? []
      : await db.rows<TreeHash>(
          sql`SELECT n.level, n.index, n.hash
            FROM unnest(${nodes.map(({ level }) => level)}::smallint[], ${nodes.map(({ first }) => first)}::bigint[],
              ${nodes.map(({ count }) => count)}::bigint[]) AS r (level, first, count)
            CROSS JOIN LATERAL (SELECT h.level, h.index, h.hash FROM log_nodes h WHERE h.tenant_id = ${tenantId} AND h.epoch = ${epoch}
              AND h.level = r.level AND h.index >= r.first AND h.index < r.first + r.count OFFSET 0) n`,
        );
  return [...found, ...above];
}

/** Those of these ids that are ids of events, sealed or not, or of events whose leaf is left. */
export function listKnownEvents({ db, tenantId }: Context, ids: readonly string[]): Promise<string[]> {
  return db.column<string>(
    sql`SELECT n.id FROM unnest(${ids}::text[]) AS n (id) WHERE EXISTS (SELECT FROM events e WHERE e.tenant_id = ${tenantId} AND e.id = n.id)
      OR EXISTS (SELECT FROM log_leaves l WHERE l.tenant_id = ${tenantId} AND l.event_id = n.id)`,
  );
}

/** Those of these events behind which an event of one of these kinds has a place, of the same review. */
export function listOvertaken({ db, tenantId }: Context, ids: readonly string[], kinds: readonly EventKind[]): Promise<string[]> {
  return db.column<string>(
    sql`SELECT e.id FROM events e JOIN log_leaves l ON l.tenant_id = ${tenantId} AND l.event_id = e.id
      WHERE e.tenant_id = ${tenantId} AND e.id = ANY (${ids}::text[]) AND e.review_id <> '' AND EXISTS (
        SELECT FROM events n JOIN log_leaves m ON m.tenant_id = ${tenantId} AND m.event_id = n.id
        WHERE n.tenant_id = ${tenantId} AND n.review_id = e.review_id AND n.kind = ANY (${kinds}::text[]) AND m.position > l.position)`,
  );
}

/** The event that has a place in the log although none was given out: without a leaf after everything is sealed. */
export function listEventsWithoutLeaf({ db, tenantId }: Context, limit: number): Promise<{ id: string; kind: string }[]> {
  return db.rows(
    sql`SELECT e.id, e.kind FROM events e WHERE e.tenant_id = ${tenantId}
      AND NOT EXISTS (SELECT FROM log_leaves l WHERE l.tenant_id = ${tenantId} AND l.event_id = e.id) ORDER BY e.id LIMIT ${limit}`,
  );
}
