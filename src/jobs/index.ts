/** The public interface of background work: how modules enqueue it, what they give the runner, and the runner itself. */
export { callDue } from './call-due.ts';
export { callAgain, callJobs, callLater } from './calls.ts';
export { cancelJob, enqueueJob } from './enqueue.ts';
export { createReactions, type Decide, forTarget, forTenant, on, type Reaction } from './reactions.ts';
export { createRunner, type Runner } from './runner.ts';
export { countJobs, findJob, findLatestJob } from './store.ts';
export type { ChunkResult, Job, JobCursor, JobKind } from './types.ts';
