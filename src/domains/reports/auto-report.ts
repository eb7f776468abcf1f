/**
 * Reports that a review asks for by itself (autoGenerateReport): one job per tenant looks for closed reviews that have none. Reviews know
 * nothing of reports, so the look goes this way; how often depends on whether any review under way wants one.
 */
import type { Database } from '../../db/types.ts';
import { enqueueJob, type JobKind } from '../../jobs/index.ts';
import type { Scope } from '../../scope.ts';
import { findTenant, listTenants } from '../tenants/index.ts';
import { createReport } from './request-report.ts';
import { countReviewsAwaitingReport, listReviewsWithoutReport } from './store.ts';

/** The kind of job; its subject is the tenant. */
export const autoReportKind = 'report.auto';

const busyPauseMs = 3_000;
const idlePauseMs = 60_000;

/** Makes a CSV report for each review that waits for one; ends when the tenant is deleted. */
export const autoReportJob: JobKind = {
  // A look that fails is repeated for ever: giving up would silently end all automatic reports.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(scope, job) {
    if ((await findTenant(scope.db, scope.tenantId)) === undefined) {
      return 'finished';
    }
    const due = await listReviewsWithoutReport(scope);
    for (const reviewId of due) {
      await createReport(scope, reviewId, 'CSV');
    }
    const pause = due.length > 0 || (await countReviewsAwaitingReport(scope)) > 0 ? busyPauseMs : idlePauseMs;
    return { cursor: {}, done: job.done + due.length, total: 0, runAt: new Date(scope.now.getTime() + pause) };
  },
};

/** Begins to look after a tenant's reviews; does nothing where that has begun. */
export async function watchTenant(scope: Scope): Promise<void> {
  await enqueueJob(scope.db, { tenantId: scope.tenantId, kind: autoReportKind, subjectId: scope.tenantId }, scope.now);
}

/** The same for every tenant there is; called at start, so that nothing depends on how a tenant came to be. */
export async function watchAllTenants(database: Database, now: Date): Promise<void> {
  for (const tenant of await listTenants(database)) {
    await database.system().transaction((db) => enqueueJob(db, { tenantId: tenant.id, kind: autoReportKind, subjectId: tenant.id }, now));
  }
}
