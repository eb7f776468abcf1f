/** The background work of reviews, by the names the queue knows it by. */
import type { JobKind } from '../../jobs/index.ts';
import { closeJob, closeKind } from './close.ts';
import { endDeletedJob, endDeletedKind } from './end-deleted.ts';
import { prepareJob, prepareKind } from './prepare.ts';
import { clearJob, clearKind } from './reset.ts';
import { scheduleJob, scheduleKind } from './schedule.ts';
import { startJob, startKind } from './start.ts';
import { watchJob, watchKind } from './watch.ts';

/** Every kind of job of this module. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([
  [prepareKind, prepareJob],
  [startKind, startJob],
  [closeKind, closeJob],
  [clearKind, clearJob],
  [scheduleKind, scheduleJob],
  [watchKind, watchJob],
  [endDeletedKind, endDeletedJob],
]);
