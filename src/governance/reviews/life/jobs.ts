/** The background work of reviews, by the names the queue knows it by. */
import type { JobKind } from '../../../jobs/index.ts';
import { certifiedUntilJob, certifiedUntilKind } from './certified-until.ts';
import { closeJob, closeKind } from './close.ts';
import { endDeletedJob, endDeletedKind } from './end-deleted.ts';
import { createPrepareJob, prepareKind } from './prepare.ts';
import { clearJob, clearKind } from './reset.ts';
import { accessJob, accessKind, peopleJob, peopleKind } from './follow.ts';
import { startJob, startKind } from './start.ts';
import { dueJob, dueKind, heldJob, heldKind, timersJob, timersKind } from './timers.ts';

/** Every kind of job of this module. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([
  [prepareKind, createPrepareJob()],
  [startKind, startJob],
  [closeKind, closeJob],
  [clearKind, clearJob],
  [accessKind, accessJob],
  [peopleKind, peopleJob],
  [timersKind, timersJob],
  [dueKind, dueJob],
  [heldKind, heldJob],
  [certifiedUntilKind, certifiedUntilJob],
  [endDeletedKind, endDeletedJob],
]);
