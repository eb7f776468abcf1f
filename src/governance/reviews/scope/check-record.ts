/**
 * Contradicting members of a review beside its scope. Such members are stored as they are sent; what they say is refused where it would have to
 * happen: when the review is prepared, or when it starts.
 */
import { AppError, type FieldViolation } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { findTermsProblems } from '../../../foundation/signatures/index.ts';
import { findSignatureTerms, type ReviewRow, type ReviewSettings } from '../record/index.ts';

/** Lists what keeps a review from being prepared: dates that something waits for and that are not there. */
export function listPrepareViolations(document: ReviewSettings): FieldViolation[] {
  const missing = (
    flag: 'autoStartCampaign' | 'autoCloseCampaign',
    date: 'scheduledStartDate' | 'completionDate',
    what: string,
  ): FieldViolation[] =>
    document[flag] === true && (document[date] ?? '') === ''
      ? [{ field: `accessReview.${date}`, description: `is missing, and ${flag} ${what} at that date; set it, or turn ${flag} off` }]
      : [];
  return [
    ...missing('autoStartCampaign', 'scheduledStartDate', 'starts the review'),
    ...missing('autoCloseCampaign', 'completionDate', 'closes the review'),
  ];
}

const say = (field: string, description: string): FieldViolation => ({ field: `accessReview.${field}`, description });

/** Lists what keeps the signatures that a review asks for from being given. */
async function listSignatureViolations(context: Context, document: ReviewSettings): Promise<FieldViolation[]> {
  const terms = findSignatureTerms(document);
  const problems = terms === undefined ? [] : await findTermsProblems(context, terms);
  return problems.map(({ field, description }) => say(`signatureConfig.${field}`, description));
}

/**
 * Warns before a review starts of what would keep it from that, and of what it says about signatures and does not ask for: without
 * `requireSignature` nothing is signed.
 */
export async function listSignatureWarnings(context: Context, { document }: Pick<ReviewRow, 'document'>): Promise<string[]> {
  const { requireSignature = false, meaningOfSignature, stepUpProviderId, tspUrl } = document.signatureConfig ?? {};
  if (requireSignature) {
    return (await listSignatureViolations(context, document)).map(
      ({ field, description }) => `The review cannot start as it is: ${field} ${description}.`,
    );
  }
  const idle = Object.entries({ meaningOfSignature, stepUpProviderId, tspUrl }).flatMap(([field, value = '']) =>
    value === '' ? [] : [field],
  );
  return idle.length === 0
    ? []
    : [
        `Nothing is signed, since signatureConfig.requireSignature is false: ${idle.join(', ')} of signatureConfig ${idle.length === 1 ? 'does' : 'do'} nothing.`,
      ];
}

/** Lists what keeps a review from starting now: a due date that has passed, and signatures that nobody could give. */
async function listStartViolations(context: Context, document: ReviewSettings): Promise<FieldViolation[]> {
  const { now } = context;
  const due = document.completionDate ?? '';
  return [
    ...(due !== '' && new Date(due).getTime() <= now.getTime()
      ? [say('completionDate', `has passed (${due}); set a later one, or none`)]
      : []),
    ...(await listSignatureViolations(context, document)),
  ];
}

/** FAILED_PRECONDITION with everything in the record of a review that keeps it from starting now. */
export async function requireStartable(context: Context, review: ReviewRow): Promise<void> {
  const violations = await listStartViolations(context, review.document);
  if (violations.length > 0) {
    const message = violations.map(({ field, description }) => `${field} ${description}`).join('; ');
    throw new AppError('FAILED_PRECONDITION', `The review cannot start: ${message}.`, { violations });
  }
}
