/** Objects of these pages: a policy, its steps, and what an approval asks. */
import type * as contract from '~/data/messages.ts';
import type { ReplyOf } from '~/data/query.ts';

export type Policy = NonNullable<ReplyOf<'PolicyService.Get'>['policy']>;
export type Steps = NonNullable<Policy['policySteps']>[string];
export type Step = NonNullable<Steps['steps']>[number];
export type Approval = NonNullable<Step['approval']>;
export type Escalation = NonNullable<Approval['escalation']>;
export type Wait = NonNullable<Step['wait']>;
export type Manual = NonNullable<NonNullable<NonNullable<Step['provision']>['provisionPolicy']>['manual']>;

/** Kind of a message that is one of several. */
type CaseOf<O extends { readonly case: string | undefined }> = NonNullable<O['case']>;
export type Approver = CaseOf<contract.Approval['typ']>;

const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] => Object.keys(table) as K[];

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

/** Beginning of each approver, in the order of the form: the members that it cannot be without. */
const beginnings: Readonly<Record<Approver, ApproverParts>> = {
  manager: {},
  appOwners: {},
  entitlementOwners: {},
  resourceOwners: {},
  self: {},
  users: { userIds: [] },
  group: {},
  expression: { expressions: [''] },
  agent: {},
  webhook: {},
};

/** Kinds of approvers. */
export const approvers = keysOf(beginnings);

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

/** Begins an approver. */
export const startingParts = (kind: Approver): ApproverParts => beginnings[kind];

/** A kind of step that the form makes. */
export type StepKind = Exclude<CaseOf<contract.PolicyStep['step']>, 'action' | 'form'>;

/** New steps: who stands in for somebody decides for them, and it may be passed on, as in the policy that a tenant starts with. */
const newSteps: Readonly<Record<StepKind, Step>> = {
  approval: { approval: { manager: {}, allowDelegation: true, allowReassignment: true } },
  accept: { accept: { acceptMessage: '' } },
  reject: { reject: { rejectMessage: '' } },
  wait: { wait: { duration: { duration: '86400s' } } },
  provision: { provision: { provisionPolicy: { manual: { assignee: { appOwners: { allowReassignment: true } } } } } },
};

/** The kind of a step. */
export function stepKind(step: Step): StepKind | 'other' {
  return keysOf(newSteps).find((kind) => step[kind] !== undefined) ?? 'other';
}

/** A new step. */
export const newStep = (kind: StepKind): Step => newSteps[kind];

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

/** Effect of escalation. */
export type EscalationKind = CaseOf<contract.Escalation['escalationPolicy']>;

const newEscalations: Readonly<Record<EscalationKind, Escalation>> = {
  skipStep: { skipStep: {} },
  reassignToApprovers: { reassignToApprovers: { approverIds: [] } },
  replacePolicy: { replacePolicy: { policyId: '' } },
  cancelTicket: { cancelTicket: {} },
};

/** Effects of escalation, in the order of the form. */
export const escalationKinds = keysOf(newEscalations);

/** Kind of this escalation; the first kind where it does not say. */
export function escalationKind(escalation: Escalation): EscalationKind {
  return escalationKinds.find((kind) => escalation[kind] !== undefined) ?? 'skipStep';
}

/** The escalation with something else to do; its time and comment stay. */
export function withEscalation(escalation: Escalation, kind: EscalationKind): Escalation {
  const { expiration, escalationComment } = escalation;
  const kept = { ...(expiration === undefined ? {} : { expiration }), ...(escalationComment === undefined ? {} : { escalationComment }) };
  return { ...kept, ...newEscalations[kind] };
}

/** Way a wait can end. */
export type WaitKind = CaseOf<contract.Wait['until']>;

const newWaits: Readonly<Record<WaitKind, Wait>> = {
  duration: { duration: { duration: '86400s' } },
  untilTime: { untilTime: { hours: 9, minutes: 0 } },
  condition: { condition: { condition: '' } },
};

/** Ways a wait can end, in the order of the form. */
export const waitKinds = keysOf(newWaits);

/** Finds what ends a wait; a time where it does not say. */
export function waitKindOf(wait: Wait): WaitKind {
  return waitKinds.find((kind) => wait[kind] !== undefined) ?? 'duration';
}

/** The wait for something else; its comments and its name stay. */
export function withWait(wait: Wait, kind: WaitKind): Wait {
  const { duration: _duration, untilTime: _time, condition: _condition, ...kept } = wait;
  return { ...kept, ...newWaits[kind] };
}
