/**
 * What is wrong with the content of a review as such. Ids in it are not looked up: they are stored as sent and checked when the review is
 * previewed or prepared; so are members of scopeV2 that exclude each other.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { AppError, type FieldViolation } from '../../errors.ts';
import { compileExpression } from '../../lib/cel/compile.ts';
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

/** The expressions that choose people and accounts, and where each stands. */
const expressions = { celExpression: 'REVIEW_USERS', accountCelExpression: 'REVIEW_ACCOUNTS' } as const;

function checkExpressions(scope: JsonObject, path: string, found: FieldViolation[]): void {
  for (const [member, environment] of Object.entries(expressions)) {
    if (scope[member] !== undefined) {
      const compiled = compileExpression(String(asObject(scope[member]).expression ?? ''), environment);
      const errors = 'errors' in compiled ? compiled.errors : [];
      found.push(...errors.map(({ message }) => ({ field: `${path}.${member}.expression`, description: message })));
    }
  }
}

/** Most account attributes that reviewers see, as columns and beside a task. */
const maxAttributes = 10;

function listPresentationViolations(document: JsonObject, prefix: string): FieldViolation[] {
  const found: FieldViolation[] = [];
  const say = (field: string, description: string) => found.push({ field: `${prefix}${field}`, description });
  const { columns, orderedColumns } = asObject(document.columnConfig);
  const unspecified = 'ACCESS_REVIEW_TASK_COLUMN_UNSPECIFIED';
  for (const [index, column] of (Array.isArray(columns) ? columns : []).entries()) {
    if (column === unspecified) {
      say(`columnConfig.columns[${index}]`, 'must name a column');
    }
  }
  let attributes = 0;
  for (const [index, entry] of (Array.isArray(orderedColumns) ? orderedColumns : []).entries()) {
    const { builtin, appUserAttributeKey } = asObject(entry);
    attributes += appUserAttributeKey === undefined ? 0 : 1;
    if (builtin === unspecified || (builtin === undefined && String(appUserAttributeKey ?? '').trim() === '')) {
      say(`columnConfig.orderedColumns[${index}]`, 'must name a column, or an attribute of accounts');
    }
  }
  if (attributes > maxAttributes) {
    say('columnConfig.orderedColumns', `must name at most ${maxAttributes} attributes of accounts, not ${attributes}`);
  }
  const { bindings } = asObject(document.reviewerAttributeConfig);
  const list = Array.isArray(bindings) ? bindings : [];
  if (list.length > maxAttributes) {
    say('reviewerAttributeConfig.bindings', `must name at most ${maxAttributes} attributes of accounts, not ${list.length}`);
  }
  for (const [index, entry] of list.entries()) {
    for (const member of ['appId', 'attributeKey']) {
      if (String(asObject(entry)[member] ?? '').trim() === '') {
        say(`reviewerAttributeConfig.bindings[${index}].${member}`, 'must not be empty');
      }
    }
  }
  const tspUrl = String(asObject(document.signatureConfig).tspUrl ?? '');
  if (tspUrl !== '' && !isHttps(tspUrl)) {
    say('signatureConfig.tspUrl', 'must be the https address of a time-stamping authority');
  }
  return found;
}

function isHttps(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:';
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
    // Clients that write back what they read send '' for none.
    if (typeof value === 'string' && value !== '' && !dayCountForm.test(value)) {
      found.push({
        field: `${prefix}scopeV2.grantsByCriteria.${member}`,
        description: 'must be a number of days such as "90" or of seconds such as "7776000s"',
      });
    }
  }
  checkExpressions(asObject(document.scopeV2), `${prefix}scopeV2`, found);
  found.push(...listPresentationViolations(document, prefix));
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
