/** The tasks of a review as a whole: made, begun, closed and ended with what they ask about. */
export { type BeginPlace, beginStart, beginTasks, openTasks } from './begin.ts';
export { cancelTasks, endUndecided, fillTasks } from './bulk.ts';
export { type GonePlace, checkTaskJob, checkTaskKind, endGone, endGoneTask, goneStart } from './end-gone.ts';
export { openRemovalTasks } from './removal-tasks.ts';
export { listRemovalBatches, removalBatchMark } from './store-removal-tasks.ts';
export { countTasks, insertTaskReview, removeTasks, updateSignatureTerms, updateTaskManagers, updateTasksState } from './store-bulk.ts';
export { hasAccess } from './store-gone.ts';
export { getDecidedSinceSql, getItemsAskedSql, getItemsMadeSql, getAccountItemsSql } from './store-items.ts';
export type { Before } from './store-judge.ts';
export { getItemLinesSql, itemEvent, listItemDigests, listItemLines } from './store-item-lines.ts';
