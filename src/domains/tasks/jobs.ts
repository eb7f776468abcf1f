/** The background work of tasks, by the names the queue knows it by. */
import type { JobKind } from '../../jobs/index.ts';
import { checkTaskJob, checkTaskKind } from './end-gone.ts';
import { taskTimersKind } from './call-timers.ts';
import { taskTimersJob } from './timers.ts';
import { foldJob, foldKind } from './fold-progress.ts';

/** Every kind of job of this module. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([
  [checkTaskKind, checkTaskJob],
  [foldKind, foldJob],
  [taskTimersKind, taskTimersJob],
]);
