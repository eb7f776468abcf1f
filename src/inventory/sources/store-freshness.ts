/** SQL of how old the data of sources are. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';
import { sourceSlot } from './slots.ts';
import type { FetchSource } from './store-schedule.ts';

/** A source with the age of its data. */
export type AgedSource = Pick<FetchSource, 'id' | 'appId' | 'kind' | 'displayName' | 'schedule' | 'zone' | 'staleAfter'> & {
  readonly observedFrom: Date;
  readonly staleSince: Date | null;
};

/** Sources that are looked at: all behind an id, or one. */
interface AgedPage {
  readonly behind?: string;
  readonly id?: string;
}

/**
 * A page of the sources that may grow stale: live, not paused, with a sync. Identity providers are none: they say nothing while nothing
 * changes.
 */
export function listAgedSources({ db, tenantId }: Context, { behind = '', id }: AgedPage, limit: number): Promise<AgedSource[]> {
  return db.rows<AgedSource>(
    sql`SELECT c.id, c.app_id AS "appId", c.kind, c.display_name AS "displayName", c.schedule, c.zone, c.stale_after AS "staleAfter",
        c.stale_since AS "staleSince", s.observed_from AS "observedFrom"
      FROM sources c CROSS JOIN LATERAL (${sourceSlot.get().getLastSync()}) AS s
      WHERE c.tenant_id = ${tenantId} AND c.id > ${behind} AND ${id === undefined ? sql`TRUE` : sql`c.id = ${id}`} AND c.deleted_at IS NULL AND c.paused_at IS NULL AND c.kind <> 'SCIM'
        AND s.observed_from IS NOT NULL
      ORDER BY c.id LIMIT ${limit}`,
  );
}

/** Sets since when the data of a source are too old; null where they are not. */
export async function updateStaleSince({ db, tenantId }: Context, id: string, staleSince: Date | null): Promise<void> {
  await db.run(sql`UPDATE sources SET stale_since = ${staleSince} WHERE tenant_id = ${tenantId} AND id = ${id}`);
}

/** Sets the age from which on the data of a source are too old, in seconds; null for the usual. */
export async function updateStaleAfter({ db, tenantId }: Context, id: string, staleAfter: number | null): Promise<void> {
  await db.run(sql`UPDATE sources SET stale_after = ${staleAfter} WHERE tenant_id = ${tenantId} AND id = ${id}`);
}
