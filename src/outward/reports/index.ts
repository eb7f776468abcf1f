/** The public interface of the module reports: its services, its jobs, and the files behind signed links. */
import type { JobKind } from '../../jobs/index.ts';
import { autoReportJob, autoReportKind } from './auto-report.ts';
import { buildReportJob, buildReportKind } from './build-report.ts';

export { autoReportKind } from './auto-report.ts';
export { makeSummary } from './build-report.ts';
export { openAllReports, openReport } from './download-report.ts';
export { failReport, finishReport } from './finish-report.ts';
export { createReport } from './request-report.ts';
export {
  createKeeper,
  createRetentionJob,
  createRetentionService,
  findReportOfReview,
  getRetention,
  type Keeper,
  removeReportFile,
  retentionKind,
  shortenAct,
  updateLookAgain,
} from './retention/index.ts';
export { services } from './service.ts';
export { reportPath } from './links/index.ts';
export { findChunk, findReport, insertChunk, listReports, removeChunks, type ReportRow } from './store.ts';
export { withLinks } from './view.ts';

/** The background work of reports, by kind. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([
  [buildReportKind, buildReportJob],
  [autoReportKind, autoReportJob],
]);
