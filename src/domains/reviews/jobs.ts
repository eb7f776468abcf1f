/** The background work of reviews, by the names the queue knows it by. */
import type { JobKind } from '../../jobs/index.ts';
import { closeJob, closeKind } from './close.ts';
import { endDeletedJob, endDeletedKind } from './end-deleted.ts';
import { prepareJob, prepareKind } from './prepare.ts';
import { clearJob, clearKind } from './reset.ts';
import { accessJob, accessKind, peopleJob, peopleKind } from './follow.ts';
import { startJob, startKind } from './start.ts';
import { dueJob, dueKind, timersJob, timersKind } from './timers.ts';

/** Every kind of job of this module. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([
  [prepareKind, prepareJob],
  [startKind, startJob],
  [closeKind, closeJob],
  [clearKind, clearJob],
  [accessKind, accessJob],
  [peopleKind, peopleJob],
  [timersKind, timersJob],
  [dueKind, dueJob],
  [endDeletedKind, endDeletedJob],
]);
