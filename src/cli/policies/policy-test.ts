/** `countersign policy test`: what a policy would do with one item now, in sentences. */
import { PolicyService } from '../../gen/c1/api/policy/v1/policy_service_pb.js';
import {
  PolicyTestService,
  type PolicyTestServiceTestResponseJson,
  type PolicyTestStepJson,
} from '../../gen/countersign/v1/policy_test_pb.js';
import type { Commands } from '../frame/commands.ts';
import { findAccount, findAppId, findEntitlementId, findPersonId } from '../frame/find.ts';
import { UsageError } from '../frame/io.ts';

/** Words for each level. */
const levels: Readonly<Record<string, string>> = {
  MANAGER: "the person's manager",
  SELF: 'the person',
  APP_OWNERS: 'the owners of the app',
  ENTITLEMENT_OWNERS: 'the owners of the entitlement',
  RESOURCE_OWNERS: 'the owners of the resource',
  USERS: 'the people listed',
  GROUP: 'the holders of an entitlement',
  EXPRESSION: 'whom an expression finds',
  FALLBACK_GROUPS: 'the fallback groups',
  FALLBACK_USERS: 'the fallback people',
  FALLBACK_APP_OWNERS: 'the owners of the app, as a fallback',
  REVIEW_OWNERS: 'the owners of the review',
};

/** Adds `policy test`. */
export function addPolicyTestCommand(group: Commands): void {
  group.call('test', {
    description: 'show whom a policy would ask about a person and an entitlement, and why',
    operands: { '<policy>': 'id of the policy' },
    options: {
      '--app <app>': { text: 'name or id of the app', needed: true },
      '--entitlement <entitlement>': { text: 'name or id of the entitlement in this app', needed: true },
      '--person <person>': 'mail address or id of the person',
      '--account <account>': 'an account instead: its name in the app, its mail address or its id',
    },
    method: PolicyTestService.method.test,
    request: async ({ policy, app, entitlement, person, account }, session) => {
      if ((person === undefined) === (account === undefined)) {
        throw new UsageError('pass either --person or --account');
      }
      const { client } = session;
      const appId = await findAppId(client, app);
      const holder =
        person === undefined
          ? { appUserId: (await findAccount(client, { app: appId, account: account ?? '' })).appUserId }
          : { userId: await findPersonId(client, person) };
      return { policyId: policy, appId, appEntitlementId: await findEntitlementId(client, appId, entitlement), ...holder };
    },
    text: async (result, _, { client }) => {
      const names = new Map<string, string>();
      for (const id of new Set([...(result.policyIds ?? []), ...(result.rules ?? []).map((rule) => rule.policyId ?? '')])) {
        const { policy } = await client.call(PolicyService.method.get, { id });
        names.set(id, policy?.displayName ?? id);
      }
      return describe(result, (id) => names.get(id) ?? id);
    },
  });
}

function describe(result: PolicyTestServiceTestResponseJson, nameOf: (policyId: string) => string): string[] {
  const { rules = [], policyIds = [], stepKey = '', isBaseline = false, steps = [], problems = [] } = result;
  const last = nameOf(policyIds.at(-1) ?? '');
  const way = policyIds.length > 1 ? [`The way leads from ${policyIds.map(nameOf).join(' to ')}.`] : [];
  const why = isBaseline ? 'its baseline' : 'the rule that matches';
  return [
    ...rules.map(({ policyId = '', number = 0, condition = '', matches = false, error = '' }) => {
      const verdict = error !== '' ? `does not match, because it fails: ${error}` : matches ? 'matches' : 'does not match';
      return `Rule ${number} of ${nameOf(policyId)} (${condition}) ${verdict}.`;
    }),
    ...way,
    policyIds.length === 0 ? 'The policy leads to no steps.' : `The steps "${stepKey}" of ${last} apply, by ${why}.`,
    ...(result.appUserId === '' ? ['The person has no account in the app; conditions that read one fail.'] : []),
    ...(result.userId === '' ? ['Nobody owns the account.'] : []),
    ...steps.flatMap((step, index) => describeStep(step).map((line, at) => (at === 0 ? `Step ${index + 1} ${line}` : `  ${line}`))),
    ...problems.map((problem) => `A review with this policy is refused: ${problem}.`),
  ];
}

const automatic: Readonly<Record<string, string>> = {
  accept: 'certifies the access by itself.',
  reject: 'revokes the access by itself.',
  wait: 'waits.',
};

function describeStep({
  kind = '',
  reason = '',
  people = [],
  passed = [],
  requireDistinctApprovers = false,
}: PolicyTestStepJson): string[] {
  if (kind !== 'approval') {
    return [automatic[kind] ?? `is of kind ${kind}.`];
  }
  const shown = people.map(({ displayName = '', email = '' }) => (email === '' ? displayName : `${displayName} <${email}>`)).join(', ');
  const asked = reason === 'REVIEW_OWNERS' ? ', or Super Administrators if none of them may be asked' : `: ${shown}`;
  return [
    `asks ${levels[reason] ?? reason}${asked}.`,
    ...passed.map((level) => `Nobody who may be asked was found among ${levels[level] ?? level}.`),
    ...(requireDistinctApprovers ? ['Whoever approved an earlier step is not asked.'] : []),
  ];
}
