/**
 * Meaning of the steps of a revoke policy: approvals as they are, and for whoever carries the removal out the people who are asked. A step that
 * provisions otherwise asks the owners of the app, and says so; the connector of a source may act before they do. Pure.
 */
import type { ApprovalJson, PolicyJson } from '../../gen/c1/api/policy/v1/policy_pb.js';
import type {
  ProvisionerAssignment,
  ProvisionerAssignmentJson,
  ProvisionPolicy,
  ProvisionPolicyJson,
} from '../../gen/c1/api/policy/v1/provision_pb.js';
import { type ApproverKind, findMember, type RouteStep, stepKinds } from './document.ts';

type ProvisionKind = NonNullable<ProvisionPolicy['typ']['case']>;

/** Ways a step may provision, and what is said of those that are not carried out here. */
const notes: Readonly<Record<ProvisionKind, string>> = {
  manual: '',
  multiStep: '',
  delegated: notCarriedOut('delegated'),
  action: notCarriedOut('action'),
  // The connector acts where it can (domain revocations); those who are asked otherwise stand in the step.
  connector: 'Its policy leaves this to the connector of the source. Where that cannot, remove the access manually.',
  devicePlacement: notCarriedOut('devicePlacement'),
  externalTicket: notCarriedOut('externalTicket'),
  unconfigured: '',
  webhook: notCarriedOut('webhook'),
};

const provisionKinds = Object.keys(notes) as readonly ProvisionKind[];

function notCarriedOut(kind: ProvisionKind): string {
  return `Its policy removes by '${kind}', which is not carried out here: the owners of the app are asked to remove the access manually.`;
}

type ProvisionerKind = NonNullable<ProvisionerAssignment['typ']['case']>;

/** Those who may be asked to provision: approvals know each by the same name. */
const provisioners: { readonly [Kind in ProvisionerKind]: Kind & ApproverKind } = {
  appOwners: 'appOwners',
  entitlementOwners: 'entitlementOwners',
  expression: 'expression',
  group: 'group',
  manager: 'manager',
  users: 'users',
};

function askPeople(assignee: ProvisionerAssignmentJson): ApprovalJson | undefined {
  const kind = findMember(assignee, Object.values(provisioners));
  if (kind === undefined) {
    return undefined;
  }
  const {
    allowReassignment = false,
    fallbackUserIds = [],
    ...rule
  }: { allowReassignment?: boolean; fallbackUserIds?: string[] } = assignee[kind] ?? {};
  const fallback = fallbackUserIds.length > 0 ? { fallback: true, fallbackUserIds } : {};
  return { [kind]: { ...rule, ...fallback }, allowReassignment, allowDelegation: true };
}

const appOwners: ApprovalJson = { appOwners: {}, allowReassignment: true, allowDelegation: true };

/** A step that asks people to remove the access: `approval` says whom, `provision` what the policy says, `note` what is done otherwise than that. */
function askStep(provisionPolicy: ProvisionPolicyJson, approval: ApprovalJson, note = ''): RouteStep {
  return { approval, provision: { provisionPolicy }, ...(note === '' ? {} : { note }) };
}

/** The steps that carry a removal out by a provision policy; `own` is that of the entitlement, for those who leave it to that. */
function provisionSteps(policy: ProvisionPolicyJson, own: ProvisionPolicyJson | undefined): RouteStep[] {
  const { manual, multiStep } = policy;
  const kind = findMember(policy, provisionKinds);
  if ((kind === 'delegated' || kind === 'unconfigured' || kind === undefined) && own !== undefined) {
    return provisionSteps(own, undefined);
  }
  const steps = multiStep?.provisionSteps?.flatMap((step) => provisionSteps(step, own)) ?? [];
  const named = (manual?.userIds ?? []).length > 0 ? { users: { userIds: manual?.userIds ?? [] } } : {};
  const asked = askPeople(manual?.assignee ?? {}) ?? askPeople(named) ?? appOwners;
  return steps.length > 0 ? steps : [askStep(policy, asked, kind === undefined ? '' : notes[kind])];
}

/** The steps of a removal that one step of its policy comes to. */
function removalStep(step: RouteStep, own: ProvisionPolicyJson | undefined): RouteStep[] {
  switch (findMember(step, stepKinds)) {
    case 'provision':
      return provisionSteps(step.provision?.provisionPolicy ?? {}, own);
    case 'approval': {
      // Nothing happens to a removal by itself but what syncs prove.
      const { escalationEnabled: _enabled, escalation: _escalation, ...approval } = step.approval ?? {};
      return [{ approval: { ...approval, requireDenialReason: true } }];
    }
    case 'reject':
      return [step];
    case 'accept':
    case 'action':
    case 'form':
    case 'wait':
    case undefined:
      return [];
  }
}

function removalSteps(steps: readonly RouteStep[], own: ProvisionPolicyJson | undefined): RouteStep[] {
  const found = steps.flatMap((step) => removalStep(step, own));
  const ends = found.some(({ provision, reject }) => provision !== undefined || reject !== undefined);
  return ends ? found : [...found, ...provisionSteps({}, own)];
}

/**
 * A revoke policy as its routes are made of it: under the keys of reviews, with the people each step asks. Waits, forms and actions are left out, and
 * accepting by itself leads on. `own` is the provision policy of the entitlement; undefined where it has none.
 */
export function removalDocument(document: PolicyJson, own: ProvisionPolicyJson | undefined): PolicyJson {
  const keyOf = (key = ''): string => (key === 'revoke' ? 'certify' : key);
  const policySteps = Object.fromEntries(
    Object.entries(document.policySteps ?? {}).map(([key, { steps = [] }]) => [keyOf(key), { steps: removalSteps(steps, own) }]),
  );
  const rules = (document.rules ?? []).map((rule) => ({ ...rule, stepKey: keyOf(rule.stepKey), policyKey: keyOf(rule.policyKey) }));
  return { ...document, policySteps, rules };
}
