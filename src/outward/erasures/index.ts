/** The public interface of the module erasures: content of reviews whose time is over, and data of people that is erased. */
import type { JobKind } from '../../jobs/index.ts';
import { emptyReviewsJob, emptyReviewsKind } from './empty-reviews.ts';
import { erasePersonKind } from './ask-erasure.ts';
import { erasePersonJob } from './erase-person.ts';

export { eraseAct, isErasureAsked } from './ask-erasure.ts';
export { emptyReviewsKind, isReviewDue } from './empty-reviews.ts';
export { askPurge, confirmPurge } from './purge.ts';
export { services } from './service.ts';

/** The background work of the module, by kind. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([
  [emptyReviewsKind, emptyReviewsJob],
  [erasePersonKind, erasePersonJob],
]);
