/** Jobs and effects, and what a module gives the runner to do them. Nothing here runs. */
import type { AppError } from '../errors.ts';
import type { Context } from '../context.ts';

/** Called for, waiting (also while somebody works on it), done, failed for good, or called off by somebody (`jobs.state`). */
export type JobState = 'CALLED' | 'WAITING' | 'DONE' | 'FAILED' | 'CANCELLED';

/** Place of the work: inside the database, each chunk one transaction, or outside of it, under a lease (`jobs.lane`). */
export type Lane = 'INSIDE' | 'OUTSIDE';

/** Progress of a job, in a shape of its kind's own: kept as jsonb between chunks. */
export type JobCursor = Readonly<Record<string, unknown>>;

/** A row of the queue. `done` and `total` count in the kind's own unit; `total` is 0 until it is known. */
export interface Job {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: string;
  /** Its subject: the review, the import. One waiting job for each kind and subject. */
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

/** Tries of one kind: how many, and the pauses between them. What is not given is that of its lane (retries.ts). */
export interface Retries {
  /** Attempts in a row before it is FAILED. */
  readonly maxAttempts?: number;
  /** Pause after the first failure; it doubles with each further one. */
  readonly firstPauseMs?: number;
  /** No pause is longer than this. */
  readonly longestPauseMs?: number;
}

/** Result of a chunk: where to go on (at `runAt`, else at once), or that there is nothing left. */
export type ChunkResult = { readonly cursor: JobCursor; readonly done: number; readonly total: number; readonly runAt?: Date } | 'finished';

/** Way to do jobs of one kind. */
export interface JobKind extends Retries {
  /**
   * Does one chunk (a second or so) in the transaction of `context.db`, as the job's tenant. Everything it does is committed together
   * with the new cursor, so a chunk is done once or not at all, whenever we are killed. No effect outside the database.
   */
  handler(context: Context, job: Job): Promise<ChunkResult>;
  /** Runs in the transaction that marks the job FAILED: puts its subject into the state that shows it. */
  onFailed?(context: Context, job: Job, error: AppError): Promise<void>;
  /** Longest time of one statement of a chunk, 600,000 unless given. */
  readonly statementTimeoutMs?: number;
}

/** An effect that was taken: its row, and the token that says whose it is. */
export interface Lease {
  readonly tenantId: string;
  readonly id: string;
  readonly kind: string;
  /** Attempts begun, this one included. */
  readonly attempts: number;
  readonly token: string;
}

/** Answer of a receiver: a small JSON object. */
export type Receipt = object;

/** Outcome of an attempt: done, to be tried again at `runAt`, or failed for good. */
export type Outcome<R extends Receipt = Receipt> =
  | { readonly action: 'succeed'; readonly receipt: R }
  | { readonly action: 'fail'; readonly attempts: number; readonly error: string; readonly runAt: Date }
  | { readonly action: 'give-up'; readonly attempts: number; readonly error: AppError };

/** One effect outside the database, opened to be attempted. */
export interface Effect<R extends Receipt = Receipt> {
  /** A public sentence about its last failure; '' where there was none. */
  readonly lastError: string;
  /**
   * Has the effect, and returns what the receiver answered. Runs outside a transaction, and may run more than once for one effect. It ends soon
   * after `signal` is aborted. An AppError says what failed, and by its code if another attempt may help; any other error is tried again.
   */
  attempt(context: Context, signal: AbortSignal): Promise<R>;
  /** Writes the outcome down where administrators read it, in the transaction that takes it down in the queue. */
  record(context: Context, outcome: Outcome<R>): Promise<void>;
}

/** Way to have effects of one kind. */
export interface EffectKind extends Retries {
  /** Reads what the effect is; undefined where it is not wanted any more: then it leaves the queue. */
  open(context: Context, lease: Lease): Promise<Effect | undefined>;
  /** Longest time of one attempt in milliseconds, 30,000 unless given. */
  readonly timeLimitMs?: number;
  /** Attempts of this kind at once in one process; as many as the runner has unless given. */
  readonly concurrency?: number;
  /** Of one tenant in one process; as many as the runner has for a tenant unless given. */
  readonly tenantConcurrency?: number;
}
