/** SQL of counting in windows of time. */
import type { Db } from '../../db/types.ts';
import { sql } from '../../lib/sql.ts';

/** One window as it stands. */
export interface RateWindow {
  readonly count: number;
  readonly endsAt: Date;
}

/** The count stops there, so that the number does not overflow. */
const maxCounted = 1_000_000_000;

/**
 * Adds to the window of a key and returns it. A window that is over begins anew; so does one that ends later than a new one would, which a clock that
 * ran ahead has left.
 */
export function countWindow(
  db: Db,
  tenantId: string,
  window: { readonly key: Buffer; readonly now: Date; readonly endsAt: Date; readonly amount: number },
): Promise<RateWindow> {
  const { key, now, endsAt, amount } = window;
  return db.one<RateWindow>(
    sql`INSERT INTO rate_windows AS w (tenant_id, key, ends_at, count) VALUES (${tenantId}, ${key}, ${endsAt}, ${amount})
      ON CONFLICT (tenant_id, key) DO UPDATE SET
        count = CASE WHEN w.ends_at > ${now} AND w.ends_at <= ${endsAt} THEN least(w.count::bigint + excluded.count, ${maxCounted}) ELSE excluded.count END,
        ends_at = CASE WHEN w.ends_at > ${now} AND w.ends_at <= ${endsAt} THEN w.ends_at ELSE excluded.ends_at END
      RETURNING w.count, w.ends_at AS "endsAt"`,
  );
}

/** True if a window of the tenant is over. */
export function hasOldWindows(db: Db, tenantId: string, now: Date): Promise<boolean> {
  return db.value<boolean>(sql`SELECT EXISTS (SELECT FROM rate_windows w WHERE w.tenant_id = ${tenantId} AND w.ends_at <= ${now}) AS due`);
}

/** Removes up to so many windows that are over, and returns their number. */
export function removeOldWindows(db: Db, tenantId: string, now: Date, limit: number): Promise<number> {
  return db.run(
    sql`DELETE FROM rate_windows WHERE tenant_id = ${tenantId} AND key IN
      (SELECT w.key FROM rate_windows w WHERE w.tenant_id = ${tenantId} AND w.ends_at <= ${now} ORDER BY w.ends_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );
}

/** True if a key has a window that is not over. */
export function hasWindow(db: Db, tenantId: string, key: Buffer, now: Date): Promise<boolean> {
  return db.value<boolean>(
    sql`SELECT EXISTS (SELECT FROM rate_windows w WHERE w.tenant_id = ${tenantId} AND w.key = ${key} AND w.ends_at > ${now}) AS found`,
  );
}
