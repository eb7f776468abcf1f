/**
 * Reading a frozen policy: its steps and what each allows. Who a step asks is found by resolve-reviewers.ts; policies themselves
 * belong to the module policies.
 */
import type { ApprovalJson, EscalationJson, PolicyJson, WaitJson } from '../../../gen/c1/api/policy/v1/policy_pb.js';
import {
  type ApproverJson,
  type ApproverKind,
  approverKinds,
  certifySteps,
  escalationKinds,
  escalations,
  findMember,
  type RouteStep,
  type StepKind,
  stepKinds,
  waitKinds,
} from '../../policies/index.ts';

/** One step of a frozen policy, as far as the rules of tasks read it. */
export interface ApprovalStep {
  readonly kind: 'approval';
  /** Member of the group `typ` that is set; empty where none is. */
  readonly approverType: ApproverKind | '';
  /** What that says. */
  readonly approver: ApproverJson;
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
  readonly name: StepKind | 'empty';
}

/** Any step of a frozen policy. */
export type Step = ApprovalStep | WaitStep | AutomaticStep | UnsupportedStep;

/** The steps as they were sent; none where the policy was not stored. */
export function rawSteps(document: PolicyJson | null): readonly RouteStep[] {
  return certifySteps(document ?? {});
}

/** Length of a wait for a condition where the policy does not say. */
const longestWaitSeconds = 30 * 86_400;

/** The seconds of a duration as JSON has it: "3600s". */
function secondsOf(duration = ''): number {
  const seconds = Number.parseFloat(duration);
  return Number.isFinite(seconds) ? seconds : 0;
}

function readEscalation(escalation: EscalationJson): Escalation | undefined {
  const kind = findMember(escalation, escalationKinds);
  const common = { afterSeconds: Number(escalation.expiration ?? 0), comment: escalation.escalationComment ?? '' };
  switch (kind) {
    case 'replacePolicy': {
      const { policyId = '' } = escalation.replacePolicy ?? {};
      return policyId === '' ? undefined : { ...common, how: escalations[kind], policyId };
    }
    case 'reassignToApprovers':
      return { ...common, how: escalations[kind], userIds: escalation.reassignToApprovers?.approverIds ?? [] };
    case 'cancelTicket':
    case 'skipStep':
      return { ...common, how: escalations[kind] };
    case undefined:
      return undefined;
  }
}

function readUntil(wait: WaitJson): WaitStep['until'] {
  switch (findMember(wait, waitKinds)) {
    case 'condition':
      return { condition: wait.condition?.condition ?? '' };
    case 'duration':
      return { seconds: secondsOf(wait.duration?.duration) };
    case 'untilTime':
    case undefined: {
      const { hours = 0, minutes = 0, timezone = '' } = wait.untilTime ?? {};
      return { hours, minutes, timeZone: timezone || 'UTC' };
    }
  }
}

function readWait(wait: WaitJson): WaitStep {
  return {
    kind: 'wait',
    until: readUntil(wait),
    timeoutSeconds: secondsOf(wait.timeoutDuration) || longestWaitSeconds,
    firstComment: wait.commentOnFirstWait ?? '',
    timeoutComment: wait.commentOnTimeout ?? '',
  };
}

function readApproval(approval: ApprovalJson, isProvision = false): ApprovalStep {
  const approverType = findMember(approval, approverKinds) ?? '';
  const approver: ApproverJson = approverType === '' ? {} : (approval[approverType] ?? {});
  return {
    kind: 'approval',
    approverType,
    approver,
    // A step that asks the person themselves would otherwise ask nobody.
    allowSelf: approverType === 'self' || approver.allowSelfApproval === true,
    requireDistinctApprovers: approver.requireDistinctApprovers === true,
    allowDelegation: approval.allowDelegation === true,
    allowReassignment: approval.allowReassignment === true,
    allowedReassignees: approval.allowedReassignees ?? [],
    requireApprovalReason: approval.requireApprovalReason === true,
    requireDenialReason: approval.requireDenialReason === true,
    requireReassignmentReason: approval.requireReassignmentReason === true,
    escalation: approval.escalationEnabled === true ? readEscalation(approval.escalation ?? {}) : undefined,
    isProvision,
  };
}

function readStep(step: RouteStep): Step {
  const kind = findMember(step, stepKinds);
  switch (kind) {
    case 'approval':
      return readApproval(step.approval ?? {}, step.provision !== undefined);
    case 'wait':
      return readWait(step.wait ?? {});
    case 'accept':
      return { kind, message: step.accept?.acceptMessage ?? '' };
    case 'reject':
      return { kind, message: step.reject?.rejectMessage ?? '' };
    case 'action':
    case 'form':
    case 'provision':
    case undefined:
      return { kind: 'unsupported', name: kind ?? 'empty' };
  }
}

/** The step at this index, from 0; undefined behind the last one. */
export function readStepAt(document: PolicyJson | null, index: number): Step | undefined {
  const step = rawSteps(document)[index];
  return step === undefined ? undefined : readStep(step);
}

/** The rules of an approval that a policy says nothing about: everything off. For tasks whose policy was not stored. */
const strictestApproval: ApprovalStep = readApproval({});

/** The approval step at this index, or the strictest one where there is none. */
export function readApprovalAt(document: PolicyJson | null, index: number): ApprovalStep {
  const step = readStepAt(document, index);
  return step?.kind === 'approval' ? step : strictestApproval;
}

/** True if a policy has what it denies removed at once, rather than when the review closes. */
export function remediatesAtOnce(document: PolicyJson | null): boolean {
  return (document?.postActions ?? []).some((action) => action.certifyRemediateImmediately === true);
}
