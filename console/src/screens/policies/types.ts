/** What these pages speak of: a policy, its steps, and what an approval asks. */
import type { ReplyOf } from '../../data/query.ts';

export type Policy = NonNullable<ReplyOf<'PolicyService.Get'>['policy']>;
export type Steps = NonNullable<Policy['policySteps']>[string];
export type Step = NonNullable<Steps['steps']>[number];
export type Approval = NonNullable<Step['approval']>;

/** Whom an approval can ask, in the order of the form. */
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
export const offered: readonly Approver[] = ['manager', 'appOwners', 'entitlementOwners', 'resourceOwners', 'users', 'self', 'expression'];

/** The approvers that can name people to ask instead. */
export const withFallback: readonly Approver[] = ['manager', 'entitlementOwners', 'resourceOwners', 'self', 'group', 'expression'];

/** What all kinds of approvers have in common where they have it. */
export interface ApproverParts {
  readonly allowSelfApproval?: boolean;
  readonly requireDistinctApprovers?: boolean;
  readonly fallback?: boolean;
  readonly fallbackUserIds?: string[];
  readonly userIds?: string[];
  readonly expressions?: string[];
}

/** Whom an approval asks. */
export function approverOf(approval: Approval): Approver {
  return approvers.find((kind) => approval[kind] !== undefined) ?? 'manager';
}

/** What the approver of an approval says. */
export function partsOf(approval: Approval): ApproverParts {
  return (approval[approverOf(approval)] ?? {}) as ApproverParts;
}

/** The approval with another approver, or other parts of it; all else stays. */
export function withApprover(approval: Approval, kind: Approver, parts: ApproverParts): Approval {
  const rest = Object.fromEntries(Object.entries(approval).filter(([name]) => !approvers.some((one) => one === name)));
  return { ...rest, [kind]: parts } as Approval;
}

/** The kind of a step. */
export function kindOf(step: Step): 'approval' | 'accept' | 'reject' | 'wait' | 'other' {
  return (['approval', 'accept', 'reject', 'wait'] as const).find((kind) => step[kind] !== undefined) ?? 'other';
}
