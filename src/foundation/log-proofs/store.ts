/** SQL of a log's settings and of the record of its checks: the tables `log_settings` and `log_checks`. */
import type { Context } from '../../context.ts';
import type { Db } from '../../db/types.ts';
import { sql } from '../../lib/sql.ts';

/** True if everybody may read the hashes of this tenant's log. */
export async function findPublishes({ db, tenantId }: Context): Promise<boolean> {
  return (await db.maybeValue<boolean>('SELECT s.publishes FROM log_settings s WHERE s.tenant_id = $1', [tenantId])) ?? false;
}

/** Sets it. */
export async function updatePublishes({ db, tenantId, now }: Context, publishes: boolean): Promise<void> {
  await db.run(
    sql`INSERT INTO log_settings (tenant_id, publishes, updated_at) VALUES (${tenantId}, ${publishes}, ${now})
      ON CONFLICT (tenant_id) DO UPDATE SET publishes = excluded.publishes, updated_at = excluded.updated_at`,
  );
}

/** Findings of the last checks of all tenants' logs, together. */
export interface LogFindings {
  readonly findings: number;
  /** Logs that are behind a checkpoint of their own. */
  readonly behind: number;
  /** Seconds since the log that was not checked for the longest was; 0 where none was yet. */
  readonly oldestCheckSeconds: number;
  /** Seconds for which checkpoints have not reached a place that is to hold them, the longest of all; 0 where they do. */
  readonly anchorFailingSeconds: number;
}

/** Counts them; looks at every tenant. */
export async function countLogFindings(db: Db, now: Date): Promise<LogFindings> {
  const row = await db.one<{ findings: number; behind: number; oldestCheck: Date | null; failing: Date | null }>(
    'SELECT f.findings, f.behind, f.oldest_check AS "oldestCheck", find_oldest_failing_anchor() AS failing FROM count_log_findings() f',
    [],
  );
  const secondsSince = (at: Date | null): number => (at === null ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1000));
  const { findings, behind, oldestCheck, failing } = row;
  return { findings, behind, oldestCheckSeconds: secondsSince(oldestCheck), anchorFailingSeconds: secondsSince(failing) };
}

/** A check that was made. */
export interface CheckRow {
  readonly checkedAt: Date;
  /** Events in the log at that time. */
  readonly size: number;
  readonly findings: number;
  /** The first of them. */
  readonly sentences: readonly string[];
}

/** The last check; undefined before the first. */
export function findLastCheck({ db, tenantId }: Context): Promise<CheckRow | undefined> {
  return db.maybe<CheckRow>(
    `SELECT c.checked_at AS "checkedAt", c.size, c.findings, c.sentences FROM log_checks c WHERE c.tenant_id = $1 ORDER BY c.id DESC LIMIT 1`,
    [tenantId],
  );
}

/** Adds a check, and takes away those of a year ago. */
export async function insertCheck({ db, tenantId }: Context, id: string, row: CheckRow): Promise<void> {
  await db.run(
    sql`INSERT INTO log_checks (tenant_id, id, checked_at, size, findings, sentences)
      VALUES (${tenantId}, ${id}, ${row.checkedAt}, ${row.size}, ${row.findings}, ${JSON.stringify(row.sentences)}::jsonb)`,
  );
  await db.run(
    sql`DELETE FROM log_checks WHERE tenant_id = ${tenantId} AND checked_at < ${row.checkedAt}::timestamptz - interval '1 year'`,
  );
}
