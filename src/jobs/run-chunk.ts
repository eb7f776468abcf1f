/**
 * One chunk of one job: taken, done and taken down in a single transaction, and what happens when it fails. When chunks are run is
 * decided in runner.ts.
 */
import { randomBytes } from 'node:crypto';
import { actAsTenant } from '../db/session.ts';
import { sqlStateOf, translateError } from '../db/translate-error.ts';
import type { Database, Db } from '../db/types.ts';
import type { AppError } from '../errors.ts';
import { type Logger, type Context, type React, systemActor } from '../context.ts';
import { findNextAttempt, retryPolicy, unrecordedPauseMs } from './retries.ts';
import { lockNextJob, lockUnchangedJob, updateDone, updateFailure, updateProgress } from './store.ts';
import type { ChunkResult, Job, JobKind } from './types.ts';

const defaultStatementTimeoutMs = 600_000;

/** Needs of running a chunk. */
export interface ChunkParts {
  readonly database: Database;
  readonly handlers: ReadonlyMap<string, JobKind>;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly react: React;
  /** Numbers from 0 to 1, for the pauses. */
  readonly random: () => number;
}

/**
 * Does one chunk of the job that has waited longest. 'nothing' where none is due, 'done' after a chunk, 'failed' where the failure was taken
 * down with the job. Throws UNAVAILABLE where the database is away: then nothing was taken down, and nothing has to be.
 */
export async function runNextChunk(parts: ChunkParts): Promise<'nothing' | 'done' | 'failed'> {
  let taken: Job | undefined;
  let isFinished = false;
  const startedAt = performance.now();
  try {
    await parts.database.system().transaction(async (db) => {
      taken = await lockNextJob(db, [...parts.handlers.keys()], parts.clock());
      if (taken !== undefined) {
        isFinished = await runChunk(parts, db, taken);
      }
    });
    if (taken !== undefined) {
      tellProgress(parts, taken, isFinished, performance.now() - startedAt);
    }
    return taken === undefined ? 'nothing' : 'done';
  } catch (error) {
    if (taken === undefined) {
      throw error;
    }
    await takeDownFailure(parts, taken, error);
    return 'failed';
  }
}

/** A line where a job ended, and one where it began without ending at once; pieces in between are for whoever looks closely. */
function tellProgress({ log, clock }: ChunkParts, job: Job, isFinished: boolean, ms: number): void {
  const isFirst = Object.keys(job.cursor).length === 0 && job.done === 0;
  const fields = { job: job.id, kind: job.kind, tenant: job.tenantId, subject: job.subjectId, ms: Math.round(ms) };
  if (isFinished) {
    const seconds = Math.round((clock().getTime() - job.createdAt.getTime()) / 100) / 10;
    log.info({ ...fields, outcome: 'DONE', secondsSinceCreated: seconds }, 'job ended');
    return;
  }
  log[isFirst ? 'info' : 'debug'](fields, isFirst ? 'job started' : 'job goes on');
}

function kindOf(parts: ChunkParts, job: Job): JobKind {
  return parts.handlers.get(job.kind) as JobKind;
}

/** The context of a job's work; its id ties log lines and events together. */
async function openContext(parts: ChunkParts, db: Db, job: Job): Promise<Context> {
  const milliseconds = kindOf(parts, job).statementTimeoutMs ?? defaultStatementTimeoutMs;
  await db.limitStatements(milliseconds);
  await actAsTenant(db, job.tenantId);
  const log = parts.log.child({ job: job.id, kind: job.kind, tenant: job.tenantId });
  return { db, tenantId: job.tenantId, actor: systemActor(`job-${job.id}`), now: parts.clock(), log, react: parts.react };
}

/** True if that was the last one. */
async function runChunk(parts: ChunkParts, db: Db, job: Job): Promise<boolean> {
  const context = await openContext(parts, db, job);
  const result: ChunkResult = await kindOf(parts, job).handler(context, job);
  const now = parts.clock();
  if (result === 'finished') {
    await updateDone(db, job.id, now);
  } else {
    // Behind the others that are due: a long job does not keep the short ones waiting.
    await updateProgress(db, job.id, { ...result, runAt: result.runAt ?? now }, now);
  }
  return result === 'finished';
}

/** True if an error says nothing about the job: the database went away under it. A statement that took too long is the job's own. */
function isOutage(error: AppError): boolean {
  return error.code === 'UNAVAILABLE' && sqlStateOf(error) !== '57014';
}

async function takeDownFailure(parts: ChunkParts, job: Job, thrown: unknown): Promise<void> {
  const { database, log, clock } = parts;
  const error = translateError(thrown);
  if (isOutage(error)) {
    log.warn({ err: error, job: job.id, kind: job.kind }, 'a job was interrupted; it goes on when the database is back');
    throw error;
  }
  const attempts = job.attempts + 1;
  const runAt = findNextAttempt(error, attempts, retryPolicy('INSIDE', kindOf(parts, job)), clock(), parts.random);
  const isFinal = runAt === undefined;
  const reference = randomBytes(6).toString('hex');
  const message = error.code === 'INTERNAL' ? `Something went wrong on our side (reference ${reference}).` : error.message;
  log.error({ err: thrown, detail: error.detail, job: job.id, kind: job.kind, attempts, isFinal, reference }, 'a job failed');
  await database
    .system()
    .transaction(async (db) => {
      // Somebody else may have taken it since our transaction ended; then what happened to us is history.
      if ((await lockUnchangedJob(db, job)) === undefined) {
        return;
      }
      const now = clock();
      const { onFailed } = kindOf(parts, job);
      // First: while it waits for its subject, whoever has that may call for the job, and would wait for one that was changed.
      if (isFinal && onFailed !== undefined) {
        await onFailed.call(kindOf(parts, job), await openContext(parts, db, job), job, error);
      }
      await updateFailure(db, job.id, { state: isFinal ? 'FAILED' : 'WAITING', attempts, error: message, runAt: runAt ?? now }, now);
    })
    .catch((failure: unknown) => postpone(parts, job, failure));
}

/** Postpones a job if not even its failure was stored (onFailed threw): later again, so that it is neither lost nor tried without pause. */
async function postpone(parts: ChunkParts, job: Job, failure: unknown): Promise<void> {
  parts.log.error({ err: failure, job: job.id, kind: job.kind }, 'the failure of a job could not be taken down');
  await parts.database.system().transaction(async (db) => {
    if ((await lockUnchangedJob(db, job)) !== undefined) {
      const now = parts.clock();
      await updateFailure(
        db,
        job.id,
        { state: 'WAITING', attempts: job.attempts, error: job.error, runAt: new Date(now.getTime() + unrecordedPauseMs) },
        now,
      );
    }
  });
}
