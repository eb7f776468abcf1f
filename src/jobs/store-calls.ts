/**
 * SQL of the calls for jobs: rows of the queue that are only ever added, by whoever calls, and taken away when a job is made of them. No two of them
 * exclude each other, so that nobody who calls waits.
 */
import type { Db } from '../db/types.ts';

/** Job called for, of whom, and when it is due. */
export interface JobCall {
  readonly tenantId: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly runAt: Date;
  /** Time it is written; `runAt` where absent. */
  readonly calledAt?: Date;
}

/** Calls that one statement looks at to make jobs of them and of others like them. */
const callsAtOnce = 1000;

/** Adds the calls; `idPrefix` begins their ids. */
export async function insertCalls(db: Db, calls: readonly JobCall[], idPrefix: string): Promise<void> {
  await db.run(
    `INSERT INTO jobs (id, tenant_id, kind, subject_id, state, run_at, created_at, updated_at)
     SELECT $6 || id_suffix(n.place), n.tenant_id, n.kind, n.subject_id, 'CALLED', n.run_at, n.called_at, n.called_at
     FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[])
       WITH ORDINALITY AS n (tenant_id, kind, subject_id, run_at, called_at, place)`,
    [
      calls.map((call) => call.tenantId),
      calls.map((call) => call.kind),
      calls.map((call) => call.subjectId),
      calls.map((call) => call.runAt),
      calls.map((call) => call.calledAt ?? call.runAt),
      idPrefix,
    ],
  );
}

/**
 * Adds the call unless there is one of the same kind and subject that is due behind `seen` and no later. `seen` is null for the chunk of a job of that
 * kind and subject: while it runs, nothing takes calls for it, so any that is there stays.
 */
export async function insertCallUnlessSooner(db: Db, id: string, call: JobCall, seen: Date | null, now: Date): Promise<void> {
  await db.run(
    `INSERT INTO jobs (id, tenant_id, kind, subject_id, state, run_at, created_at, updated_at)
     SELECT $7, $1, $2, $3, 'CALLED', $4, $6, $6 WHERE NOT EXISTS (
       SELECT FROM jobs c WHERE c.tenant_id = $1 AND c.kind = $2 AND c.subject_id = $3 AND c.state = 'CALLED' AND c.run_at <= $4
         AND ($5::timestamptz IS NULL OR c.run_at > $5))`,
    [call.tenantId, call.kind, call.subjectId, call.runAt, seen, now, id],
  );
}

/**
 * Due calls, of these kinds, for jobs none of which waits or runs, the oldest first. OFFSET keeps the planner from looking for the kinds first, among
 * all calls that sleep.
 */
const dueCalls = `FROM (SELECT tenant_id, kind, subject_id, run_at FROM jobs WHERE state = 'CALLED' AND run_at <= $1 ORDER BY run_at OFFSET 0) c
  WHERE c.kind = ANY ($2) AND NOT EXISTS (
    SELECT FROM jobs w WHERE w.tenant_id = c.tenant_id AND w.kind = c.kind AND w.subject_id = c.subject_id AND w.state = 'WAITING')
  ORDER BY c.run_at`;

/** Finds whether a job of these kinds is due, with no lock, so a running one counts too; and whether calls are that a job can be made of. */
export function findDueWork(db: Db, kinds: readonly string[], now: Date): Promise<{ hasJob: boolean; hasCall: boolean }> {
  return db.one<{ hasJob: boolean; hasCall: boolean }>(
    `SELECT (SELECT true FROM jobs WHERE state = 'WAITING' AND lane = 'INSIDE' AND run_at <= $1 AND kind = ANY ($2) ORDER BY run_at LIMIT 1)
         IS NOT NULL AS "hasJob",
       (SELECT true ${dueCalls} LIMIT 1) IS NOT NULL AS "hasCall"`,
    [now, kinds],
  );
}

/** Takes the right to make jobs of calls, until the transaction ends; false where another process has it. */
export function lockCalls(db: Db): Promise<boolean> {
  return db.value<boolean>(`SELECT pg_try_advisory_xact_lock(hashtextextended('countersign.job_calls', 0)) AS "isLocked"`, []);
}

/**
 * Makes one job of all due calls of a kind and subject, and takes these away; how many jobs. A call is seen once its transaction is committed, and
 * the job begins after this, so it sees what was changed with any of them. Calls for a job that waits or runs stay for the next one.
 */
export function insertCalledJobs(db: Db, kinds: readonly string[], idPrefix: string, now: Date): Promise<number> {
  return db.run(
    `WITH oldest AS MATERIALIZED (SELECT c.tenant_id, c.kind, c.subject_id ${dueCalls} LIMIT ${callsAtOnce}),
     due AS MATERIALIZED (SELECT DISTINCT tenant_id, kind, subject_id FROM oldest),
     taken AS (
       DELETE FROM jobs c USING due d
       WHERE c.tenant_id = d.tenant_id AND c.kind = d.kind AND c.subject_id = d.subject_id AND c.state = 'CALLED' AND c.run_at <= $1)
     INSERT INTO jobs (id, tenant_id, kind, subject_id, run_at, created_at, updated_at)
     SELECT $3 || id_suffix(row_number() OVER ()), d.tenant_id, d.kind, d.subject_id, $1, $1, $1 FROM due d
     ON CONFLICT (tenant_id, kind, subject_id) WHERE state = 'WAITING' DO NOTHING`,
    [now, kinds, idPrefix],
  );
}
