/** SQL of how the connector of a source carries out removals. */
import type { Context } from '../../context.ts';
import { sql } from '../../lib/sql.ts';

/** A source as removals through its connector need it. */
export interface RemovalSettings {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly kind: string;
  readonly isEnabled: boolean;
  /** Most removals of an hour that nobody releases. */
  readonly hourly: number;
  readonly pausedAt: Date | null;
  readonly staleSince: Date | null;
  readonly deletedAt: Date | null;
}

/** Returns the settings of a source, deleted or not. */
export function findRemovalSettings({ db, tenantId }: Context, id: string): Promise<RemovalSettings | undefined> {
  return db.maybe<RemovalSettings>(
    sql`SELECT id, app_id AS "appId", display_name AS "displayName", kind, removals_enabled AS "isEnabled", removals_hourly AS hourly,
        paused_at AS "pausedAt", stale_since AS "staleSince", deleted_at AS "deletedAt" FROM sources WHERE tenant_id = ${tenantId} AND id = ${id}`,
  );
}

/** Sets whether the connector of a source carries out removals, and how many an hour. */
export async function updateRemovals({ db, tenantId, now }: Context, id: string, isEnabled: boolean, hourly: number): Promise<void> {
  await db.run(
    sql`UPDATE sources SET removals_enabled = ${isEnabled}, removals_hourly = ${hourly}, updated_at = ${now} WHERE tenant_id = ${tenantId} AND id = ${id}`,
  );
}
