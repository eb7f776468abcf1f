/**
 * What contradicts itself in a review beside its scope. Such members are stored as they are sent; what they say is refused where it would have
 * to happen: when the review is prepared, or when it starts.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, type FieldViolation } from '../../errors.ts';
import { asObject } from '../../lib/json.ts';
import { textOf } from './document.ts';
import type { ReviewRow } from './store.ts';

/** What keeps a review from being prepared: dates that something waits for and that are not there. */
export function listPrepareViolations(document: JsonObject): FieldViolation[] {
  const missing = (flag: string, date: string, what: string): FieldViolation[] =>
    document[flag] === true && textOf(document, date) === ''
      ? [{ field: `accessReview.${date}`, description: `is missing, and ${flag} ${what} at that date; set it, or turn ${flag} off` }]
      : [];
  return [
    ...missing('autoStartCampaign', 'scheduledStartDate', 'starts the review'),
    ...missing('autoCloseCampaign', 'completionDate', 'closes the review'),
  ];
}

/** What keeps a review from starting now: a due date that has passed, and signatures that nobody could give. */
function listStartViolations(document: JsonObject, now: Date): FieldViolation[] {
  const due = textOf(document, 'completionDate');
  const signatures = asObject(document.signatureConfig);
  const isRequired = signatures.requireSignature === true;
  const say = (field: string, description: string): FieldViolation => ({ field: `accessReview.${field}`, description });
  return [
    ...(due !== '' && new Date(due).getTime() <= now.getTime()
      ? [say('completionDate', `has passed (${due}); set a later one, or none`)]
      : []),
    ...(isRequired
      ? [
          say(
            'signatureConfig.requireSignature',
            'signing is not available yet; turn requireSignature off to start the review without signatures',
          ),
        ]
      : []),
    ...(isRequired && textOf(signatures, 'meaningOfSignature').trim() === ''
      ? [say('signatureConfig.meaningOfSignature', 'is empty, and signatures are required: say what a signature means')]
      : []),
    ...(textOf(signatures, 'stepUpProviderId') === ''
      ? []
      : [say('signatureConfig.stepUpProviderId', 'there is no step-up provider with this id; take it away')]),
  ];
}

/** FAILED_PRECONDITION with everything in the record of a review that keeps it from starting now. */
export function requireStartable(review: ReviewRow, now: Date): void {
  const violations = listStartViolations(review.document, now);
  if (violations.length > 0) {
    const message = violations.map(({ field, description }) => `${field} ${description}`).join('; ');
    throw new AppError('FAILED_PRECONDITION', `The review cannot start: ${message}.`, { violations });
  }
}
