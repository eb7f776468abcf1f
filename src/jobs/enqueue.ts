/**
 * Putting a job into the queue and taking it out again. Doing it is runner.ts.
 */
import type { Db } from '../db/types.ts';
import { newId } from '../wire/ids.ts';
import { findWaitingJob, insertJob, updateCancelled, updateEarlier, notifyRunners } from './store.ts';
import type { JobCursor } from './types.ts';

/** What is to be done, about what, and when (at once unless given). */
export interface JobRequest {
  readonly tenantId: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly cursor?: JobCursor;
  readonly runAt?: Date;
}

/**
 * Puts a job into the queue in the caller's transaction: it exists if and only if that commits. Where one of the same kind and
 * subject waits or runs already, nothing is added and that one's id is returned.
 */
export async function enqueueJob(db: Db, request: JobRequest, now: Date): Promise<string> {
  const { tenantId, kind, subjectId, cursor = {}, runAt = now } = request;
  for (;;) {
    const id = newId(now);
    if (await insertJob(db, { id, tenantId, kind, subjectId, cursor, runAt }, now)) {
      await notifyRunners(db);
      return id;
    }
    const waiting = await findWaitingJob(db, tenantId, kind, subjectId);
    if (waiting !== undefined) {
      return waiting.id;
    }
    // It ended between the two statements.
  }
}

/**
 * The same, and a job that waits for a later time is brought forward. Where a chunk of it runs, this waits for the chunk's end, so that what
 * the caller's transaction changes is seen by the next one: to be called before the locks that the job takes, too.
 */
export async function enqueueJobBy(db: Db, request: JobRequest & { readonly runAt: Date }, now: Date): Promise<string> {
  for (;;) {
    const id = await enqueueJob(db, request, now);
    if (await updateEarlier(db, request.tenantId, id, request.runAt, now)) {
      await notifyRunners(db);
      return id;
    }
    // It ended while we waited.
  }
}

/** Ends a waiting job before its next chunk, as FAILED with the error 'Cancelled.'; false where it does not wait. `onFailed` is not called. */
export function cancelJob(db: Db, tenantId: string, id: string, now: Date): Promise<boolean> {
  return updateCancelled(db, tenantId, id, now);
}
