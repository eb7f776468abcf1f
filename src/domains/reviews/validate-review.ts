/**
 * What is wrong with the content of a review as such. Ids in it are not looked up: they are stored as sent and checked when the review is
 * previewed or prepared; so are members of scopeV2 that exclude each other.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { AppError, type FieldViolation } from '../../errors.ts';
import { asObject } from '../../lib/json.ts';

/** Longest lists, in entries. */
export const maxListLength = 10_000;

/** Longest texts, in UTF-16 code units; all others are bound by the size of a request. */
const maxTextLengths: Readonly<Record<string, number>> = {
  displayName: 1_000,
  description: 100_000,
  reviewInstructions: 100_000,
};

const dayCounts = ['daysSinceAdded', 'daysSinceLastUsed', 'daysSinceReviewed'] as const;

/** Days ("90") or seconds ("7776000s"). */
const dayCountForm = /^\d{1,10}s?$/;

function checkLists(value: JsonValue | undefined, path: string, found: FieldViolation[]): void {
  if (Array.isArray(value)) {
    if (value.length > maxListLength) {
      found.push({ field: path, description: `must have at most ${maxListLength} entries, not ${value.length}` });
      return;
    }
    for (const [index, item] of value.entries()) {
      checkLists(item, `${path}[${index}]`, found);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [member, item] of Object.entries(value)) {
      checkLists(item, path === '' || path.endsWith('.') ? `${path}${member}` : `${path}.${member}`, found);
    }
  }
}

/** Everything that is wrong with a review's document (canonical form); `prefix` stands before the paths. */
export function listViolations(document: JsonObject, prefix: string): FieldViolation[] {
  const found: FieldViolation[] = [];
  if (document.displayName === '') {
    found.push({ field: `${prefix}displayName`, description: 'must not be empty' });
  }
  for (const [member, limit] of Object.entries(maxTextLengths)) {
    const length = String(document[member] ?? '').length;
    if (length > limit) {
      found.push({ field: `${prefix}${member}`, description: `must have at most ${limit} characters, not ${length}` });
    }
  }
  const criteria = asObject(asObject(document.scopeV2).grantsByCriteria);
  for (const member of dayCounts) {
    const value = criteria[member];
    if (typeof value === 'string' && !dayCountForm.test(value)) {
      found.push({
        field: `${prefix}scopeV2.grantsByCriteria.${member}`,
        description: 'must be a number of days such as "90" or of seconds such as "7776000s"',
      });
    }
  }
  checkLists(document, prefix, found);
  return found;
}

/** INVALID_ARGUMENT with these violations, where there are any. */
export function refuseViolations(violations: readonly FieldViolation[]): void {
  if (violations.length > 0) {
    const message = violations.map((violation) => `${violation.field}: ${violation.description}`).join('; ');
    throw new AppError('INVALID_ARGUMENT', message, { violations });
  }
}
