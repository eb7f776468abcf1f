/**
 * What a job is, and what a module gives the runner to do it. Nothing here runs.
 */
import type { AppError } from '../errors.ts';
import type { Context } from '../context.ts';

/** Waiting (also while a chunk of it runs), done, failed for good, or called off by somebody (`jobs.state`). */
export type JobState = 'WAITING' | 'DONE' | 'FAILED' | 'CANCELLED';

/** Where a job stands, in a shape of its kind's own: kept as jsonb between chunks. */
export type JobCursor = Readonly<Record<string, unknown>>;

/** A row of the queue. `done` and `total` count in the kind's own unit; `total` is 0 until it is known. */
export interface Job {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: string;
  /** What it is about: the review, the import. One waiting job for each kind and subject. */
  readonly subjectId: string;
  readonly state: JobState;
  readonly cursor: JobCursor;
  readonly done: number;
  readonly total: number;
  /** Failures in a row; a chunk that succeeds sets it to 0. */
  readonly attempts: number;
  /** A public sentence about the last failure, '' where there was none since the last chunk. */
  readonly error: string;
  readonly runAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a chunk achieved: where to go on (at `runAt`, else at once), or that there is nothing left. */
export type ChunkResult = { readonly cursor: JobCursor; readonly done: number; readonly total: number; readonly runAt?: Date } | 'finished';

/** How jobs of one kind are done. */
export interface JobKind {
  /**
   * Does one chunk (a second or so) in the transaction of `context.db`, as the job's tenant. Everything it does is committed together
   * with the new cursor, so a chunk is done once or not at all, whenever we are killed. No effect outside the database.
   */
  handler(context: Context, job: Job): Promise<ChunkResult>;
  /** Runs in the transaction that marks the job FAILED: puts its subject into the state that shows it. */
  onFailed?(context: Context, job: Job, error: AppError): Promise<void>;
  /** Failures in a row before the job is FAILED, 8 unless given (with the waits between them about a minute). */
  readonly maxAttempts?: number;
  /** Longest time of one statement of a chunk, 600,000 unless given. */
  readonly statementTimeoutMs?: number;
}
