/** Objects of these pages: a policy, its steps, and what an approval asks. */
import type { ReplyOf } from '~/data/query.ts';

export type Policy = NonNullable<ReplyOf<'PolicyService.Get'>['policy']>;
export type Steps = NonNullable<Policy['policySteps']>[string];
export type Step = NonNullable<Steps['steps']>[number];
export type Approval = NonNullable<Step['approval']>;
export type Escalation = NonNullable<Approval['escalation']>;
export type Wait = NonNullable<Step['wait']>;
export type Manual = NonNullable<NonNullable<NonNullable<Step['provision']>['provisionPolicy']>['manual']>;

/** Kinds of approvers, in the order of the form. */
export const approvers = [
  'manager',
  'appOwners',
  'entitlementOwners',
  'resourceOwners',
  'self',
  'users',
  'group',
  'expression',
  'agent',
  'webhook',
] as const;

export type Approver = (typeof approvers)[number];

/** Those that the form offers; the others are shown as they are. */
export const offered: readonly Approver[] = [
  'manager',
  'appOwners',
  'entitlementOwners',
  'resourceOwners',
  'users',
  'group',
  'self',
  'expression',
];

/** The approvers that can name people to ask instead. */
export const withFallback: readonly Approver[] = ['manager', 'entitlementOwners', 'resourceOwners', 'self', 'group', 'expression'];

/** Those who can be asked to remove access. */
export const removers = ['appOwners', 'entitlementOwners', 'manager', 'users', 'group', 'expression'] as const satisfies Approver[];

/** An entitlement of an app, as fallbacks name it. */
export interface EntitlementPart {
  readonly appId?: string;
  readonly appEntitlementId?: string;
}

/** Members common to all kinds of approvers that have them. */
export interface ApproverParts {
  readonly allowSelfApproval?: boolean;
  readonly requireDistinctApprovers?: boolean;
  readonly fallback?: boolean;
  readonly fallbackUserIds?: string[];
  readonly isGroupFallbackEnabled?: boolean;
  readonly fallbackGroupIds?: EntitlementPart[];
  readonly userIds?: string[];
  readonly expressions?: string[];
  readonly appId?: string;
  readonly appGroupId?: string;
}

/** Finds whom it asks. */
export function readApprover(approval: Approval): Approver {
  return approvers.find((kind) => approval[kind] !== undefined) ?? 'manager';
}

/** Reads the approver of an approval. */
export function approverParts(approval: Approval): ApproverParts {
  return (approval[readApprover(approval)] ?? {}) as ApproverParts;
}

/** The approval with another approver, or other parts of it; all else stays. */
export function withApprover(approval: Approval, kind: Approver, parts: ApproverParts): Approval {
  const rest = Object.fromEntries(Object.entries(approval).filter(([name]) => !approvers.some((one) => one === name)));
  return { ...rest, [kind]: parts } as Approval;
}

/** Begins an approver: the members that it cannot be without. */
export function startingParts(kind: Approver): ApproverParts {
  return kind === 'users' ? { userIds: [] } : kind === 'expression' ? { expressions: [''] } : {};
}

/** The kinds of steps that the form makes. */
export const stepKinds = ['approval', 'accept', 'reject', 'wait', 'provision'] as const;

export type StepKind = (typeof stepKinds)[number];

/** The kind of a step. */
export function stepKind(step: Step): StepKind | 'other' {
  return stepKinds.find((kind) => step[kind] !== undefined) ?? 'other';
}

/** A new step: who stands in for somebody decides for them, and it may be passed on, as in the policy that a tenant starts with. */
export function newStep(kind: StepKind): Step {
  switch (kind) {
    case 'approval':
      return { approval: { manager: {}, allowDelegation: true, allowReassignment: true } };
    case 'accept':
      return { accept: { acceptMessage: '' } };
    case 'reject':
      return { reject: { rejectMessage: '' } };
    case 'wait':
      return { wait: { duration: { duration: '86400s' } } };
    case 'provision':
      return { provision: { provisionPolicy: { manual: { assignee: { appOwners: { allowReassignment: true } } } } } };
  }
}

/** Purpose of a policy, where the form makes it. */
export type PolicyKind = 'POLICY_TYPE_CERTIFY' | 'POLICY_TYPE_REVOKE';

/** The key of the steps that hold where no rule does: the name of the type, or the only one of a policy without rules. */
export function baselineKey(policy: Policy): string {
  const ofType = policy.policyType === 'POLICY_TYPE_REVOKE' ? 'revoke' : 'certify';
  const keys = Object.keys(policy.policySteps ?? {});
  const [only] = keys;
  return only !== undefined && keys.length === 1 && (policy.rules ?? []).length === 0 ? only : ofType;
}

/** The kinds of steps that a policy of this type can carry out. */
export function possibleStepKinds(policy: Policy): readonly StepKind[] {
  return policy.policyType === 'POLICY_TYPE_REVOKE' ? ['approval', 'provision', 'reject'] : ['approval', 'accept', 'reject', 'wait'];
}

/** The annotation by which the owners of the app are asked before those of the review. */
const fallbackAnnotation = 'countersign/fallback';

/** True if the owners of the app are asked where a step finds nobody. */
export function fallsBackToAppOwners(policy: Policy): boolean {
  return policy.annotations?.[fallbackAnnotation] === 'app_owners';
}

/** The annotations with, or without, the owners of the app as those who are asked instead. */
export function withAppOwners(policy: Policy, isOn: boolean): NonNullable<Policy['annotations']> {
  const { [fallbackAnnotation]: _before, ...rest } = policy.annotations ?? {};
  return isOn ? { ...rest, [fallbackAnnotation]: 'app_owners' } : rest;
}

/** True if denied access is asked to be removed at once. */
export function removesAtOnce(policy: Policy): boolean {
  return (policy.postActions ?? []).some(({ certifyRemediateImmediately }) => certifyRemediateImmediately === true);
}

/** Effects of escalation. */
export const escalationKinds = ['skipStep', 'reassignToApprovers', 'replacePolicy', 'cancelTicket'] as const;

export type EscalationKind = (typeof escalationKinds)[number];

/** Kind of this escalation; the first kind where it does not say. */
export function escalationKind(escalation: Escalation): EscalationKind {
  return escalationKinds.find((kind) => escalation[kind] !== undefined) ?? 'skipStep';
}

/** The escalation with something else to do; its time and comment stay. */
export function withEscalation(escalation: Escalation, kind: EscalationKind): Escalation {
  const { expiration, escalationComment } = escalation;
  const kept = { ...(expiration === undefined ? {} : { expiration }), ...(escalationComment === undefined ? {} : { escalationComment }) };
  switch (kind) {
    case 'reassignToApprovers':
      return { ...kept, reassignToApprovers: { approverIds: [] } };
    case 'replacePolicy':
      return { ...kept, replacePolicy: { policyId: '' } };
    default:
      return { ...kept, [kind]: {} };
  }
}

/** Ways a wait can end. */
export const waitKinds = ['duration', 'untilTime', 'condition'] as const;

export type WaitKind = (typeof waitKinds)[number];

/** Finds what ends a wait; a time where it does not say. */
export function waitKindOf(wait: Wait): WaitKind {
  return waitKinds.find((kind) => wait[kind] !== undefined) ?? 'duration';
}

/** The wait for something else; its comments and its name stay. */
export function withWait(wait: Wait, kind: WaitKind): Wait {
  const { duration: _duration, untilTime: _time, condition: _condition, ...kept } = wait;
  switch (kind) {
    case 'duration':
      return { ...kept, duration: { duration: '86400s' } };
    case 'untilTime':
      return { ...kept, untilTime: { hours: 9, minutes: 0 } };
    case 'condition':
      return { ...kept, condition: { condition: '' } };
  }
}
