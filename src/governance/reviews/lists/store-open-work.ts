/** SQL that counts what all tenants have at work, for whoever watches the service: sums alone, never whose they are. */
import type { Db } from '../../../db/types.ts';

/** Tenants that are looked at; a service with more shows a part. */
const maxTenants = 10_000;

/** Sums over all tenants. */
export interface OpenWork {
  readonly openReviews: number;
  readonly openTasks: number;
  /** Seconds since that source of files delivered which has been silent for longest, paused ones left out; 0 where there is none. */
  readonly oldestSourceSeconds: number;
}

/** Counts open reviews and tasks, and finds the most silent source: one tenant after the other, under row-level security. */
export function countOpenWork(db: Db, now: Date): Promise<OpenWork> {
  return db.one<OpenWork>(
    `SELECT w.open_reviews AS "openReviews", w.open_tasks AS "openTasks",
       greatest(0, coalesce(extract(epoch FROM $1 - w.oldest_delivery), 0))::float8 AS "oldestSourceSeconds"
     FROM count_open_work($2) w`,
    [now, maxTenants],
  );
}
