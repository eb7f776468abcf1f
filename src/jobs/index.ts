/** The public interface of background work: how modules enqueue it, what they give the runner, and the runner itself. */
export { callDue } from './call-due.ts';
export { callAgain, callJobs, callLater } from './calls.ts';
export { cancelJob, enqueueEffects, enqueueJob } from './enqueue.ts';
export { createReactions, forTarget, forTenant, on, type Reaction } from './reactions.ts';
export { createRunner, type Runner } from './runner.ts';
export { countJobs, findJob, findWaitingJob, type JobCounts } from './store.ts';
export { listEffectPlaces, removeAllEffects, removeEffect } from './store-effects.ts';
export type { ChunkResult, Effect, EffectKind, Job, JobKind, Lane, Lease, Outcome, Receipt } from './types.ts';
