/** The public interface of the module tasks: certify tasks, decisions and submissions. What a review does to its tasks as a whole is in bulk.ts. */
import type { BoundService } from '../../wire/service.ts';
import { taskServices } from './service.ts';
import { submissionService } from './service-submissions.ts';

/** The contract's services this module offers. */
export const services: readonly BoundService[] = [...taskServices, submissionService];

export { explainEnd, type EndReason, type TaskOutcome } from './task.ts';
export type { Step } from './policy-steps.ts';
export { assignTasks } from './assign.ts';
export { cancelTasks, endUndecided, fillTasks, handOver } from './bulk.ts';
export { checkTaskKind, endGone, type GonePlace, goneStart } from './end-gone.ts';
export { jobKinds } from './jobs.ts';
export {
  countTasks,
  findStaleReview,
  insertTaskReview,
  removeTasks,
  updateTaskManagers,
  updateTasksState,
} from './store-bulk.ts';
