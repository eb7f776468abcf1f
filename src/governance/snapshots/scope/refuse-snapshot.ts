/** Refusing to take a snapshot, with every reason at once. */
import { AppError, type FieldViolation } from '../../../errors.ts';

/** Refuses, where there is anything, what keeps a snapshot from being taken: FAILED_PRECONDITION with every reason. */
export function refuseSnapshot(violations: readonly FieldViolation[]): void {
  if (violations.length > 0) {
    const message = violations
      .map(({ field, description }) => (field === 'accessReview' ? description : `${field}: ${description}`))
      .slice(0, 5)
      .join('; ');
    throw new AppError('FAILED_PRECONDITION', `The review cannot be previewed or prepared yet: ${message}.`, { violations });
  }
}
