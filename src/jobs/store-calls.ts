/**
 * SQL of the calls for jobs: rows that are only ever added, by whoever calls, and taken away when a job is made of them. No two of them exclude
 * each other, so that nobody who calls waits. As the queue, the table stands outside row-level security; every row names its tenant.
 */
import type { Db } from '../db/types.ts';

/** What is called for, of whom, and when it is due. */
export interface JobCall {
  readonly tenantId: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly runAt: Date;
}

/** Jobs made of calls by one statement. */
const jobsAtOnce = 1000;

/** Adds the calls. */
export async function insertCalls(db: Db, calls: readonly JobCall[]): Promise<void> {
  await db.run(
    `INSERT INTO job_calls (tenant_id, kind, subject_id, run_at)
     SELECT n.* FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS n (tenant_id, kind, subject_id, run_at)`,
    [
      calls.map((call) => call.tenantId),
      calls.map((call) => call.kind),
      calls.map((call) => call.subjectId),
      calls.map((call) => call.runAt),
    ],
  );
}

/**
 * Adds the call unless there is one of the same kind and subject that is due no later. Only for the chunk of a job of that kind and subject:
 * while it runs, nothing takes calls for it, so the one that is there stays.
 */
export async function insertCallOfOwn(db: Db, call: JobCall): Promise<void> {
  await db.run(
    `INSERT INTO job_calls (tenant_id, kind, subject_id, run_at)
     SELECT $1, $2, $3, $4 WHERE NOT EXISTS (
       SELECT FROM job_calls c WHERE c.tenant_id = $1 AND c.kind = $2 AND c.subject_id = $3 AND c.run_at <= $4)`,
    [call.tenantId, call.kind, call.subjectId, call.runAt],
  );
}

/** Adds the call unless there is one of the same kind and subject that is due behind `seen` and no later. */
export async function insertCallUnlessSooner(db: Db, call: JobCall, seen: Date): Promise<void> {
  await db.run(
    `INSERT INTO job_calls (tenant_id, kind, subject_id, run_at)
     SELECT $1, $2, $3, $4 WHERE NOT EXISTS (
       SELECT FROM job_calls c WHERE c.tenant_id = $1 AND c.kind = $2 AND c.subject_id = $3 AND c.run_at > $5 AND c.run_at <= $4)`,
    [call.tenantId, call.kind, call.subjectId, call.runAt, seen],
  );
}

/** Due calls, of these kinds, for jobs none of which waits or runs. */
const dueCalls = `FROM job_calls c WHERE c.run_at <= $1 AND c.kind = ANY ($2) AND NOT EXISTS (
  SELECT FROM jobs j WHERE j.tenant_id = c.tenant_id AND j.kind = c.kind AND j.subject_id = c.subject_id AND j.state = 'WAITING')`;

/** Whether a job of these kinds is due, without a lock, so that one that runs counts too; and whether calls are that a job can be made of. */
export function findDueWork(db: Db, kinds: readonly string[], now: Date): Promise<{ hasJob: boolean; hasCall: boolean }> {
  return db.one<{ hasJob: boolean; hasCall: boolean }>(
    `SELECT EXISTS (SELECT FROM jobs WHERE state = 'WAITING' AND run_at <= $1 AND kind = ANY ($2)) AS "hasJob",
       EXISTS (SELECT ${dueCalls}) AS "hasCall"`,
    [now, kinds],
  );
}

/** Takes the right to make jobs of calls, until the transaction ends; false where another process has it. */
export async function lockCalls(db: Db): Promise<boolean> {
  const row = await db.one<{ isLocked: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended('countersign.job_calls', 0)) AS "isLocked"`,
    [],
  );
  return row.isLocked;
}

/**
 * Makes one job of all due calls of a kind and subject, and takes these away; how many jobs. A call is seen once its transaction is committed, and
 * the job begins after this, so it sees what was changed with any of them. Calls for a job that waits or runs stay for the next one.
 */
export function insertCalledJobs(db: Db, kinds: readonly string[], idPrefix: string, now: Date): Promise<number> {
  return db.run(
    `WITH due AS MATERIALIZED (SELECT DISTINCT c.tenant_id, c.kind, c.subject_id ${dueCalls} LIMIT ${jobsAtOnce}),
     taken AS (
       DELETE FROM job_calls c USING due d
       WHERE c.tenant_id = d.tenant_id AND c.kind = d.kind AND c.subject_id = d.subject_id AND c.run_at <= $1)
     INSERT INTO jobs (id, tenant_id, kind, subject_id, run_at, created_at, updated_at)
     SELECT $3 || id_suffix(row_number() OVER ()), d.tenant_id, d.kind, d.subject_id, $1, $1, $1 FROM due d
     ON CONFLICT (tenant_id, kind, subject_id) WHERE state = 'WAITING' DO NOTHING`,
    [now, kinds, idPrefix],
  );
}
