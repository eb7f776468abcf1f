/** Trying the time stamp server of a review out before it is open: what it lacks would be found by whoever signs, behind all their decisions. */
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { type Signing, tryTimeStampServer } from '../../../foundation/signatures/index.ts';
import { findSignatureTerms, type ReviewRow } from '../record/index.ts';

/**
 * Warns of a time stamp server that gives no time stamp now, and asks nobody where the review names none. Takes 10 s at most, so no transaction may
 * be open.
 */
export async function listTimeStampWarnings(context: Context, { document }: ReviewRow, signing: Signing): Promise<string[]> {
  const problem = await findProblem(context, document, signing);
  return problem === undefined ? [] : [problem.warning];
}

/**
 * Does the same for a review that is to be started. FAILED_PRECONDITION for what stays until somebody changes something: the terms cannot be changed
 * once the review is open.
 */
export async function requireTimeStamps(context: Context, review: ReviewRow, signing: Signing): Promise<string[]> {
  // In other states it runs already or cannot start; without roots the start names this beside all else that is wrong.
  if ((review.state !== 'REVIEW' && review.state !== 'PENDING') || context.db.vault.timeStamps.pem === '') {
    return [];
  }
  const problem = await findProblem(context, review.document, signing);
  if (problem !== undefined && !problem.mayPass) {
    const field = 'accessReview.signatureConfig.tspUrl';
    const violations = [{ field, description: problem.sentence }];
    throw new AppError('FAILED_PRECONDITION', `The review cannot start: ${field}: ${problem.sentence}`, { violations });
  }
  return problem === undefined ? [] : [problem.warning];
}

async function findProblem(context: Context, document: ReviewRow['document'], signing: Signing) {
  const tspUrl = findSignatureTerms(document)?.tspUrl ?? '';
  const tried = tspUrl === '' ? undefined : await tryTimeStampServer(context, tspUrl, signing);
  return tried === undefined || 'stamp' in tried
    ? undefined
    : {
        mayPass: tried.mayPass,
        sentence: tried.problem,
        warning: `${tried.problem} Nobody can sign in this review until it gives time stamps.`,
      };
}
