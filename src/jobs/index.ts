/** The public interface of background work: how modules enqueue it, what they give the runner, and the runner itself. */
export { callAgain, callJobs } from './calls.ts';
export { cancelJob, enqueueJob, enqueueJobBy } from './enqueue.ts';
export { createReactions, forTarget, forTenant, on, type Reaction } from './reactions.ts';
export { createRunner, type Runner } from './runner.ts';
export { countJobs, findJob, findLatestJob } from './store.ts';
export type { ChunkResult, Job, JobCursor, JobKind } from './types.ts';
