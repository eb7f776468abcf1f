/** Acts on a task that decide nothing: reassigning, restarting, skipping, cancelling, reminding. */
export { handOver } from './hand-over.ts';
export { delegateService } from './service-delegates.ts';
export { steeringServices } from './service-steering.ts';
export { findStaleBatch } from './store-hand-over.ts';
export { countOpenTasks, moveManaged } from './store-merge.ts';
export { findReminded } from './reminded.ts';
