/**
 * Reading a frozen policy: its steps and what each allows. Who a step asks is found by resolve-reviewers.ts; policies themselves
 * belong to the module policies.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { asObject, asTexts, isJsonObject } from '../../../lib/json.ts';
import { certifySteps } from '../../policies/index.ts';

type Json = Record<string, unknown>;

/** One step of a frozen policy, as far as the rules of tasks read it. */
export interface ApprovalStep {
  readonly kind: 'approval';
  /** The Approval message as it was sent. */
  readonly approval: Json;
  /** Member of the group `typ` that is set: manager, appOwners, users, ... */
  readonly approverType: string;
  readonly allowSelf: boolean;
  readonly requireDistinctApprovers: boolean;
  readonly allowDelegation: boolean;
  readonly allowReassignment: boolean;
  readonly allowedReassignees: readonly string[];
  readonly requireApprovalReason: boolean;
  readonly requireDenialReason: boolean;
  readonly requireReassignmentReason: boolean;
  /** Undefined where nothing happens however long nobody decides. */
  readonly escalation: Escalation | undefined;
  /** True if those who are asked remove the access, rather than allow it to be removed. */
  readonly isProvision: boolean;
}

/** Handling of a step that nobody decides in time. */
export type Escalation = { readonly afterSeconds: number; readonly comment: string } & (
  | { readonly how: 'CANCEL' | 'SKIP' }
  | { readonly how: 'REASSIGN'; readonly userIds: readonly string[] }
  | { readonly how: 'REPLACE_POLICY'; readonly policyId: string }
);

/** A step that waits. */
export interface WaitStep {
  readonly kind: 'wait';
  /** End of the wait: that an expression holds, a time since it was entered, or a time of the day. */
  readonly until:
    | { readonly condition: string }
    | { readonly seconds: number }
    | { readonly hours: number; readonly minutes: number; readonly timeZone: string };
  /** Longest wait for a condition. */
  readonly timeoutSeconds: number;
  readonly firstComment: string;
  readonly timeoutComment: string;
}

/** A step that ends the task by itself: accept certifies, reject decertifies. */
export interface AutomaticStep {
  readonly kind: 'accept' | 'reject';
  readonly message: string;
}

/** A step of a kind that is not carried out yet. */
export interface UnsupportedStep {
  readonly kind: 'unsupported';
  readonly name: string;
}

/** Any step of a frozen policy. */
export type Step = ApprovalStep | WaitStep | AutomaticStep | UnsupportedStep;

/** The members of Approval's group `typ`. */
export const approverTypes = [
  'agent',
  'appOwners',
  'entitlementOwners',
  'expression',
  'group',
  'manager',
  'resourceOwners',
  'self',
  'users',
  'webhook',
] as const;

/** The steps as they were sent; none where the policy was not stored. */
export function rawSteps(document: Json | null): readonly Json[] {
  return certifySteps((document ?? {}) as JsonObject);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Length of a wait for a condition where the policy does not say. */
const longestWaitSeconds = 30 * 86_400;

/** The seconds of a duration as JSON has it: "3600s". */
function secondsOf(duration: unknown): number {
  const seconds = Number.parseFloat(text(duration));
  return Number.isFinite(seconds) ? seconds : 0;
}

function readEscalation(escalation: Json): Escalation | undefined {
  const common = { afterSeconds: Number(escalation.expiration ?? 0), comment: text(escalation.escalationComment) };
  const policyId = text(asObject(escalation.replacePolicy).policyId);
  if (policyId !== '') {
    return { ...common, how: 'REPLACE_POLICY', policyId };
  }
  if (isJsonObject(escalation.reassignToApprovers)) {
    return { ...common, how: 'REASSIGN', userIds: asTexts(escalation.reassignToApprovers.approverIds) };
  }
  return isJsonObject(escalation.cancelTicket)
    ? { ...common, how: 'CANCEL' }
    : isJsonObject(escalation.skipStep)
      ? { ...common, how: 'SKIP' }
      : undefined;
}

function readWait(wait: Json): WaitStep {
  const untilTime = asObject(wait.untilTime);
  const until = isJsonObject(wait.condition)
    ? { condition: text(wait.condition.condition) }
    : isJsonObject(wait.duration)
      ? { seconds: secondsOf(wait.duration.duration) }
      : { hours: Number(untilTime.hours ?? 0), minutes: Number(untilTime.minutes ?? 0), timeZone: text(untilTime.timezone) || 'UTC' };
  return {
    kind: 'wait',
    until,
    timeoutSeconds: secondsOf(wait.timeoutDuration) || longestWaitSeconds,
    firstComment: text(wait.commentOnFirstWait),
    timeoutComment: text(wait.commentOnTimeout),
  };
}

function readApproval(approval: Json, isProvision = false): ApprovalStep {
  const approverType = approverTypes.find((name) => typeof approval[name] === 'object' && approval[name] !== null) ?? '';
  const approver = asObject(approval[approverType]);
  return {
    kind: 'approval',
    approval,
    approverType,
    // A step that asks the person themselves would otherwise ask nobody.
    allowSelf: approverType === 'self' || approver.allowSelfApproval === true,
    requireDistinctApprovers: approver.requireDistinctApprovers === true,
    allowDelegation: approval.allowDelegation === true,
    allowReassignment: approval.allowReassignment === true,
    allowedReassignees: asTexts(approval.allowedReassignees),
    requireApprovalReason: approval.requireApprovalReason === true,
    requireDenialReason: approval.requireDenialReason === true,
    requireReassignmentReason: approval.requireReassignmentReason === true,
    escalation: approval.escalationEnabled === true ? readEscalation(asObject(approval.escalation)) : undefined,
    isProvision,
  };
}

function readStep(step: Json): Step {
  if (typeof step.approval === 'object' && step.approval !== null) {
    return readApproval(asObject(step.approval), isJsonObject(step.provision));
  }
  if (isJsonObject(step.wait)) {
    return readWait(step.wait);
  }
  if (typeof step.accept === 'object' && step.accept !== null) {
    return { kind: 'accept', message: String(asObject(step.accept).acceptMessage ?? '') };
  }
  if (typeof step.reject === 'object' && step.reject !== null) {
    return { kind: 'reject', message: String(asObject(step.reject).rejectMessage ?? '') };
  }
  return { kind: 'unsupported', name: Object.keys(step)[0] ?? 'empty' };
}

/** The step at this index, from 0; undefined behind the last one. */
export function readStepAt(document: Json | null, index: number): Step | undefined {
  const step = rawSteps(document)[index];
  return step === undefined ? undefined : readStep(step);
}

/** The rules of an approval that a policy says nothing about: everything off. For tasks whose policy was not stored. */
const strictestApproval: ApprovalStep = readApproval({});

/** The approval step at this index, or the strictest one where there is none. */
export function readApprovalAt(document: Json | null, index: number): ApprovalStep {
  const step = readStepAt(document, index);
  return step?.kind === 'approval' ? step : strictestApproval;
}

/** True if a policy has what it denies removed at once, rather than when the review closes. */
export function remediatesAtOnce(document: Json | null): boolean {
  const actions = document?.postActions;
  return Array.isArray(actions) && actions.some((action) => asObject(action).certifyRemediateImmediately === true);
}
