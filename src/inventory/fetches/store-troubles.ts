/** SQL that finds how sources are now: what is wrong with one, for those who look after it, and sums over all tenants, for whoever watches the service. */
import type { Db } from '../../db/types.ts';
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { endedStates } from './store.ts';

/** A source as it is now; a member is null where that is well. */
export interface Trouble {
  readonly sourceId: string;
  /** Fetches that failed in a row, and why the last one did. */
  readonly failures: number;
  readonly error: string;
  /** The reason why its newest held fetch is held. */
  readonly heldReason: string | null;
  readonly staleSince: Date | null;
}

/** Finds how these sources are; those that are paused or deleted are left out. Each costs two look-ups by `fetches_by_source`. */
export function listTroubles({ db, tenantId }: Context, sourceIds: readonly string[]): Promise<Trouble[]> {
  return db.rows<Trouble>(
    sql`SELECT c.id AS "sourceId", CASE WHEN l.state = 'FAILED' THEN l.failures + 1 ELSE 0 END AS failures, coalesce(l.error, '') AS error,
        h.error AS "heldReason", c.stale_since AS "staleSince"
      FROM sources_public c
      LEFT JOIN LATERAL (SELECT f.state, f.failures, f.error FROM fetches f
        WHERE f.tenant_id = ${tenantId} AND f.source_id = c.id AND f.state = ANY (${endedStates}) ORDER BY f.id DESC LIMIT 1) l ON true
      LEFT JOIN LATERAL (SELECT f.error FROM fetches f
        WHERE f.tenant_id = ${tenantId} AND f.source_id = c.id AND f.state = 'HELD' ORDER BY f.id DESC LIMIT 1) h ON true
      WHERE c.tenant_id = ${tenantId} AND c.id = ANY (${[...sourceIds]}) AND c.deleted_at IS NULL AND c.paused_at IS NULL`,
  );
}

/** Tenants that are looked at; a service with more shows a part. */
const maxTenants = 10_000;

/** Sources of one kind that are not paused. */
export interface SourceWork {
  readonly kind: string;
  /** Age of the oldest data of one of them; null where none has any. */
  readonly ageSeconds: number | null;
  /** Fetches that are held. */
  readonly held: number;
}

/** Measures the sources by kind: one tenant after the other, under row-level security. */
export function measureSources(db: Db, now: Date): Promise<SourceWork[]> {
  return db.rows<SourceWork>(
    `SELECT w.kind, greatest(0, extract(epoch FROM $1 - min(w.oldest)))::float8 AS "ageSeconds", sum(w.held)::integer AS held
     FROM count_source_work($2) w GROUP BY w.kind ORDER BY w.kind`,
    [now, maxTenants],
  );
}
