/** The public interface of the module reports: its services, its jobs, and the files behind signed links. */
import type { JobKind } from '../../jobs/index.ts';
import { autoReportJob, autoReportKind } from './auto-report.ts';
import { buildReportJob, buildReportKind } from './build-report.ts';

export { autoReportKind } from './auto-report.ts';
export { openReport } from './download-report.ts';
export { createKeeper, type Keeper } from './keeper.ts';
export { createRetentionJob, retentionKind } from './retention.ts';
export { services } from './service.ts';
export { createRetentionService } from './service-retention.ts';
export { reportPath } from './sign-link.ts';

/** The background work of reports, by kind. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map([
  [buildReportKind, buildReportJob],
  [autoReportKind, autoReportJob],
]);
