/** `countersign policy list|show|create|update|delete|test`: who decides items of reviews, and in which order, through the API. */
import type { JsonObject } from '@bufbuild/protobuf';
import type { PolicyJson, PolicyStepJson } from '../../gen/c1/api/policy/v1/policy_pb.js';
import { PolicyService, type CreatePolicyRequestJson } from '../../gen/c1/api/policy/v1/policy_service_pb.js';
import type { Commands } from '../frame/commands.ts';
import { CommandFailure, type CommandIo } from '../frame/io.ts';
import { readDocument } from '../frame/read-document.ts';
import { addPolicyTestCommand } from './policy-test.ts';

/** Adds the `policy` commands. */
export function addPolicyCommands(group: Commands): void {
  const operands = { '<policy>': 'id of the policy' } as const;
  group.list('list', {
    description: 'list the policies',
    method: PolicyService.method.list,
    columns: {
      ID: 'id',
      TYPE: { lower: 'policyType' },
      RULES: ({ rules = [] }) => String(rules.length),
      NAME: ({ displayName = '', systemBuiltin }) => (systemBuiltin === true ? `${displayName} (starting policy)` : displayName),
    },
  });
  group.call('show', {
    description: 'show one policy: its rules and its steps',
    operands,
    method: PolicyService.method.get,
    text: describe,
  });
  group.call('create', {
    description: 'create a policy',
    operands: { '<file>': 'JSON of a Policy; - for standard input' },
    method: PolicyService.method.create,
    request: async ({ file }, { io }) => (await readPolicy(io, file)) as CreatePolicyRequestJson,
    text: sayName,
  });
  group.call('update', {
    description: 'change a policy; prepared reviews keep it as it was',
    operands: { ...operands, '<file>': 'JSON with the members of the Policy to change; - for standard input' },
    method: PolicyService.method.update,
    request: async ({ policy, file }, { io }) => ({ id: policy, policy: (await readPolicy(io, file)) as PolicyJson }),
    text: sayName,
  });
  group.call('delete', {
    description: 'delete a policy that no draft and no other policy names',
    operands,
    options: {
      '--yes': {
        text: 'confirm the deletion',
        otherwise: () => new CommandFailure('this cannot be undone; repeat it with --yes'),
      },
    },
    method: PolicyService.method.delete,
    text: (_, { policy }) => `${policy} is deleted`,
  });
  addPolicyTestCommand(group);
}

/** Reads a policy as `show --json` prints it: what the server sets is left out. */
async function readPolicy(io: CommandIo, file: string): Promise<JsonObject> {
  const {
    id: _id,
    systemBuiltin: _builtin,
    createdAt: _created,
    updatedAt: _updated,
    deletedAt: _deleted,
    ...fields
  } = await readDocument(io, file, 'the fields of a policy');
  return fields;
}

function sayName({ id = '', displayName = '' }: PolicyJson): string {
  return `${id}  ${displayName}`;
}

function describe(policy: PolicyJson): string[] {
  const { displayName = '', description = '', rules = [], policySteps = {}, baselinePolicyId = '' } = policy;
  const outcome = (other: string | undefined, key: string | undefined): string =>
    other === undefined || other === '' ? `the steps "${key ?? ''}"` : `the policy ${other}`;
  return [
    `name       ${displayName}`,
    `type       ${(policy.policyType ?? '').replace('POLICY_TYPE_', '').toLowerCase()}`,
    ...(description === '' ? [] : [`about      ${description}`]),
    ...rules.map(
      (rule, index) => `rule ${index + 1}     ${rule.condition ?? ''} -> ${outcome(rule.policyId, rule.stepKey || rule.policyKey)}`,
    ),
    ...(baselinePolicyId === '' ? [] : [`otherwise  ${outcome(baselinePolicyId, '')}`]),
    ...Object.entries(policySteps).flatMap(([key, { steps = [] }]) =>
      steps.map((step, index) => `${index === 0 ? `steps "${key}"` : ''.padEnd(key.length + 8)}  ${index + 1}. ${nameStep(step)}`),
    ),
  ];
}

const approvers = {
  manager: "the person's manager",
  self: 'the person',
  appOwners: 'the owners of the app',
  entitlementOwners: 'the owners of the entitlement',
  resourceOwners: 'the owners of the resource',
  users: 'the people listed',
  group: 'the holders of an entitlement',
  expression: 'whom an expression finds',
  webhook: 'a webhook',
  agent: 'an agent',
} as const;

function nameStep(step: PolicyStepJson): string {
  const { approval } = step;
  if (approval === undefined) {
    return Object.keys(step)[0] ?? 'nothing';
  }
  const kind = (Object.keys(approvers) as (keyof typeof approvers)[]).find((name) => approval[name] !== undefined);
  return kind === undefined ? 'asks nobody' : `asks ${approvers[kind]}`;
}
