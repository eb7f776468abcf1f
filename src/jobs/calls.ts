/**
 * Calling for a job. Where `enqueueJob` answers with the job that waits or runs already, a call is a row of its own and becomes a job when no other
 * of its kind and subject is left: whoever calls waits for nobody, and what they change is seen by a job that begins after their commit.
 */
import type { Db, Database } from '../db/types.ts';
import { newId, newIdPrefix } from '../wire/ids.ts';
import { insertCalledJobs, insertCalls, insertCallUnlessSooner, type JobCall, lockCalls } from './store-calls.ts';

/** Calls of one burst become due together: at the next multiple of this. */
const settleMs = 500;

/** Longer than any transaction that calls takes to commit. */
const unseenMs = 60_000;

/** Due time of a call that can wait a moment for others like it. */
export function settleAt(now: Date): Date {
  return new Date(Math.ceil((now.getTime() + 1) / settleMs) * settleMs);
}

/** Calls for jobs in the caller's transaction; they run once it has committed, and not at all where it does not. */
export async function callJobs(db: Db, calls: readonly JobCall[]): Promise<void> {
  const [first] = calls;
  if (first !== undefined) {
    await insertCalls(db, calls, newIdPrefix(first.calledAt ?? first.runAt));
  }
}

/** Calls for the job that calls, for later: from a chunk of it alone. One call is kept where several would say the same. */
export function callAgain(db: Db, call: JobCall, now: Date): Promise<void> {
  return insertCallUnlessSooner(db, newId(now), call, null, now);
}

/**
 * Calls for a job at a later moment, however many call for the same: one that is due before, but not so soon that it might begin without seeing
 * what the caller changed, is enough where the job itself calls again.
 */
export function callLater(db: Db, call: JobCall, now: Date): Promise<void> {
  return insertCallUnlessSooner(db, newId(now), call, new Date(now.getTime() + unseenMs), now);
}

/** Makes jobs of the calls that are due; 0 where none are, and where another process is at it. */
export function beginCalledJobs(database: Database, kinds: readonly string[], now: Date): Promise<number> {
  return database.system().transaction(async (db) => ((await lockCalls(db)) ? insertCalledJobs(db, kinds, newIdPrefix(now), now) : 0));
}
