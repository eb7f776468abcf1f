/**
 * SQL of jobs and of the queue as a whole; store-calls.ts has that of calls, store-effects.ts that of effects. The table stands outside row-level
 * security (the runner looks before it knows a tenant), so every statement on behalf of somebody names the tenant itself.
 *
 * Due rows are asked for as the first of an index, in its order: an EXISTS would be answered by reading the table from its beginning wherever the
 * planner takes the rows of a long history for rows that wait.
 */
import type { Db } from '../db/types.ts';
import type { Job, JobCursor, Lane } from './types.ts';

/** The channel on which waiting runners hear of new jobs. */
export const jobsChannel = 'countersign_jobs';

const columns = `id, tenant_id AS "tenantId", kind, subject_id AS "subjectId", state, cursor, done, total, attempts, error,
  run_at AS "runAt", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** A row to be. */
export interface NewJob {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly cursor: JobCursor;
  readonly runAt: Date;
}

/** Inserts the job; false where one of this kind and subject waits already. */
export async function insertJob(db: Db, job: NewJob, now: Date): Promise<boolean> {
  const inserted = await db.run(
    `INSERT INTO jobs (id, tenant_id, kind, subject_id, cursor, run_at, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
     ON CONFLICT (tenant_id, kind, subject_id) WHERE state = 'WAITING' DO NOTHING`,
    [job.id, job.tenantId, job.kind, job.subjectId, JSON.stringify(job.cursor), job.runAt, now],
  );
  return inserted === 1;
}

/** Wakes the runners of all processes when the transaction commits. */
export async function notifyRunners(db: Db): Promise<void> {
  await db.rows('SELECT pg_notify($1, $2)', [jobsChannel, '']);
}

/** The waiting job of this kind and subject. */
export function findWaitingJob(db: Db, tenantId: string, kind: string, subjectId: string): Promise<Job | undefined> {
  return db.maybe<Job>(`SELECT ${columns} FROM jobs WHERE tenant_id = $1 AND kind = $2 AND subject_id = $3 AND state = 'WAITING'`, [
    tenantId,
    kind,
    subjectId,
  ]);
}

/** The job with this id, or undefined: for another tenant too. */
export function findJob(db: Db, tenantId: string, id: string): Promise<Job | undefined> {
  return db.maybe<Job>(`SELECT ${columns} FROM jobs WHERE tenant_id = $1 AND id = $2`, [tenantId, id]);
}

/** The newest job of this kind and subject, in whatever state. @internal */
export function findLatestJob(db: Db, tenantId: string, kind: string, subjectId: string): Promise<Job | undefined> {
  return db.maybe<Job>(
    `SELECT ${columns} FROM jobs WHERE tenant_id = $1 AND subject_id = $3 AND kind = $2 AND state <> 'CALLED'
     ORDER BY created_at DESC, id DESC LIMIT 1`,
    [tenantId, kind, subjectId],
  );
}

/** The due job that has waited longest and that nobody works on, locked until the end of the transaction: the lock is the lease. */
export function lockNextJob(db: Db, kinds: readonly string[], now: Date): Promise<Job | undefined> {
  return db.maybe<Job>(
    `SELECT ${columns} FROM jobs WHERE state = 'WAITING' AND lane = 'INSIDE' AND run_at <= $1 AND kind = ANY($2)
     ORDER BY run_at FOR UPDATE SKIP LOCKED LIMIT 1`,
    [now, kinds],
  );
}

/** Locks a job if it is still as it was read: waiting, with no chunk and no failure since. */
export function lockUnchangedJob(db: Db, job: Job): Promise<Job | undefined> {
  return db.maybe<Job>(
    `SELECT ${columns} FROM jobs WHERE id = $1 AND state = 'WAITING' AND attempts = $2 AND cursor = $3 AND done = $4 AND run_at = $5 FOR UPDATE`,
    [job.id, job.attempts, JSON.stringify(job.cursor), job.done, job.runAt],
  );
}

/**
 * Moves back what a clock wrote that was ahead of `now` by more than `aheadMs`, by as much as it was ahead: pauses, leases and their order stay. A
 * call only wakes somebody who looks for what is due, so it may be too early. What somebody works on is left for the next time. Returns how many.
 */
export function updateFutures(db: Db, now: Date, aheadMs: number): Promise<number> {
  return db.run(
    `UPDATE jobs SET run_at = CASE state WHEN 'CALLED' THEN least(run_at, $1) ELSE run_at - (updated_at - $1::timestamptz) END,
       due_since = CASE WHEN due_since > $1 THEN $1 ELSE due_since END, updated_at = $1
     WHERE id IN (SELECT id FROM jobs WHERE state IN ('CALLED', 'WAITING') AND updated_at > $1::timestamptz + $2 * interval '1 millisecond'
       FOR UPDATE SKIP LOCKED)`,
    [now, aheadMs],
  );
}

/** Takes down what a chunk achieved; it has no failures in a row then. */
export async function updateProgress(
  db: Db,
  id: string,
  progress: { cursor: JobCursor; done: number; total: number; runAt: Date },
  now: Date,
): Promise<void> {
  await db.run("UPDATE jobs SET cursor = $2, done = $3, total = $4, run_at = $5, attempts = 0, error = '', updated_at = $6 WHERE id = $1", [
    id,
    JSON.stringify(progress.cursor),
    progress.done,
    progress.total,
    progress.runAt,
    now,
  ]);
}

/** Marks a job done. */
export async function updateDone(db: Db, id: string, now: Date): Promise<void> {
  await db.run("UPDATE jobs SET state = 'DONE', done = total, attempts = 0, error = '', updated_at = $2 WHERE id = $1", [id, now]);
}

/** Takes down a failure: to be tried again at `runAt`, or FAILED. */
export async function updateFailure(
  db: Db,
  id: string,
  failure: { state: 'WAITING' | 'FAILED'; attempts: number; error: string; runAt: Date },
  now: Date,
): Promise<void> {
  await db.run('UPDATE jobs SET state = $2, attempts = $3, error = $4, run_at = $5, updated_at = $6 WHERE id = $1', [
    id,
    failure.state,
    failure.attempts,
    failure.error,
    failure.runAt,
    now,
  ]);
}

/** Ends a waiting job of the tenant as CANCELLED; false where none waits, and where a chunk of it runs, which is not waited for. */
export async function updateCancelled(db: Db, tenantId: string, id: string, now: Date): Promise<boolean> {
  const cancelled = await db.run(
    `UPDATE jobs SET state = 'CANCELLED', updated_at = $3 WHERE id IN (
       SELECT id FROM jobs WHERE tenant_id = $1 AND id = $2 AND state = 'WAITING' FOR UPDATE SKIP LOCKED)`,
    [tenantId, id, now],
  );
  return cancelled === 1;
}

/** Removes what ended before `before`, at most 10,000 at once. */
export function removeEndedJobs(db: Db, before: Date): Promise<number> {
  return db.run(
    "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE state IN ('DONE', 'FAILED', 'CANCELLED') AND updated_at < $1 LIMIT 10000)",
    [before],
  );
}

/** Numbers of one lane, of all tenants and processes. */
export interface JobCounts {
  /** Waiting, or under way. */
  readonly waiting: number;
  /** Waiting since `lateSince` for somebody, or failed at the last attempt where that is soon repeated. */
  readonly late: number;
  /** Failed for good. */
  readonly failed: number;
  /** Seconds since the oldest that waits should have been done; 0 where none should. */
  readonly oldestSeconds: number;
}

/** Counts a lane, for the metrics. A call that long that no job was made of is late too. */
export function countJobs(db: Db, lane: Lane, lateSince: Date, now: Date): Promise<JobCounts> {
  return db.one<JobCounts>(
    `SELECT count(*) FILTER (WHERE state = 'WAITING') AS waiting, count(*) FILTER (WHERE state = 'FAILED') AS failed,
       count(*) FILTER (WHERE state = 'WAITING' AND (run_at < $1 OR (lane = 'INSIDE' AND attempts > 0))) + (
         SELECT count(*) FROM jobs c WHERE c.state = 'CALLED' AND c.lane = $3 AND c.run_at < $1 AND NOT EXISTS (
           SELECT FROM jobs w WHERE w.tenant_id = c.tenant_id AND w.kind = c.kind AND w.subject_id = c.subject_id AND w.state = 'WAITING')) AS late,
       greatest(0, extract(epoch FROM $2 - min(coalesce(due_since, run_at)) FILTER (WHERE state <> 'FAILED')))::float8 AS "oldestSeconds"
     FROM jobs WHERE state IN ('CALLED', 'WAITING', 'FAILED') AND lane = $3`,
    [lateSince, now, lane],
  );
}
