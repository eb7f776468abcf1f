/** The background work of removals, by the names the queue knows it by. */
import type { JobKind } from '../../jobs/index.ts';
import { handOverJob, handOverKind } from './hand-over.ts';
import { dueJob, dueKind } from './due.ts';
import { requestJob, requestKind } from './request.ts';
import { lookJob, lookKind } from './sending/index.ts';
import { verifyJob, verifyKind } from './verify.ts';

/** Every kind of job of this module. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([
  [requestKind, requestJob],
  [dueKind, dueJob],
  [verifyKind, verifyJob],
  [handOverKind, handOverJob],
  [lookKind, lookJob],
]);
