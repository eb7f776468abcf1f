/** Checks of a policy as such. Other policies that it names are looked up in references.ts; ids of people and groups are stored as sent. */
import type { ApprovalJson, EscalationJson, PolicyJson, WaitJson } from '../../gen/c1/api/policy/v1/policy_pb.js';
import { type FieldViolation, refuseInvalid } from '../../errors.ts';
import { isTimeZone } from '../../lib/wall-time.ts';
import {
  appOwnersFallback,
  type ApproverJson,
  approverKinds,
  certifySteps,
  certifyType,
  escalationKinds,
  fallbackAnnotation,
  keyOfType,
  findMember,
  stepKinds,
  waitKinds,
} from './document.ts';
import { expressionProblems, stepExpressionProblems } from './expressions.ts';

/** Longest texts and lists, in characters and entries. */
const limits = { displayName: 1_000, description: 100_000, steps: 100, rules: 16, ids: 10_000 };

function checkApproval(approval: ApprovalJson, at: string, found: FieldViolation[]): void {
  const kind = findMember(approval, approverKinds);
  if (kind === undefined) {
    found.push({ field: at, description: `must name who approves, as one of ${approverKinds.join(', ')}` });
    return;
  }
  const approver: ApproverJson = approval[kind] ?? {};
  if (kind === 'users' && (approver.userIds ?? []).length === 0) {
    found.push({ field: `${at}.users.userIds`, description: 'must name at least one person' });
  }
  for (const [field, ids = []] of [
    [`${at}.allowedReassignees`, approval.allowedReassignees],
    [`${at}.${kind}.userIds`, approver.userIds],
    [`${at}.${kind}.fallbackUserIds`, approver.fallbackUserIds],
  ] as const) {
    if (ids.length > limits.ids) {
      found.push({ field, description: `must have at most ${limits.ids} entries` });
    }
  }
}

const hour = 3_600;
const month = 30 * 86_400;
const secondsOf = (duration = '0'): number => Number.parseFloat(duration);

function checkDuration(duration: string | undefined, field: string, found: FieldViolation[]): void {
  const seconds = secondsOf(duration);
  if (!(seconds >= hour && seconds <= month)) {
    found.push({ field, description: `must last from one hour ("${hour}s") to 30 days ("${month}s")` });
  }
}

function checkWait(wait: WaitJson, at: string, found: FieldViolation[]): void {
  if (secondsOf(wait.timeoutDuration) !== 0) {
    checkDuration(wait.timeoutDuration, `${at}.timeoutDuration`, found);
  }
  const { condition, duration, untilTime } = wait;
  if (duration !== undefined) {
    checkDuration(duration.duration, `${at}.duration.duration`, found);
  } else if (untilTime !== undefined) {
    const { hours = 0, minutes = 0, timezone = '' } = untilTime;
    if (hours > 23 || minutes > 59) {
      found.push({ field: `${at}.untilTime`, description: 'must be a time of the day: hours up to 23, minutes up to 59' });
    }
    if (timezone !== '' && !isTimeZone(timezone)) {
      found.push({ field: `${at}.untilTime.timezone`, description: 'must be the name of a time zone, such as Europe/Berlin' });
    }
  } else if (condition === undefined) {
    found.push({ field: at, description: `must say what it waits for: one of ${waitKinds.join(', ')}` });
  }
}

function checkEscalation(escalation: EscalationJson, at: string, found: FieldViolation[]): void {
  const how = findMember(escalation, escalationKinds);
  if (!(Number(escalation.expiration ?? 0) >= 60)) {
    found.push({ field: `${at}.expiration`, description: 'must be at least 60: the seconds after which the step is escalated' });
  }
  if (how === undefined) {
    found.push({ field: at, description: `must say what happens then: one of ${escalationKinds.join(', ')}` });
  } else if (how === 'replacePolicy' && escalation.replacePolicy?.policyId === '') {
    found.push({ field: `${at}.replacePolicy.policyId`, description: 'must name a policy' });
  } else if (how === 'reassignToApprovers' && (escalation.reassignToApprovers?.approverIds ?? []).length === 0) {
    found.push({ field: `${at}.reassignToApprovers.approverIds`, description: 'must name at least one person' });
  }
}

function checkSteps(policySteps: NonNullable<PolicyJson['policySteps']>, found: FieldViolation[], prefix: string): void {
  for (const [key, { steps = [] }] of Object.entries(policySteps)) {
    if (steps.length > limits.steps) {
      found.push({ field: `${prefix}policySteps.${key}.steps`, description: `must have at most ${limits.steps} steps` });
    }
    steps.forEach((step, index) => {
      const at = `${prefix}policySteps.${key}.steps[${index}]`;
      const { approval, wait } = step;
      if (findMember(step, stepKinds) === undefined) {
        found.push({ field: at, description: `must be a step: one of ${stepKinds.join(', ')}` });
      } else if (approval !== undefined) {
        checkApproval(approval, `${at}.approval`, found);
        if (approval.escalationEnabled === true) {
          checkEscalation(approval.escalation ?? {}, `${at}.approval.escalation`, found);
        }
      } else if (wait !== undefined) {
        checkWait(wait, `${at}.wait`, found);
      }
      found.push(...stepExpressionProblems(step, at));
    });
  }
}

function checkRules({ rules = [], policySteps = {} }: PolicyJson, found: FieldViolation[], prefix: string): void {
  if (rules.length > limits.rules) {
    found.push({ field: `${prefix}rules`, description: `must have at most ${limits.rules} rules` });
  }
  rules.forEach(({ stepKey = '', policyKey = '', policyId = '', condition = '' }, index) => {
    const at = `${prefix}rules[${index}]`;
    const say = (description: string) => found.push({ field: at, description });
    const key = stepKey || policyKey;
    if (condition.trim() === '') {
      found.push({ field: `${at}.condition`, description: 'must not be empty' });
    } else {
      found.push(...expressionProblems(condition, 'POLICY_CONDITION', `${at}.condition`));
    }
    if (stepKey !== '' && policyKey !== '' && stepKey !== policyKey) {
      say('stepKey and policyKey name different steps: give one of them');
    } else if (key !== '' && policyId !== '') {
      say('has two outcomes, steps (stepKey) and another policy (policyId): give one of them');
    } else if (key === '' && policyId === '') {
      say('has no outcome: give steps (stepKey) or another policy (policyId)');
    } else if (key !== '' && !Object.hasOwn(policySteps, key)) {
      say(`policySteps has no entry ${JSON.stringify(key.slice(0, 64))}`);
    }
  });
}

function checkBaseline(document: PolicyJson, found: FieldViolation[], prefix: string): void {
  const key = keyOfType(document.policyType);
  if (key in (document.policySteps ?? {}) && (document.baselinePolicyId ?? '') !== '') {
    found.push({
      field: `${prefix}baselinePolicyId`,
      description: `names another policy as the baseline, and so does policySteps.${key} with steps: give one of them`,
    });
  }
}

/** True if a policy has a step under any key, or builds on one that may have. */
export function hasSteps({ policySteps = {}, baselinePolicyId = '' }: PolicyJson): boolean {
  return Object.values(policySteps).some(({ steps = [] }) => steps.length > 0) || baselinePolicyId !== '';
}

/**
 * Checks a policy (in canonical form) as such; `prefix` stands before the paths. A policy for reviews has a step, unless it `mayLackSteps`: one
 * that never had any can still be renamed. `builtin`: one that a tenant starts with keeps steps for reviews.
 */
export function checkPolicy(document: PolicyJson, prefix: string, { builtin = false, mayLackSteps = false } = {}): FieldViolation[] {
  const found: FieldViolation[] = [];
  const { displayName = '', description = '', policySteps = {}, annotations = {} } = document;
  if (displayName === '') {
    found.push({ field: `${prefix}displayName`, description: 'must not be empty' });
  } else if (displayName.length > limits.displayName) {
    found.push({ field: `${prefix}displayName`, description: `must have at most ${limits.displayName} characters` });
  }
  if (description.length > limits.description) {
    found.push({ field: `${prefix}description`, description: `must have at most ${limits.description} characters` });
  }
  if (document.policyType === undefined || document.policyType === 'POLICY_TYPE_UNSPECIFIED') {
    found.push({ field: `${prefix}policyType`, description: 'must be given' });
  }
  checkSteps(policySteps, found, prefix);
  checkBaseline(document, found, prefix);
  checkRules(document, found, prefix);
  const fallback = annotations[fallbackAnnotation];
  if (fallback !== undefined && fallback !== appOwnersFallback) {
    found.push({ field: `${prefix}annotations`, description: `${fallbackAnnotation} can only be ${JSON.stringify(appOwnersFallback)}` });
  }
  if (builtin && document.policyType === certifyType && certifySteps(document).length === 0) {
    found.push({ field: `${prefix}policySteps`, description: 'the policy a tenant starts with cannot be left without steps' });
  } else if (!mayLackSteps && document.policyType === certifyType && !hasSteps(document)) {
    const missing = 'must have a step, such as {"certify": {"steps": [...]}}: a review by a policy without one would ask nobody';
    found.push({ field: `${prefix}policySteps`, description: missing });
  }
  return found;
}

/** Refuses a policy with everything that is wrong with it. */
export function refusePolicy(found: readonly FieldViolation[]): void {
  refuseInvalid(found);
}
