/** The door to background work: how rooms enqueue it, what they give the runner, and the runner itself. */
export { cancelJob, enqueueJob, enqueueJobBy, type JobRequest } from './enqueue.ts';
export { createRunner, type Runner, type RunnerOptions } from './runner.ts';
export { countJobs, findJob, findLatestJob } from './store.ts';
export type { ChunkResult, Job, JobCursor, JobKind, JobState } from './types.ts';
