/**
 * Reading a frozen policy: its steps and what each allows. Who a step asks is found by resolve-reviewers.ts; policies themselves
 * belong to the module policies.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { asObject, asTexts } from '../../lib/json.ts';
import { certifySteps } from '../policies/index.ts';

type Json = Record<string, unknown>;

/** One step of a frozen policy, as far as the rules of tasks read it. */
export interface ApprovalStep {
  readonly kind: 'approval';
  /** The Approval message as it was sent. */
  readonly approval: Json;
  /** Which member of the group `typ` is set: manager, appOwners, users, ... */
  readonly approverType: string;
  readonly allowSelf: boolean;
  readonly requireDistinctApprovers: boolean;
  readonly allowReassignment: boolean;
  readonly allowedReassignees: readonly string[];
  readonly requireApprovalReason: boolean;
  readonly requireDenialReason: boolean;
  readonly requireReassignmentReason: boolean;
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
export type Step = ApprovalStep | AutomaticStep | UnsupportedStep;

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

function readApproval(approval: Json): ApprovalStep {
  const approverType = approverTypes.find((name) => typeof approval[name] === 'object' && approval[name] !== null) ?? '';
  const approver = asObject(approval[approverType]);
  return {
    kind: 'approval',
    approval,
    approverType,
    // A step that asks the person themselves would otherwise ask nobody.
    allowSelf: approverType === 'self' || approver.allowSelfApproval === true,
    requireDistinctApprovers: approver.requireDistinctApprovers === true,
    allowReassignment: approval.allowReassignment === true,
    allowedReassignees: asTexts(approval.allowedReassignees),
    requireApprovalReason: approval.requireApprovalReason === true,
    requireDenialReason: approval.requireDenialReason === true,
    requireReassignmentReason: approval.requireReassignmentReason === true,
  };
}

function readStep(step: Json): Step {
  if (typeof step.approval === 'object' && step.approval !== null) {
    return readApproval(asObject(step.approval));
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
