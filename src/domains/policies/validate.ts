/**
 * What is wrong with a policy as such. Ids in it are not looked up: they are stored as sent and checked when a review is previewed or
 * prepared.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, type FieldViolation } from '../../errors.ts';
import { asList, asObject } from '../../lib/json.ts';
import { appOwnersFallback, approverKinds, certifySteps, certifyType, fallbackAnnotation, memberOf, stepKinds } from './document.ts';

/** Longest texts and lists, in characters and entries. */
const limits = { displayName: 1_000, description: 100_000, steps: 100, rules: 100, ids: 10_000 };

function checkApproval(approval: JsonObject, at: string, found: FieldViolation[]): void {
  const kind = memberOf(approval, approverKinds);
  if (kind === undefined) {
    found.push({ field: at, description: `must name who approves, as one of ${approverKinds.join(', ')}` });
    return;
  }
  const approver = asObject(approval[kind]);
  if (kind === 'users' && asList(approver.userIds).length === 0) {
    found.push({ field: `${at}.users.userIds`, description: 'must name at least one person' });
  }
  for (const [holder, path, member] of [
    [approval, at, 'allowedReassignees'],
    [approver, `${at}.${kind}`, 'userIds'],
    [approver, `${at}.${kind}`, 'fallbackUserIds'],
  ] as const) {
    if (asList(holder[member]).length > limits.ids) {
      found.push({ field: `${path}.${member}`, description: `must have at most ${limits.ids} entries` });
    }
  }
}

function checkSteps(policySteps: JsonObject, found: FieldViolation[], prefix: string): void {
  for (const [key, value] of Object.entries(policySteps)) {
    const steps = asList(asObject(value).steps);
    if (steps.length > limits.steps) {
      found.push({ field: `${prefix}policySteps.${key}.steps`, description: `must have at most ${limits.steps} steps` });
    }
    steps.forEach((step, index) => {
      const at = `${prefix}policySteps.${key}.steps[${index}]`;
      const kind = memberOf(asObject(step), stepKinds);
      if (kind === undefined) {
        found.push({ field: at, description: `must be a step: one of ${stepKinds.join(', ')}` });
      } else if (kind === 'approval') {
        checkApproval(asObject(asObject(step).approval), `${at}.approval`, found);
      }
    });
  }
}

function checkRules(document: JsonObject, found: FieldViolation[], prefix: string): void {
  const rules = asList(document.rules);
  if (rules.length > limits.rules) {
    found.push({ field: `${prefix}rules`, description: `must have at most ${limits.rules} rules` });
  }
  const steps = asObject(document.policySteps);
  rules.map(asObject).forEach((rule, index) => {
    const key = rule.stepKey ?? (rule.policyKey === '' ? undefined : rule.policyKey);
    if (typeof key === 'string' && key !== '' && !(key in steps)) {
      found.push({ field: `${prefix}rules[${index}]`, description: `policySteps has no entry ${JSON.stringify(key.slice(0, 64))}` });
    }
  });
}

/**
 * Refuses a policy (in canonical form) with every violation at once; `prefix` stands before their paths.
 * `builtin`: one that a tenant starts with may not be left without steps.
 */
export function requireValidPolicy(document: JsonObject, prefix: string, builtin: boolean): void {
  const found: FieldViolation[] = [];
  const displayName = String(document.displayName ?? '');
  if (displayName === '') {
    found.push({ field: `${prefix}displayName`, description: 'must not be empty' });
  } else if (displayName.length > limits.displayName) {
    found.push({ field: `${prefix}displayName`, description: `must have at most ${limits.displayName} characters` });
  }
  if (String(document.description ?? '').length > limits.description) {
    found.push({ field: `${prefix}description`, description: `must have at most ${limits.description} characters` });
  }
  if (document.policyType === undefined || document.policyType === 'POLICY_TYPE_UNSPECIFIED') {
    found.push({ field: `${prefix}policyType`, description: 'must be given' });
  }
  checkSteps(asObject(document.policySteps), found, prefix);
  checkRules(document, found, prefix);
  const fallback = asObject(document.annotations)[fallbackAnnotation];
  if (fallback !== undefined && fallback !== appOwnersFallback) {
    found.push({ field: `${prefix}annotations`, description: `${fallbackAnnotation} can only be ${JSON.stringify(appOwnersFallback)}` });
  }
  if (builtin && document.policyType === certifyType && certifySteps(document).length === 0) {
    found.push({ field: `${prefix}policySteps`, description: 'the policy a tenant starts with cannot be left without steps' });
  }
  if (found.length > 0) {
    throw new AppError('INVALID_ARGUMENT', found.map((violation) => `${violation.field}: ${violation.description}`).join('; '), {
      violations: found,
    });
  }
}
