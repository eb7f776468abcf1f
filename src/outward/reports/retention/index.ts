/** The public interface of the part retention: how long files of reports and the content of events are kept, and their removal. */
export { createKeeper, type Keeper } from './keeper.ts';
export { createRetentionJob, getRetention, retentionKind, shortenAct } from './retention.ts';
export { findReportOfReview, removeReportFile, updateLookAgain } from './store-retention.ts';
export { createRetentionService } from './service-retention.ts';
