/** SQL that finds events with content by their age and puts the commitment in its place. A trigger permits nothing else. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** When the first event with content and a position happened whose id is from `sinceId` on; undefined for none. */
export async function findFullEvent(context: Context, sinceId: string): Promise<Date | undefined> {
  const row = await context.db.maybe<{ occurredAt: Date }>(
    sql`SELECT e.occurred_at AS "occurredAt" FROM events e
      WHERE e.tenant_id = ${context.tenantId} AND e.id >= ${sinceId} AND e.erased_at IS NULL
        AND EXISTS (SELECT FROM log_leaves l WHERE l.tenant_id = ${context.tenantId} AND l.event_id = e.id)
      ORDER BY e.id LIMIT 1`,
  );
  return row?.occurredAt;
}

/** Ids of events with content and a position, behind `after` and before `untilId`, in their order. */
export async function listFullEvents(context: Context, after: string, untilId: string, limit: number): Promise<string[]> {
  const rows = await context.db.rows<{ id: string }>(
    sql`SELECT e.id FROM events e
      WHERE e.tenant_id = ${context.tenantId} AND e.id > ${after} AND e.id < ${untilId} AND e.erased_at IS NULL
        AND EXISTS (SELECT FROM log_leaves l WHERE l.tenant_id = ${context.tenantId} AND l.event_id = e.id)
      ORDER BY e.id LIMIT ${limit}`,
  );
  return rows.map(({ id }) => id);
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
