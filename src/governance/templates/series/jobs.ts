/** The background work of templates, by the names the queue knows it by. */
import type { JobKind } from '../../../jobs/index.ts';
import { lookConflictsJob, lookConflictsKind } from './look-conflicts.ts';
import { lookJob, lookKind } from './look.ts';
import { dueJob, dueKind, tickJob, tickKind } from './tick.ts';

/** Every kind of job of this module. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([
  [tickKind, tickJob],
  [dueKind, dueJob],
  [lookKind, lookJob],
  [lookConflictsKind, lookConflictsJob],
]);
