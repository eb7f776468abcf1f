/** Reading tasks: queues, searches, changes, histories, and what a person holds. */
export { changeService } from './service-changes.ts';
export { personGrantService } from './service-person-grants.ts';
export { queueService } from './service-queue.ts';
export { taskService } from './service-tasks.ts';
