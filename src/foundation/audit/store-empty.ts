/** SQL that finds events with content by their age and puts the commitment in its place. A trigger permits nothing else. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { type ErasedPerson, holdsTextSql } from '../../lib/words.ts';

/** Dates the first event with content and a position whose id is from `sinceId` on; undefined for none. */
export function findFullEvent(context: Context, sinceId: string): Promise<Date | undefined> {
  return context.db.maybeValue<Date>(
    sql`SELECT e.occurred_at AS "occurredAt" FROM events e
      WHERE e.tenant_id = ${context.tenantId} AND e.id >= ${sinceId} AND e.erased_at IS NULL
        AND EXISTS (SELECT FROM log_leaves l WHERE l.tenant_id = ${context.tenantId} AND l.event_id = e.id)
      ORDER BY e.id LIMIT 1`,
  );
}

/** Ids of events with content and a position, behind `after` and before `untilId`, in their order, but for those of the reviews `except`. */
export function listFullEvents(
  context: Context,
  { after, untilId, except }: { readonly after: string; readonly untilId: string; readonly except: readonly string[] },
  limit: number,
): Promise<string[]> {
  return context.db.column<string>(
    sql`SELECT e.id FROM events e
      WHERE e.tenant_id = ${context.tenantId} AND e.id > ${after} AND e.id < ${untilId} AND e.erased_at IS NULL
        AND e.review_id <> ALL (${except})
        AND EXISTS (SELECT FROM log_leaves l WHERE l.tenant_id = ${context.tenantId} AND l.event_id = e.id)
      ORDER BY e.id LIMIT ${limit}`,
  );
}

/** Takes the content of these events, and leaves the commitment to it. */
export async function updateEmptied(
  context: Context,
  events: readonly { readonly id: string; readonly contentHash: Buffer }[],
): Promise<void> {
  await context.db.run(
    sql`UPDATE events e SET data = '{}', source_ip = '', salt = NULL, content_hash = n.hash, erased_at = ${context.now}
      FROM unnest(${events.map(({ id }) => id)}::text[], ${events.map(({ contentHash }) => contentHash)}::bytea[]) AS n (id, hash)
      WHERE e.tenant_id = ${context.tenantId} AND e.id = n.id AND e.erased_at IS NULL`,
  );
}

/** Events of a review that have content, in their order, and whether each has a position yet. */
export function listFullOfReview(context: Context, reviewId: string, limit: number): Promise<FoundEvent[]> {
  return context.db.rows<FoundEvent>(
    sql`SELECT e.id, EXISTS (SELECT FROM log_leaves l WHERE l.tenant_id = ${context.tenantId} AND l.event_id = e.id) AS "isSealed"
      FROM events e WHERE e.tenant_id = ${context.tenantId} AND e.review_id = ${reviewId} AND e.review_id <> '' AND e.erased_at IS NULL
      ORDER BY e.id LIMIT ${limit}`,
  );
}

/** An event that is to be emptied, once it has a position. */
export interface FoundEvent {
  readonly id: string;
  readonly isSealed: boolean;
}

/**
 * Looks at the next events behind `after`, at most `limit`: returns the last of them, '' for none, and those with content that are about the people
 * or hold one of the texts (in lower case).
 */
export async function findEventsNaming(
  context: Context,
  subject: Pick<ErasedPerson, 'userIds' | 'texts'>,
  after: string,
  limit: number,
): Promise<{ lastId: string; found: FoundEvent[] }> {
  const { tenantId } = context;
  const page = sql`SELECT e.* FROM events e WHERE e.tenant_id = ${tenantId} AND e.id > ${after} ORDER BY e.id LIMIT ${limit}`;
  const row = await context.db.one<{ lastId: string; found: FoundEvent[] }>(
    sql`SELECT coalesce(max(p.id), '') AS "lastId", coalesce(jsonb_agg(jsonb_build_object('id', p.id,
        'isSealed', EXISTS (SELECT FROM log_leaves l WHERE l.tenant_id = ${tenantId} AND l.event_id = p.id)) ORDER BY p.id)
        FILTER (WHERE p.erased_at IS NULL AND ((p.target_type = 'user' AND p.target_id = ANY (${subject.userIds}))
          OR ${holdsTextSql('p.data', subject.texts)})), '[]') AS found
      FROM (${page}) p`,
  );
  return row;
}
