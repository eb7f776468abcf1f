/** Putting jobs and effects into the queue and taking jobs out again. Doing them is runner.ts. */
import type { Db } from '../db/types.ts';
import { newId } from '../wire/ids.ts';
import { findWaitingJob, insertJob, updateCancelled, notifyRunners } from './store.ts';
import { insertEffects, type NewEffects } from './store-effects.ts';
import type { JobCursor } from './types.ts';

/** Work to do, its subject, and its time (at once unless given). */
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
 * Ends a waiting job before its next chunk, as CANCELLED; false where it does not wait. `onFailed` is not called. Also false where a chunk of it
 * runs: that one may be waiting for a row its canceller holds, so nobody waits for it here, and it has to see for itself that it is not wanted.
 */
export function cancelJob(db: Db, tenantId: string, id: string, now: Date): Promise<boolean> {
  return updateCancelled(db, tenantId, id, now);
}

/**
 * Puts effects into the queue in the caller's transaction, each under the id that its kind opens it by; one that is there already is due anew, with all
 * its attempts. None of a tenant that is deleted.
 */
export async function enqueueEffects(db: Db, effects: NewEffects, now: Date): Promise<void> {
  await insertEffects(db, effects, now);
  await notifyRunners(db);
}
