/**
 * All SQL of the audit module: the table `events`, to which rows are added and in which none is ever changed.
 */
import type { Context } from '../../context.ts';

/** One row of `events`. */
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
  readonly data: Record<string, unknown>;
}

/** Adds one event. */
export async function insertEvent(context: Context, row: EventRow): Promise<void> {
  await context.db.run(
    `INSERT INTO events (tenant_id, id, occurred_at, kind, actor_kind, actor_id, credential_id, issuer_id, source_ip, request_id,
       target_type, target_id, data)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      context.tenantId,
      row.id,
      row.occurredAt,
      row.kind,
      row.actorKind,
      row.actorId,
      row.credentialId,
      row.issuerId,
      row.sourceIp,
      row.requestId,
      row.targetType,
      row.targetId,
      JSON.stringify(row.data),
    ],
  );
}

/** Which events, in which order; every bound is optional. */
export interface EventFilter {
  /** Inclusive. */
  readonly since: Date | undefined;
  /** Exclusive. */
  readonly until: Date | undefined;
  /** Exclusive. */
  readonly sinceId: string | undefined;
  /** Exclusive. */
  readonly untilId: string | undefined;
  readonly descending: boolean;
}

/** A page of events by id, which is the order in which they happened; `after` is the last id of the page before. */
export async function listEvents(context: Context, filter: EventFilter, after: string | undefined, limit: number): Promise<EventRow[]> {
  // The page's start replaces the bound it lies within, so that each side of the key has one condition and the index is read once.
  const low = filter.descending ? filter.sinceId : (after ?? filter.sinceId);
  const high = filter.descending ? (after ?? filter.untilId) : filter.untilId;
  return context.db.rows<EventRow>(
    `SELECT id, occurred_at AS "occurredAt", kind, actor_kind AS "actorKind", actor_id AS "actorId", credential_id AS "credentialId",
       issuer_id AS "issuerId", source_ip AS "sourceIp", request_id AS "requestId", target_type AS "targetType",
       target_id AS "targetId", data
     FROM events
     WHERE tenant_id = $1
       AND id > $2 AND id < $3
       AND ($4::timestamptz IS NULL OR occurred_at >= $4) AND ($5::timestamptz IS NULL OR occurred_at < $5)
     ORDER BY id ${filter.descending ? 'DESC' : 'ASC'}
     LIMIT $6`,
    // '~' sorts behind every identifier.
    [context.tenantId, low ?? '', high ?? '~', filter.since ?? null, filter.until ?? null, limit],
  );
}
