/** Words for what steps do. */
import { type PlainTextKey, text } from '~/text/text.ts';
import {
  type Approver,
  readApprover,
  type EscalationKind,
  stepKind,
  approverParts,
  type PolicyKind,
  removers,
  type Step,
  type StepKind,
  type WaitKind,
} from './types.ts';

const asks: Readonly<Record<Approver, PlainTextKey>> = {
  manager: 'policies.asksManager',
  appOwners: 'policies.asksAppOwners',
  entitlementOwners: 'policies.asksEntitlementOwners',
  resourceOwners: 'policies.asksResourceOwners',
  self: 'policies.asksSelf',
  users: 'policies.asksUsers',
  group: 'policies.asksGroup',
  expression: 'policies.asksExpression',
  agent: 'policies.asksOther',
  webhook: 'policies.asksOther',
};

/** Names the approver, such as "The person's manager". */
export function approverWords(kind: Approver): string {
  return text(asks[kind]);
}

/** Approvals are said by whom they ask. */
const stepTexts: Readonly<Record<StepKind | 'other', PlainTextKey>> = {
  approval: 'policies.stepOther',
  accept: 'policies.stepAccept',
  reject: 'policies.stepReject',
  wait: 'policies.stepWait',
  provision: 'policies.stepProvision',
  other: 'policies.stepOther',
};

/** One step. */
export function oneStep(step: Step): string {
  const kind = stepKind(step);
  if (kind === 'approval' && step.approval !== undefined) {
    const count = approverParts(step.approval).userIds?.length ?? 0;
    const approver = readApprover(step.approval);
    return approver === 'users' ? text('policies.asksUsersCount', { count }) : approverWords(approver);
  }
  const manual = step.provision?.provisionPolicy?.manual;
  if (manual !== undefined) {
    const remover = removers.find((one) => manual.assignee?.[one] !== undefined) ?? 'appOwners';
    return text('policies.stepRemove', { who: approverWords(remover) });
  }
  return text(stepTexts[kind]);
}

const kinds: Readonly<Record<StepKind, PlainTextKey>> = {
  approval: 'policies.kindApproval',
  accept: 'policies.kindAccept',
  reject: 'policies.kindReject',
  wait: 'policies.kindWait',
  provision: 'policies.kindProvision',
};

/** The kind of a step that the form makes. */
export function stepKindWords(kind: StepKind): string {
  return text(kinds[kind]);
}

const escalations: Readonly<Record<EscalationKind, readonly [PlainTextKey, PlainTextKey]>> = {
  skipStep: ['policies.escalateSkip', 'policies.escalateSkipHint'],
  reassignToApprovers: ['policies.escalateReassign', 'policies.escalateReassignHint'],
  replacePolicy: ['policies.escalatePolicy', 'policies.escalatePolicyHint'],
  cancelTicket: ['policies.escalateEnd', 'policies.escalateEndHint'],
};

/** Names an escalation. */
export function escalationWords(kind: EscalationKind): string {
  return text(escalations[kind][0]);
}

/** Names its effect on the item. */
export function escalationHint(kind: EscalationKind): string {
  return text(escalations[kind][1]);
}

const waits: Readonly<Record<WaitKind, PlainTextKey>> = {
  duration: 'policies.waitDuration',
  untilTime: 'policies.waitUntilTime',
  condition: 'policies.waitUntilCondition',
};

/** Names a wait's end. */
export function waitWords(kind: WaitKind): string {
  return text(waits[kind]);
}

/** Names a policy's use. */
export function policyKindWords(kind: PolicyKind): string {
  return text(kind === 'POLICY_TYPE_REVOKE' ? 'policies.forRemovals' : 'policies.forReviews');
}

/** All steps, one after the other. */
export function stepWords(steps: readonly Step[]): string {
  return steps.length === 0 ? text('policies.noSteps') : steps.map(oneStep).join(' → ');
}

/** Levels that a test names, in words. What is not known is shown as it is. */
export function levelWords(level: string): string {
  const known: Readonly<Record<string, PlainTextKey>> = {
    MANAGER: 'policies.asksManager',
    APP_OWNERS: 'policies.asksAppOwners',
    ENTITLEMENT_OWNERS: 'policies.asksEntitlementOwners',
    RESOURCE_OWNERS: 'policies.asksResourceOwners',
    SELF: 'policies.asksSelf',
    USERS: 'policies.asksUsers',
    GROUP: 'policies.asksGroup',
    EXPRESSION: 'policies.asksExpression',
    FALLBACK_GROUPS: 'policies.levelFallbackGroups',
    FALLBACK_USERS: 'policies.levelFallbackUsers',
    FALLBACK_APP_OWNERS: 'policies.asksAppOwners',
    REVIEW_OWNERS: 'policies.levelReviewOwners',
    SUPER_ADMINISTRATORS: 'policies.levelSuperAdministrators',
  };
  const key = Object.hasOwn(known, level) ? known[level] : undefined;
  return key === undefined ? level.toLowerCase().replaceAll('_', ' ') : text(key);
}
