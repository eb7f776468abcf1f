/**
 * What the document of a policy says: the steps of its certify chain, what of it we cannot carry out yet, and the starting policy of a
 * tenant. Who a step finds is the business of tasks.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { asList, asObject } from '../../lib/json.ts';

/** The policy type of reviews. */
export const certifyType = 'POLICY_TYPE_CERTIFY';

/** The annotation by which a policy says who is asked where a step finds nobody, before the owners of the review. */
export const fallbackAnnotation = 'countersign/fallback';

/** The value of that annotation for the owners of the app the access is in; the only one there is. */
export const appOwnersFallback = 'app_owners';

/** The members of Approval's group `typ` that are carried out. */
const supportedApprovers: readonly string[] = ['manager', 'appOwners', 'users', 'self'];

/** All members of Approval's group `typ`. */
export const approverKinds: readonly string[] = [
  ...supportedApprovers,
  'agent',
  'entitlementOwners',
  'expression',
  'group',
  'resourceOwners',
  'webhook',
];

/** The members of PolicyStep's group `step`. */
export const stepKinds: readonly string[] = ['accept', 'action', 'approval', 'form', 'provision', 'reject', 'wait'];

/** The steps of the certify chain in order, each as its PolicyStep JSON: those under `certify`, else those under the only key. */
export function certifySteps(document: JsonObject): JsonObject[] {
  const byKey = asObject(document.policySteps);
  const keys = Object.keys(byKey);
  const key = 'certify' in byKey ? 'certify' : keys.length === 1 ? keys[0] : undefined;
  return key === undefined ? [] : asList(asObject(byKey[key]).steps).map(asObject);
}

/** Whether the owners of the app are asked where a step finds nobody. */
export function fallsBackToAppOwners(document: JsonObject): boolean {
  return asObject(document.annotations)[fallbackAnnotation] === appOwnersFallback;
}

/** Which member of a group is set. */
export function memberOf(value: JsonObject, members: readonly string[]): string | undefined {
  return members.find((member) => value[member] !== undefined && value[member] !== null);
}

function unsupportedInApproval(approval: JsonObject, at: string): string[] {
  const found: string[] = [];
  const kind = memberOf(approval, approverKinds);
  const approver = asObject(approval[kind ?? '']);
  if (kind === undefined || !supportedApprovers.includes(kind)) {
    found.push(`${at} asks ${kind === undefined ? 'nobody' : `by '${kind}'`}`);
  }
  if (asList(approver.fallbackGroupIds).length > 0 && approver.isGroupFallbackEnabled === true) {
    found.push(`${at} falls back to a group`);
  }
  if (approval.escalationEnabled === true) {
    found.push(`${at} escalates`);
  }
  if (typeof approval.requiresStepUpProviderId === 'string' && approval.requiresStepUpProviderId !== '') {
    found.push(`${at} requires a second sign-in`);
  }
  return found;
}

/**
 * What of a certify policy we cannot carry out, each as words that name the step (from 1): empty where everything can. A review with
 * such a policy is refused at preview and prepare, so that nothing is skipped silently.
 */
export function unsupportedSteps(document: JsonObject): string[] {
  const found: string[] = [];
  const steps = certifySteps(document);
  if (steps.length === 0) {
    found.push('it has no certify steps, so it has no reviewers');
  }
  steps.forEach((step, index) => {
    const at = `step ${index + 1}`;
    const kind = memberOf(step, stepKinds);
    if (kind === 'approval') {
      found.push(...unsupportedInApproval(asObject(step.approval), at));
    } else if (kind !== 'accept' && kind !== 'reject') {
      found.push(kind === undefined ? `${at} is empty` : `${at} is of kind '${kind}'`);
    }
  });
  if (asList(document.rules).length > 0) {
    found.push('it has rules with conditions');
  }
  if (typeof document.baselinePolicyId === 'string' && document.baselinePolicyId !== '') {
    found.push('it builds on another policy (baselinePolicyId)');
  }
  return found;
}

/** What a tenant starts with, as a client would send it: the person's manager, then the owners of the app, then those of the review. */
export const builtinCertifyPolicy: JsonObject = {
  displayName: 'Manager, then app owners',
  description: 'Asks the manager of the person, else the owners of the app, else the owners of the review.',
  policyType: certifyType,
  annotations: { [fallbackAnnotation]: appOwnersFallback },
  policySteps: {
    certify: { steps: [{ approval: { manager: { fallback: true }, allowReassignment: true } }] },
  },
};
