/** The public interface of the module evidence: its service and its jobs. */
import type { JobKind } from '../../jobs/index.ts';
import { buildBundleJob, buildBundleKind } from './build-bundle.ts';

export { services } from './service.ts';

/** The background work of evidence, by kind. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([[buildBundleKind, buildBundleJob]]);
