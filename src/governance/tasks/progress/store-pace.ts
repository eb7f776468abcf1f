/** SQL of how long somebody takes for a decision, from the last ones they made. */
import { sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';

/** So many of the last decisions are looked at. */
const most = 200;
/** Fewer say nothing. */
const fewest = 10;
/** Whoever takes longer did something else. */
const longestSeconds = 600;

/**
 * The seconds that the caller takes for a decision: the time between their last decisions on average, without pauses. Several at once share the time
 * before them. 0 where too few say it. The index of actions by actor ends with the task, and tasks are numbered by time.
 */
export function findPace({ db, tenantId, actor }: Context): Promise<number> {
  return db.value<number>(
    sql`SELECT CASE WHEN count(p.gap) >= ${fewest} THEN coalesce(avg(p.gap), 0)::float8 ELSE 0 END AS seconds FROM (
        SELECT extract(epoch FROM d.at - lag(d.at) OVER (ORDER BY d.at, d.task_id))::float8 AS gap FROM (
          SELECT x.task_id, coalesce((x.data->>'stagedAt')::timestamptz, x.created_at) AS at FROM task_actions x
          WHERE x.tenant_id = ${tenantId} AND x.actor_id = ${actor.userId} AND x.actor_id <> '' AND x.kind <> 'COMMENTED' AND x.kind IN ('APPROVED', 'DENIED')
          ORDER BY x.task_id DESC LIMIT ${most}) d) p
      WHERE p.gap <= ${longestSeconds}`,
  );
}
