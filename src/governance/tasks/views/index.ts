/** The shape of a task outside of this service, and what stands out about it. */
export { adviseOn } from './insights.ts';
export { insightLoader } from './load-insights.ts';
export type { ShownTask } from './shown-task.ts';
export { listShownTasks } from './store.ts';
export { countPastEnds, getReportedEndSql, type ReportedEnd } from './store-reported-end.ts';
export { nameResidual, removalOutcomeName } from './view-removal.ts';
export { actOnTask, viewOne } from './view-one.ts';
export { outcomeName, stateName, viewTasks } from './view.ts';
