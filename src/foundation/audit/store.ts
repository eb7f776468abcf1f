/**
 * SQL that writes and reads events: the table `events`, to which rows are added and in which none is ever changed. Their positions are
 * given out in store-log.ts.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import type { EventKind, OccurredEvent } from '../../events/index.ts';
import { allSql, empty, fixed, type Sql, sql } from '../../lib/sql.ts';

/** One event as its writer hands it over. */
export interface EventRow {
  readonly id: string;
  readonly occurredAt: Date;
  readonly kind: string;
  readonly actorKind: string;
  readonly actorId: string;
  readonly credentialId: string;
  readonly issuerId: string;
  readonly sourceIp: string;
  readonly requestId: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly data: JsonObject;
}

/** One event as the log shows it. */
export interface SealedEvent extends EventRow {
  readonly position: number;
}

/** Parts of an event written beside those read back. */
export interface NewEventRow extends Omit<EventRow, 'data'> {
  /** The review it belongs to, '' where there is none. */
  readonly reviewId: string;
  /** JSON text. */
  readonly data: string;
  /** UUID. */
  readonly salt: string;
  /** Code of the service that writes it, in hexadecimal digits, and by which generation of the key. */
  readonly mac: string;
  readonly macGeneration: number;
}

/**
 * The statement that adds one event, complete or as part of another; with a condition (`WHERE ...`) only where that holds. Every event there
 * is was written by it or by `insertEvents`.
 */
export function insertEventSql(context: Context, row: NewEventRow, condition: Sql = empty): Sql {
  return sql`INSERT INTO events (tenant_id, id, occurred_at, kind, actor_kind, actor_id, credential_id, issuer_id, source_ip, request_id,
       target_type, target_id, review_id, data, salt, mac, mac_generation)
     SELECT ${context.tenantId}, ${row.id}, ${row.occurredAt}::timestamptz, ${row.kind}, ${row.actorKind}, ${row.actorId}, ${row.credentialId},
       ${row.issuerId}, ${row.sourceIp}, ${row.requestId}, ${row.targetType}, ${row.targetId}, ${row.reviewId}, ${row.data}::jsonb,
       ${row.salt}::uuid, decode(${row.mac}, 'hex'), ${row.macGeneration}::integer ${condition}`;
}

/** An object that an event happened to, and the event's data. */
export interface EventTarget {
  readonly targetId: string;
  readonly data: NonNullable<OccurredEvent['data']>;
}

/** Returns the `target_id` and `data` of a statement, in the order of the targets. */
export function listEventTargets({ db }: Context, rows: Sql): Promise<EventTarget[]> {
  return db.rows<EventTarget>(sql`SELECT r.target_id AS "targetId", r.data FROM (${rows}) r ORDER BY r.target_id`);
}

/** Adds many events, in their order. */
export async function insertEvents({ db, tenantId }: Context, rows: readonly NewEventRow[]): Promise<void> {
  await db.run(
    sql`INSERT INTO events (tenant_id, id, occurred_at, kind, actor_kind, actor_id, credential_id, issuer_id, source_ip, request_id,
       target_type, target_id, review_id, data, salt, mac, mac_generation)
     SELECT ${tenantId}, n.id, n."occurredAt", n.kind, n."actorKind", n."actorId", n."credentialId", n."issuerId", n."sourceIp", n."requestId",
       n."targetType", n."targetId", n."reviewId", n.data::jsonb, n.salt, decode(n.mac, 'hex'), n."macGeneration"
     FROM jsonb_to_recordset(${JSON.stringify(rows)}) AS n (id text, "occurredAt" timestamptz, kind text, "actorKind" text, "actorId" text,
       "credentialId" text, "issuerId" text, "sourceIp" text, "requestId" text, "targetType" text, "targetId" text, "reviewId" text, data text,
       salt uuid, mac text, "macGeneration" integer)`,
  );
}

/** Event search, and its order; every bound is optional. */
export interface EventFilter {
  /** Inclusive. */
  readonly since: Date | undefined;
  /** Exclusive. */
  readonly until: Date | undefined;
  /** Positions after this one. */
  readonly sincePosition: number | undefined;
  /** Positions before this one. */
  readonly untilPosition: number | undefined;
  readonly descending: boolean;
}

/** Person or review that events are of; the empty text is anybody's, and of any. */
export interface EventSubject {
  readonly actorId: string;
  readonly reviewId: string;
  /** None is any; one that ends in a dot stands for all that begin with it. */
  readonly kinds: readonly string[];
  readonly targetId: string;
}

/** A sealed event with all that is read of it. */
const sealedColumns = fixed(`l.position, e.id, e.occurred_at AS "occurredAt", e.kind, e.actor_kind AS "actorKind", e.actor_id AS "actorId",
  e.credential_id AS "credentialId", e.issuer_id AS "issuerId", e.source_ip AS "sourceIp", e.request_id AS "requestId",
  e.target_type AS "targetType", e.target_id AS "targetId", e.data`);

/**
 * A page of the sealed events of a person or a review by id, which is by time; `after` is the last id of the page before. An index has them in
 * this order, so a page costs in proportion to itself, however long the log is. With both, one person's part of a review is looked for in it.
 */
export function listEventsOf(
  context: Context,
  { actorId, reviewId, kinds, targetId }: EventSubject,
  filter: EventFilter,
  after: string | undefined,
  limit: number,
): Promise<SealedEvent[]> {
  const { tenantId } = context;
  const { since, until, sincePosition, untilPosition, descending } = filter;
  const where = [
    sql`e.tenant_id = ${tenantId}`,
    ...(reviewId === '' ? [] : [sql`e.review_id = ${reviewId} AND e.review_id <> ''`]),
    ...(actorId === '' ? [] : [sql`e.actor_id = ${actorId} AND e.actor_id <> ''`]),
    ...(kinds.length === 0
      ? []
      : [
          sql`EXISTS (SELECT FROM unnest(${kinds}::text[]) AS k (kind) WHERE e.kind = k.kind OR (right(k.kind, 1) = '.' AND starts_with(e.kind, k.kind)))`,
        ]),
    ...(targetId === '' ? [] : [sql`e.target_id = ${targetId} AND e.target_id <> ''`]),
    ...(after === undefined ? [] : [descending ? sql`e.id < ${after}` : sql`e.id > ${after}`]),
    ...(since === undefined ? [] : [sql`e.occurred_at >= ${since}`]),
    ...(until === undefined ? [] : [sql`e.occurred_at < ${until}`]),
    ...(sincePosition === undefined ? [] : [sql`l.position > ${sincePosition}`]),
    ...(untilPosition === undefined ? [] : [sql`l.position < ${untilPosition}`]),
  ];
  return context.db.rows<SealedEvent>(
    sql`SELECT ${sealedColumns} FROM events e JOIN log_leaves l ON l.tenant_id = ${tenantId} AND l.event_id = e.id
     WHERE ${allSql(where)} ORDER BY e.id ${fixed(descending ? 'DESC' : 'ASC')} LIMIT ${limit}`,
  );
}

/** A page of sealed events by position; `after` is the last position of the page before. */
export function listEvents(context: Context, filter: EventFilter, after: number | undefined, limit: number): Promise<SealedEvent[]> {
  // The page's start replaces the bound it lies within, so that each side of the key has one condition and the index is read once.
  const low = filter.descending ? filter.sincePosition : (after ?? filter.sincePosition);
  const high = filter.descending ? (after ?? filter.untilPosition) : filter.untilPosition;
  const tenantId = context.tenantId;
  return context.db.rows<SealedEvent>(
    sql`SELECT ${sealedColumns}
     FROM log_leaves l JOIN events e ON e.tenant_id = ${tenantId} AND e.id = l.event_id
     WHERE l.tenant_id = ${tenantId} AND l.position > ${low ?? -1} AND l.position < ${high ?? Number.MAX_SAFE_INTEGER}
       AND (${filter.since ?? null}::timestamptz IS NULL OR e.occurred_at >= ${filter.since ?? null})
       AND (${filter.until ?? null}::timestamptz IS NULL OR e.occurred_at < ${filter.until ?? null})
     ORDER BY l.position ${fixed(filter.descending ? 'DESC' : 'ASC')}
     LIMIT ${limit}`,
  );
}

/** Events meant: of an object; of one kind, and with these members in its data, where that is said. */
export interface EventsMeant {
  readonly targetId: string;
  readonly kind?: EventKind;
  readonly data?: Readonly<Record<string, string | number>>;
}

/** An event by what it is, without what was recorded; its position is null until it is sealed. */
export type EventPlace = Pick<EventRow, 'id' | 'kind' | 'occurredAt' | 'actorId'> & { readonly position: number | null };

/** The events that are meant, the oldest first, at most `limit`; an index finds those of each object. */
export function listEventPlaces({ db, tenantId }: Context, meant: readonly EventsMeant[], limit: number): Promise<EventPlace[]> {
  return db.rows<EventPlace>(
    sql`SELECT DISTINCT e.id, e.kind, e.occurred_at AS "occurredAt", e.actor_id AS "actorId", l.position
      FROM jsonb_to_recordset(${JSON.stringify(meant)}) AS n ("targetId" text, kind text, data jsonb)
      JOIN events e ON e.tenant_id = ${tenantId} AND e.target_id = n."targetId" AND e.target_id <> ''
        AND (n.kind IS NULL OR e.kind = n.kind) AND (n.data IS NULL OR e.data @> n.data)
      LEFT JOIN log_leaves l ON l.tenant_id = ${tenantId} AND l.event_id = e.id
      ORDER BY l.position NULLS LAST, e.id LIMIT ${limit}`,
  );
}

/** The positions of the events with these ids; one that is not sealed has none. */
export function listPositions(context: Context, ids: readonly string[]): Promise<{ id: string; position: number }[]> {
  return context.db.rows(
    sql`SELECT l.event_id AS id, l.position FROM log_leaves l WHERE l.tenant_id = ${context.tenantId} AND l.event_id = ANY (${ids})`,
  );
}

/** The position before the first event that was sealed at this time or later; the last position of all where none was. */
export function findPositionBefore(context: Context, time: Date): Promise<number> {
  return context.db.value<number>(
    sql`SELECT coalesce(
       (SELECT s.first_position - 1 FROM log_seals s WHERE s.tenant_id = ${context.tenantId} AND s.sealed_at >= ${time}
        ORDER BY s.sealed_at, s.first_position LIMIT 1),
       (SELECT l.position FROM log_leaves l WHERE l.tenant_id = ${context.tenantId} ORDER BY l.position DESC LIMIT 1),
       -1) AS position`,
  );
}
