/** Asking for a bundle and reading which there are: whoever may read a review's reports may, once it is closed. */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { createReport, findReport, listReports, type ReportRow } from '../reports/index.ts';
import { requireEvidence } from '../../governance/reviews/index.ts';
import { listVerdicts } from '../../governance/snapshots/index.ts';
import { buildBundleKind } from './build-bundle.ts';
import { requireOneEpoch } from './log-place.ts';

/** Puts a bundle into the queue and returns it. FAILED_PRECONDITION for one that is not closed, was prepared under 0.2, or that the log was restarted under. */
export async function requestBundle(context: Context, reviewId: string): Promise<ReportRow> {
  const review = await requireEvidence(context, reviewId, 'have evidence made of it');
  if (review.state !== 'CLOSED') {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The access review is ${review.state}: evidence is made of a review that is CLOSED, since until then its decisions may change.`,
    );
  }
  if ((await listVerdicts(context, review.id)).length === 0) {
    throw new AppError(
      'FAILED_PRECONDITION',
      'The access review was prepared under Countersign 0.2, which kept no verdicts, sources and commitments with it: a bundle of it could not be verified, so none is made. Its reports, and proofs of its events (`countersign log prove`), remain.',
    );
  }
  await requireOneEpoch(context, review.id);
  return inTransaction(context, async (inside) => {
    const id = await createReport(inside, review.id, 'BUNDLE', [], buildBundleKind);
    const report = await findReport(inside, id);
    if (report === undefined) {
      throw new AppError('INTERNAL', 'Something went wrong on our side.', { detail: `the bundle ${id} is not there` });
    }
    return report;
  });
}

/** A page of a review's bundles, newest first, one more than `limit` where there are more. */
export async function listBundles(context: Context, reviewId: string, before: string | undefined, limit: number): Promise<ReportRow[]> {
  const review = await requireEvidence(context, reviewId, 'read its evidence');
  return listReports(context, { reviewId: review.id, formats: ['BUNDLE'] }, before, limit);
}
