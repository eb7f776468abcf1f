/**
 * Reports that a review asks for by itself (autoGenerateReport): one job per tenant looks for closed reviews that have none. Reviews know
 * nothing of reports, so the look goes this way; how often depends on whether any review under way wants one.
 */
import type { Database } from '../../db/types.ts';
import { enqueueJob, type JobKind } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
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
  async handler(context, job) {
    if ((await findTenant(context.db, context.tenantId)) === undefined) {
      return 'finished';
    }
    const due = await listReviewsWithoutReport(context);
    for (const reviewId of due) {
      await createReport(context, reviewId, 'CSV');
    }
    const pause = due.length > 0 || (await countReviewsAwaitingReport(context)) > 0 ? busyPauseMs : idlePauseMs;
    return { cursor: {}, done: job.done + due.length, total: 0, runAt: new Date(context.now.getTime() + pause) };
  },
};

/** Begins to look after a tenant's reviews; does nothing where that has begun. */
export async function watchTenant(context: Context): Promise<void> {
  await enqueueJob(context.db, { tenantId: context.tenantId, kind: autoReportKind, subjectId: context.tenantId }, context.now);
}

/** The same for every tenant there is; called at start, so that nothing depends on how a tenant came to be. */
export async function watchAllTenants(database: Database, now: Date): Promise<void> {
  for (const tenant of await listTenants(database)) {
    await database.system().transaction((db) => enqueueJob(db, { tenantId: tenant.id, kind: autoReportKind, subjectId: tenant.id }, now));
  }
}
