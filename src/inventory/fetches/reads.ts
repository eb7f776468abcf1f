/** Data other modules may read of the fetches: pieces of SQL. */
import { fixed, type Sql } from '../../lib/sql.ts';

/**
 * Returns the newest fetch of the source `c` that was not skipped as `state`, `error` and `started_at`, nulls for none, and as `held_id` the one that is
 * held; `fetches_by_source` answers.
 */
export function getFetchesSql(): Sql {
  return fixed(`SELECT n.state, n.error, n.started_at,
      (SELECT h.id FROM fetches h WHERE h.tenant_id = c.tenant_id AND h.source_id = c.id AND h.state = 'HELD' ORDER BY h.id DESC LIMIT 1) AS held_id
    FROM (SELECT 1) one LEFT JOIN LATERAL (
      SELECT l.state, l.error, l.started_at FROM fetches l WHERE l.tenant_id = c.tenant_id AND l.source_id = c.id AND l.state <> 'SKIPPED'
      ORDER BY l.id DESC LIMIT 1) n ON true`);
}
