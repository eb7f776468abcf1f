/** The background work of the catalog, by the names the queue knows it by. */
import type { JobKind } from '../../jobs/index.ts';
import { endAccessJob, endAccessKind } from './delete-app.ts';

/** Every kind of job of this module. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([[endAccessKind, endAccessJob]]);
