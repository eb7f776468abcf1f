/**
 * Content of a policy's document: the steps of its certify chain, what of it we cannot carry out yet, and the starting policy of a tenant. Who a
 * step finds is the business of tasks.
 */
import type {
  AgentApprovalJson,
  AppGroupApprovalJson,
  Approval,
  ApprovalJson,
  Escalation,
  ExpressionApprovalJson,
  PolicyJson,
  PolicyStep,
  PolicyStepJson,
  PolicyTypeJson,
  UserApprovalJson,
  Wait,
  WebhookApprovalJson,
} from '../../gen/c1/api/policy/v1/policy_pb.js';

/** The policy type of reviews. */
export const certifyType: PolicyTypeJson = 'POLICY_TYPE_CERTIFY';

/** The policy type of removals. */
export const revokeType: PolicyTypeJson = 'POLICY_TYPE_REVOKE';

/** The annotation by which a policy says who is asked where a step finds nobody, before the owners of the review. */
export const fallbackAnnotation = 'countersign/fallback';

/** The value of that annotation for the owners of the app the access is in; the only one there is. */
export const appOwnersFallback = 'app_owners';

/** Member of Approval's group `typ`: whom a step asks. */
export type ApproverKind = NonNullable<Approval['typ']['case']>;

/** Member of PolicyStep's group `step`. */
export type StepKind = NonNullable<PolicyStep['step']['case']>;

/** The members of Approval's group `typ`, and whether they are carried out. */
const approvers = {
  manager: true,
  appOwners: true,
  users: true,
  self: true,
  entitlementOwners: true,
  resourceOwners: true,
  group: true,
  expression: true,
  agent: false,
  webhook: false,
} as const satisfies Record<ApproverKind, boolean>;

/** A kind of approver that is carried out. */
export type SupportedApprover = { [Kind in ApproverKind]: (typeof approvers)[Kind] extends true ? Kind : never }[ApproverKind];

/** The members of PolicyStep's group `step`, and whether a review carries them out. */
const steps = {
  accept: true,
  action: false,
  approval: true,
  form: false,
  provision: false,
  reject: true,
  wait: true,
} as const satisfies Record<StepKind, boolean>;

/** Member of Wait's group `until`: what a step waits for. */
export type WaitKind = NonNullable<Wait['until']['case']>;

const waits: Readonly<Record<WaitKind, true>> = { condition: true, duration: true, untilTime: true };

/** The members of Escalation's group `escalationPolicy`, and how a task says that it was escalated. */
export const escalations = {
  cancelTicket: 'CANCEL',
  reassignToApprovers: 'REASSIGN',
  replacePolicy: 'REPLACE_POLICY',
  skipStep: 'SKIP',
} as const satisfies Readonly<Record<NonNullable<Escalation['escalationPolicy']['case']>, string>>;

/** All members of Escalation's group `escalationPolicy`. */
export const escalationKinds = Object.keys(escalations) as readonly (keyof typeof escalations)[];

/** All members of Wait's group `until`. */
export const waitKinds = Object.keys(waits) as readonly WaitKind[];

/** All members of Approval's group `typ`. */
export const approverKinds = Object.keys(approvers) as readonly ApproverKind[];

/** All members of PolicyStep's group `step`. */
export const stepKinds = Object.keys(steps) as readonly StepKind[];

/** All that the approvers of any kind may say. */
export type ApproverJson = AgentApprovalJson & AppGroupApprovalJson & ExpressionApprovalJson & UserApprovalJson & WebhookApprovalJson;

/** A step of a route. Those of removals have whom a step asks beside what it provisions, and `note` says what is done otherwise than the policy has it. */
export type RouteStep = PolicyStepJson & { readonly note?: string };

/** The steps under a key of a policy. */
export function stepsUnder({ policySteps = {} }: PolicyJson, key: string): RouteStep[] {
  return Object.hasOwn(policySteps, key) ? (policySteps[key]?.steps ?? []) : [];
}

/** The key of the steps of a policy of this type where none of its rules matches: its name in lower case. */
export function keyOfType(policyType: PolicyTypeJson = 'POLICY_TYPE_UNSPECIFIED'): string {
  return policyType.replace(/^POLICY_TYPE_/, '').toLowerCase();
}

/** The key of a certify policy's own baseline: `certify`, else the only key of a policy without rules. Undefined where it has none. */
export function baselineKey({ policySteps = {}, rules = [] }: PolicyJson): string | undefined {
  const keys = Object.keys(policySteps);
  if (keys.includes('certify')) {
    return 'certify';
  }
  return keys.length === 1 && rules.length === 0 ? keys[0] : undefined;
}

/** The steps of the certify chain in order. */
export function certifySteps(document: PolicyJson): RouteStep[] {
  const key = baselineKey(document);
  return key === undefined ? [] : stepsUnder(document, key);
}

/** True if the owners of the app are asked where a step finds nobody. */
export function fallsBackToAppOwners({ annotations = {} }: PolicyJson): boolean {
  return annotations[fallbackAnnotation] === appOwnersFallback;
}

/** Finds the set member of a group. */
export function findMember<K extends string>(value: { readonly [Member in K]?: unknown }, members: readonly K[]): K | undefined {
  return members.find((member) => value[member] !== undefined && value[member] !== null);
}

function unsupportedInApproval(approval: ApprovalJson, at: string): string[] {
  const found: string[] = [];
  const kind = findMember(approval, approverKinds);
  if (kind === undefined || !approvers[kind]) {
    found.push(`${at} asks ${kind === undefined ? 'nobody' : `by '${kind}'`}`);
  }
  if ((approval.requiresStepUpProviderId ?? '') !== '') {
    found.push(`${at} requires a second sign-in`);
  }
  return found;
}

/**
 * Lists what we cannot carry out of a chain of steps, each as words that name the step (from 1): empty where everything can. A review with such a
 * policy is refused at preview and prepare, so that nothing is skipped silently.
 */
export function unsupportedSteps(chain: readonly RouteStep[]): string[] {
  const found: string[] = [];
  chain.forEach((step, index) => {
    const at = `step ${index + 1}`;
    const kind = findMember(step, stepKinds);
    if (step.approval !== undefined) {
      found.push(...unsupportedInApproval(step.approval, at));
    } else if (kind === undefined || !steps[kind]) {
      found.push(kind === undefined ? `${at} is empty` : `${at} is of kind '${kind}'`);
    }
  });
  return found;
}

/** Starting policy of a tenant, as a client would send it: the person's manager, then the owners of the app, then those of the review. */
export const builtinCertifyPolicy: PolicyJson = {
  displayName: 'Manager, then app owners',
  description: 'Asks the manager of the person, else the owners of the app, else the owners of the review.',
  policyType: certifyType,
  annotations: { [fallbackAnnotation]: appOwnersFallback },
  policySteps: {
    certify: { steps: [{ approval: { manager: { fallback: true }, allowReassignment: true, allowDelegation: true } }] },
  },
};

/** By what a tenant starts to remove access: the owners of the app do so manually. */
export const builtinRevokePolicy: PolicyJson = {
  displayName: 'Removed by app owners',
  description: 'Asks the owners of the app to remove the access manually, else the owners of the review.',
  policyType: revokeType,
  annotations: { [fallbackAnnotation]: appOwnersFallback },
  policySteps: {
    revoke: { steps: [{ provision: { provisionPolicy: { manual: { assignee: { appOwners: { allowReassignment: true } } } } } }] },
  },
};
