/**
 * Checks the content of a review as such. Ids in it are not looked up: they are stored as sent and checked when the review is previewed or
 * prepared; so are members of scopeV2 that exclude each other.
 */
import type { JsonValue } from '@bufbuild/protobuf';
import { type FieldViolation, refuseInvalid } from '../../../errors.ts';
import { compileExpression } from '../../../lib/cel/compile.ts';
import { findUrlProblem } from '../../../lib/outgoing.ts';
import { hasHiddenControl } from '../../../lib/names/visible-text.ts';
import type { AccessReviewScopeV2Json } from '../../../gen/c1/api/accessreview/v1/scope_pb.js';
import { members, type ReviewMember, type ReviewSettings } from './members.ts';

/** Longest lists, in entries. */
export const maxListLength = 10_000;

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

function checkExpressions(scope: AccessReviewScopeV2Json, path: string, found: FieldViolation[]): void {
  for (const member of Object.keys(expressions) as (keyof typeof expressions)[]) {
    const chosen = scope[member];
    if (chosen !== undefined) {
      const compiled = compileExpression(chosen.expression ?? '', expressions[member]);
      const errors = 'errors' in compiled ? compiled.errors : [];
      found.push(...errors.map(({ message }) => ({ field: `${path}.${member}.expression`, description: message })));
    }
  }
}

/** Longest meaning of a signature, in characters: each record that is signed repeats it. */
const maxMeaningLength = 1_000;

type SignatureConfig = NonNullable<ReviewSettings['signatureConfig']>;

/** Most account attributes that reviewers see, as columns and beside a task. */
const maxAttributes = 10;

function listPresentationViolations(document: ReviewSettings, prefix: string): FieldViolation[] {
  const found: FieldViolation[] = [];
  const say = (field: string, description: string) => found.push({ field: `${prefix}${field}`, description });
  const { columns = [], orderedColumns = [] } = document.columnConfig ?? {};
  const unspecified = 'ACCESS_REVIEW_TASK_COLUMN_UNSPECIFIED';
  for (const [index, column] of columns.entries()) {
    if (column === unspecified) {
      say(`columnConfig.columns[${index}]`, 'must name a column');
    }
  }
  let attributes = 0;
  for (const [index, { builtin, appUserAttributeKey }] of orderedColumns.entries()) {
    attributes += appUserAttributeKey === undefined ? 0 : 1;
    if (builtin === unspecified || (builtin === undefined && (appUserAttributeKey ?? '').trim() === '')) {
      say(`columnConfig.orderedColumns[${index}]`, 'must name a column, or an attribute of accounts');
    }
  }
  if (attributes > maxAttributes) {
    say('columnConfig.orderedColumns', `must name at most ${maxAttributes} attributes of accounts, not ${attributes}`);
  }
  const bindings = document.reviewerAttributeConfig?.bindings ?? [];
  if (bindings.length > maxAttributes) {
    say('reviewerAttributeConfig.bindings', `must name at most ${maxAttributes} attributes of accounts, not ${bindings.length}`);
  }
  for (const [index, binding] of bindings.entries()) {
    for (const member of ['appId', 'attributeKey'] as const) {
      if ((binding[member] ?? '').trim() === '') {
        say(`reviewerAttributeConfig.bindings[${index}].${member}`, 'must not be empty');
      }
    }
  }
  return [...found, ...listSignatureViolations(document.signatureConfig ?? {}, `${prefix}signatureConfig.`)];
}

function listSignatureViolations({ tspUrl = '', meaningOfSignature = '' }: SignatureConfig, prefix: string): FieldViolation[] {
  const found: FieldViolation[] = [];
  const say = (field: string, description: string) => found.push({ field: `${prefix}${field}`, description });
  if (meaningOfSignature.length > maxMeaningLength) {
    say('meaningOfSignature', `must have at most ${maxMeaningLength} characters, not ${meaningOfSignature.length}`);
  }
  // Whoever signs reads it, and it has to read as it is signed.
  if (hasHiddenControl(meaningOfSignature.replace(/[\t\r\n]/g, ''))) {
    say('meaningOfSignature', 'must not have control characters, or marks that turn the direction of writing');
  }
  const urlProblem = tspUrl === '' ? undefined : findUrlProblem(tspUrl);
  if (urlProblem !== undefined) {
    say('tspUrl', urlProblem);
  }
  return found;
}

/** Everything that is wrong with a review's document (canonical form); `prefix` stands before the paths. */
export function listViolations(document: ReviewSettings, prefix: string): FieldViolation[] {
  const found: FieldViolation[] = [];
  if (document.displayName === '') {
    found.push({ field: `${prefix}displayName`, description: 'must not be empty' });
  }
  for (const [member, { maximum }] of Object.entries(members)) {
    const length = maximum === null ? 0 : String(document[member as ReviewMember] ?? '').length;
    if (maximum !== null && length > maximum) {
      found.push({ field: `${prefix}${member}`, description: `must have at most ${maximum} characters, not ${length}` });
    }
  }
  const criteria = document.scopeV2?.grantsByCriteria;
  for (const member of dayCounts) {
    const value = criteria?.[member];
    // Clients that write back what they read send '' for none.
    if (value !== undefined && value !== '' && !dayCountForm.test(value)) {
      found.push({
        field: `${prefix}scopeV2.grantsByCriteria.${member}`,
        description: 'must be a number of days such as "90" or of seconds such as "7776000s"',
      });
    }
  }
  checkExpressions(document.scopeV2 ?? {}, `${prefix}scopeV2`, found);
  found.push(...listPresentationViolations(document, prefix));
  checkLists(document, prefix, found);
  return found;
}

/** INVALID_ARGUMENT with these violations, where there are any. */
export function refuseViolations(violations: readonly FieldViolation[]): void {
  refuseInvalid(violations);
}
