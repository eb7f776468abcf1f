/** The public interface of the module name-merges: what was stored twice, because its name was written in two ways, becomes one. */
import type { JobKind } from '../../jobs/index.ts';
import { mergeNamesJob, mergeNamesKind } from './merge-names.ts';

export { mergeNamesOf } from './merge-names.ts';

/** The background work of the module, by kind. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([[mergeNamesKind, mergeNamesJob]]);
