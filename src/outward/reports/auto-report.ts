/**
 * The report that a review asks for by itself (autoGenerateReport): a job that the event of its close calls for. Reviews know nothing of reports.
 */
import type { JobKind } from '../../jobs/index.ts';
import { findReview } from '../../governance/reviews/index.ts';
import { createReport } from './request-report.ts';
import { countAutomaticReports } from './store.ts';

/** The kind of job; its subject is the review. */
export const autoReportKind = 'report.at-close';

/** Makes a CSV report of a closed review that asks for one and has none yet. */
export const autoReportJob: JobKind = {
  // Giving up would silently leave the review without what it asks for.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const review = await findReview(context, job.subjectId);
    const isWanted = review?.state === 'CLOSED' && review.document.autoGenerateReport === true;
    if (isWanted && (await countAutomaticReports(context, review.id)) === 0) {
      await createReport(context, review.id, 'CSV');
    }
    return 'finished';
  },
};
