/**
 * Meaning of the steps of a revoke policy: approvals as they are, and for whoever carries the removal out the people who are asked. A step that
 * provisions otherwise asks the owners of the app, and says so; the connector of a source may act before they do. Pure.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { asList, asObject, isJsonObject } from '../../lib/json.ts';
import { findMember } from './document.ts';

/** Ways a step may provision. */
const provisionKinds = [
  'manual',
  'multiStep',
  'delegated',
  'action',
  'connector',
  'devicePlacement',
  'externalTicket',
  'unconfigured',
  'webhook',
] as const;

/** Those who may be asked to provision; approvals know them by the same names. */
const provisionerKinds = ['appOwners', 'entitlementOwners', 'expression', 'group', 'manager', 'users'] as const;

function askPeople(assignee: JsonObject): JsonObject | undefined {
  const kind = findMember(assignee, provisionerKinds);
  if (kind === undefined) {
    return undefined;
  }
  const { allowReassignment, fallbackUserIds, ...rule } = asObject(assignee[kind]);
  const fallback: JsonObject = asList(fallbackUserIds).length > 0 ? { fallback: true, fallbackUserIds: asList(fallbackUserIds) } : {};
  return { [kind]: { ...rule, ...fallback }, allowReassignment: allowReassignment === true, allowDelegation: true };
}

const appOwners: JsonObject = { appOwners: {}, allowReassignment: true, allowDelegation: true };

/** A step that asks people to remove the access: `approval` says whom, `provision` what the policy says, `note` what is done otherwise than that. */
function askStep(provisionPolicy: JsonObject, approval: JsonObject, note = ''): JsonObject {
  return { approval, provision: { provisionPolicy }, ...(note === '' ? {} : { note }) };
}

/** The steps that carry a removal out by a provision policy; `own` is that of the entitlement, for those who leave it to that. */
function provisionSteps(policy: JsonObject, own: JsonObject | undefined): JsonObject[] {
  const kind = findMember(policy, provisionKinds);
  if (kind === 'multiStep') {
    const steps = asList(asObject(policy.multiStep).provisionSteps).flatMap((step) => provisionSteps(asObject(step), own));
    return steps.length > 0 ? steps : [askStep(policy, appOwners)];
  }
  if ((kind === 'delegated' || kind === 'unconfigured' || kind === undefined) && own !== undefined) {
    return provisionSteps(own, undefined);
  }
  if (kind === 'manual') {
    const manual = asObject(policy.manual);
    const named = asList(manual.userIds);
    const asked = askPeople(asObject(manual.assignee)) ?? (named.length > 0 ? askPeople({ users: { userIds: named } }) : undefined);
    return [askStep(policy, asked ?? appOwners)];
  }
  if (kind === 'connector') {
    // The connector acts where it can (domain revocations); those who are asked otherwise stand in the step.
    return [
      askStep(policy, appOwners, 'Its policy leaves this to the connector of the source. Where that cannot, remove the access manually.'),
    ];
  }
  const what = kind === undefined || kind === 'unconfigured' ? '' : `Its policy removes by '${kind}', which is not carried out here`;
  return [askStep(policy, appOwners, what === '' ? '' : `${what}: the owners of the app are asked to remove the access manually.`)];
}

function removalSteps(steps: readonly JsonObject[], own: JsonObject | undefined): JsonObject[] {
  const found = steps.flatMap((step): JsonObject[] => {
    if (isJsonObject(step.provision)) {
      return provisionSteps(asObject(step.provision.provisionPolicy), own);
    }
    if (isJsonObject(step.approval)) {
      // Nothing happens to a removal by itself but what syncs prove.
      const { escalationEnabled: _enabled, escalation: _escalation, ...approval } = step.approval;
      return [{ approval: { ...approval, requireDenialReason: true } }];
    }
    return isJsonObject(step.reject) ? [step] : [];
  });
  const ends = found.some(({ provision, reject }) => isJsonObject(provision) || isJsonObject(reject));
  return ends ? found : [...found, ...provisionSteps({}, own)];
}

/**
 * A revoke policy as its routes are made of it: under the keys of reviews, with the people each step asks. Waits, forms and actions are left out, and
 * accepting by itself leads on. `own` is the provision policy of the entitlement; undefined where it has none.
 */
export function removalDocument(document: JsonObject, own: JsonObject | undefined): JsonObject {
  const keyOf = (key: unknown): string => (key === 'revoke' ? 'certify' : String(key ?? ''));
  const policySteps = Object.fromEntries(
    Object.entries(asObject(document.policySteps)).map(([key, value]) => [
      keyOf(key),
      { steps: removalSteps(asList(asObject(value).steps).map(asObject), own) },
    ]),
  );
  const rules = asList(document.rules)
    .map(asObject)
    .map((rule) => ({ ...rule, stepKey: keyOf(rule.stepKey), policyKey: keyOf(rule.policyKey) }));
  return { ...document, policySteps, rules };
}
