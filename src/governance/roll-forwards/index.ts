/** The public interface of the module roll-forwards: its services and jobs. */
import type { JobKind } from '../../jobs/index.ts';
import { rollForwardJob, rollForwardKind } from './roll-forward.ts';

export { services } from './service.ts';
export { findRollForward } from './store.ts';
export { listLines } from './store-lines.ts';

/** Every kind of job of this module. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([[rollForwardKind, rollForwardJob]]);
