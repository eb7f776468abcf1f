/** SQL that finds the events which changed an object, or a review, and what one recorded. */
import type { Context } from '../../context.ts';
import type { EventKind, EventMap } from '../../events/index.ts';
import { sql } from '../../lib/sql.ts';
import { idFloor } from '../../wire/ids.ts';

/** An event, without its data. */
export interface ChangeEvent {
  readonly id: string;
  readonly occurredAt: Date;
  readonly kind: string;
  readonly actorId: string;
  readonly targetId: string;
}

/** Events that are asked for: those of a review, and those of objects, up to a moment. */
export interface ChangesOf {
  readonly reviewId: string;
  readonly reviewKinds: readonly EventKind[];
  readonly targetIds: readonly string[];
  readonly targetKinds: readonly EventKind[];
  readonly until: Date;
}

/** Returns the last events of these kinds, at most `limit`, the earliest first. Two indexes answer: by review, and by object. */
export async function listChanges({ db, tenantId }: Context, of: ChangesOf, limit: number): Promise<ChangeEvent[]> {
  const rows = await db.rows<ChangeEvent>(
    sql`SELECT e.id, e.occurred_at AS "occurredAt", e.kind, e.actor_id AS "actorId", e.target_id AS "targetId" FROM (
       SELECT * FROM (SELECT * FROM events e WHERE e.tenant_id = ${tenantId} AND e.review_id = ${of.reviewId} AND e.review_id <> ''
         AND e.kind = ANY (${of.reviewKinds}::text[]) AND e.occurred_at <= ${of.until} ORDER BY e.id DESC LIMIT ${limit}) r
       UNION ALL
       SELECT * FROM (SELECT * FROM events e WHERE e.tenant_id = ${tenantId} AND e.target_id = ANY (${of.targetIds}::text[]) AND e.target_id <> ''
         AND e.kind = ANY (${of.targetKinds}::text[]) AND e.occurred_at <= ${of.until} ORDER BY e.id DESC LIMIT ${limit}) o) e
     ORDER BY e.id DESC LIMIT ${limit}`,
  );
  return rows.reverse();
}

/** Returns what the event with this id recorded; undefined where it is of another kind, and where its content was erased. */
export function findEventData<K extends EventKind>({ db, tenantId }: Context, id: string, kind: K): Promise<EventMap[K] | undefined> {
  return db.maybeValue<EventMap[K]>(
    sql`SELECT e.data FROM events e WHERE e.tenant_id = ${tenantId} AND e.id = ${id} AND e.kind = ${kind} AND e.erased_at IS NULL`,
  );
}

/** Lets one transaction at a time change what has no row of its own to lock before it is first set, until the transaction ends. */
export async function lockChanges({ db, tenantId }: Context, what: string): Promise<void> {
  await db.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`countersign.changes.${tenantId}.${what}`}, 12))`);
}

/** What an event recorded, and when. */
export interface RecentEvent<K extends EventKind> {
  readonly kind: K;
  readonly occurredAt: Date;
  readonly data: Partial<EventMap[K]>;
}

/**
 * Returns the events of a review of these kinds since a moment, the earliest first; one that a clock wrote which ran more than a minute ahead is not among
 * them. `events_by_review` answers, in proportion to the events of the review since then.
 */
export function listRecent<K extends EventKind>(
  { db, tenantId, now }: Context,
  reviewId: string,
  kinds: readonly K[],
  since: Date,
): Promise<RecentEvent<K>[]> {
  return db.rows<RecentEvent<K>>(
    sql`SELECT e.kind, e.occurred_at AS "occurredAt", e.data FROM events e
      WHERE e.tenant_id = ${tenantId} AND e.review_id = ${reviewId} AND e.review_id <> '' AND e.id >= ${idFloor(since)} AND e.kind = ANY (${[...kinds]}::text[])
        AND e.occurred_at > ${since} AND e.occurred_at <= ${now}::timestamptz + interval '1 minute' ORDER BY e.id`,
  );
}
