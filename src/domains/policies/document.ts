/**
 * Content of a policy's document: the steps of its certify chain, what of it we cannot carry out yet, and the starting policy of a tenant. Who a
 * step finds is the business of tasks.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { asList, asObject } from '../../lib/json.ts';

/** The policy type of reviews. */
export const certifyType = 'POLICY_TYPE_CERTIFY';

/** The policy type of removals. */
export const revokeType = 'POLICY_TYPE_REVOKE';

/** The annotation by which a policy says who is asked where a step finds nobody, before the owners of the review. */
export const fallbackAnnotation = 'countersign/fallback';

/** The value of that annotation for the owners of the app the access is in; the only one there is. */
export const appOwnersFallback = 'app_owners';

/** The members of Approval's group `typ` that are carried out. */
const supportedApprovers: readonly string[] = [
  'manager',
  'appOwners',
  'users',
  'self',
  'entitlementOwners',
  'resourceOwners',
  'group',
  'expression',
];

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

/** The steps under a key of a policy, each as its PolicyStep JSON. */
export function stepsUnder(document: JsonObject, key: string): JsonObject[] {
  const byKey = asObject(document.policySteps);
  return Object.hasOwn(byKey, key) ? asList(asObject(byKey[key]).steps).map(asObject) : [];
}

/** The key of the steps of a policy of this type where none of its rules matches: its name in lower case. */
export function keyOfType(policyType: unknown): string {
  return String(policyType ?? '')
    .replace(/^POLICY_TYPE_/, '')
    .toLowerCase();
}

/** The key of a certify policy's own baseline: `certify`, else the only key of a policy without rules. Undefined where it has none. */
export function baselineKey(document: JsonObject): string | undefined {
  const keys = Object.keys(asObject(document.policySteps));
  if (keys.includes('certify')) {
    return 'certify';
  }
  return keys.length === 1 && asList(document.rules).length === 0 ? keys[0] : undefined;
}

/** The steps of the certify chain in order. */
export function certifySteps(document: JsonObject): JsonObject[] {
  const key = baselineKey(document);
  return key === undefined ? [] : stepsUnder(document, key);
}

/** True if the owners of the app are asked where a step finds nobody. */
export function fallsBackToAppOwners(document: JsonObject): boolean {
  return asObject(document.annotations)[fallbackAnnotation] === appOwnersFallback;
}

/** Finds the set member of a group. */
export function findMember(value: JsonObject, members: readonly string[]): string | undefined {
  return members.find((member) => value[member] !== undefined && value[member] !== null);
}

function unsupportedInApproval(approval: JsonObject, at: string): string[] {
  const found: string[] = [];
  const kind = findMember(approval, approverKinds);
  if (kind === undefined || !supportedApprovers.includes(kind)) {
    found.push(`${at} asks ${kind === undefined ? 'nobody' : `by '${kind}'`}`);
  }
  if (typeof approval.requiresStepUpProviderId === 'string' && approval.requiresStepUpProviderId !== '') {
    found.push(`${at} requires a second sign-in`);
  }
  return found;
}

/**
 * Lists what we cannot carry out of a chain of steps, each as words that name the step (from 1): empty where everything can. A review with such a
 * policy is refused at preview and prepare, so that nothing is skipped silently.
 */
export function unsupportedSteps(steps: readonly JsonObject[]): string[] {
  const found: string[] = [];
  steps.forEach((step, index) => {
    const at = `step ${index + 1}`;
    const kind = findMember(step, stepKinds);
    if (kind === 'approval') {
      found.push(...unsupportedInApproval(asObject(step.approval), at));
    } else if (kind !== 'accept' && kind !== 'reject' && kind !== 'wait') {
      found.push(kind === undefined ? `${at} is empty` : `${at} is of kind '${kind}'`);
    }
  });
  return found;
}

/** Starting policy of a tenant, as a client would send it: the person's manager, then the owners of the app, then those of the review. */
export const builtinCertifyPolicy: JsonObject = {
  displayName: 'Manager, then app owners',
  description: 'Asks the manager of the person, else the owners of the app, else the owners of the review.',
  policyType: certifyType,
  annotations: { [fallbackAnnotation]: appOwnersFallback },
  policySteps: {
    certify: { steps: [{ approval: { manager: { fallback: true }, allowReassignment: true, allowDelegation: true } }] },
  },
};

/** By what a tenant starts to remove access: the owners of the app do so manually. */
export const builtinRevokePolicy: JsonObject = {
  displayName: 'Removed by app owners',
  description: 'Asks the owners of the app to remove the access manually, else the owners of the review.',
  policyType: revokeType,
  annotations: { [fallbackAnnotation]: appOwnersFallback },
  policySteps: {
    revoke: { steps: [{ provision: { provisionPolicy: { manual: { assignee: { appOwners: { allowReassignment: true } } } } } }] },
  },
};
