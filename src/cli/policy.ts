/** `countersign policy list|show|create|update|delete|test`: who decides items of reviews, and in which order, through the API. */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Command } from 'commander';
import type { PolicyJson, PolicyStepJson } from '../gen/c1/api/policy/v1/policy_pb.js';
import { PolicyService, type CreatePolicyRequestJson } from '../gen/c1/api/policy/v1/policy_service_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { CommandFailure, type CommandIo, writeJson, writeLines } from './io.ts';
import { listAll, showList } from './list.ts';
import { addPolicyTestCommand } from './policy-test.ts';
import { readDocument } from './read-document.ts';

/** Adds the `policy` commands. */
export function addPolicyCommands(program: Command, io: CommandIo): void {
  const group = program.command('policy').description('policies: who decides, and in which order');

  withConnection(group.command('list').description('list the policies')).action(async (options: ConnectOptions) => {
    const policies = await listAll(connect(io, options).pages(PolicyService.method.list, {}));
    showList(io, options, policies, ['ID', 'TYPE', 'RULES', 'NAME'], (one) => [
      one.id ?? '',
      typeOf(one),
      String(one.rules?.length ?? 0),
      one.systemBuiltin === true ? `${one.displayName ?? ''} (starting policy)` : (one.displayName ?? ''),
    ]);
  });

  withConnection(group.command('show').description('show one policy: its rules and its steps'))
    .argument('<policy>', 'id of the policy')
    .action(async (id: string, options: ConnectOptions) => {
      const { policy = {} } = await connect(io, options).call(PolicyService.method.get, { id });
      if (options.json === true) {
        writeJson(io.stdout, policy);
        return;
      }
      writeLines(io.stdout, ...describe(policy));
    });

  withConnection(group.command('create').description('create a policy'))
    .argument('<file>', 'JSON of a Policy; - for standard input')
    .action(async (file: string, options: ConnectOptions) => {
      const fields = await readPolicy(io, file);
      const { policy } = await connect(io, options).call(PolicyService.method.create, fields as CreatePolicyRequestJson);
      showLine(io, options, policy);
    });

  withConnection(group.command('update').description('change a policy; prepared reviews keep it as it was'))
    .argument('<policy>', 'id of the policy')
    .argument('<file>', 'JSON with the members of the Policy to change; - for standard input')
    .action(async (id: string, file: string, options: ConnectOptions) => {
      const fields = await readPolicy(io, file);
      const { policy } = await connect(io, options).call(PolicyService.method.update, { id, policy: fields as PolicyJson });
      showLine(io, options, policy);
    });

  withConnection(group.command('delete').description('delete a policy that no draft and no other policy names'))
    .argument('<policy>', 'id of the policy')
    .option('--yes', 'confirm the deletion')
    .action(async (id: string, options: ConnectOptions & { yes?: boolean }) => {
      if (options.yes !== true) {
        throw new CommandFailure('this cannot be undone; repeat it with --yes');
      }
      await connect(io, options).call(PolicyService.method.delete, { id });
      writeLines(io.stdout, `${id} is deleted`);
    });

  addPolicyTestCommand(group, io);
}

/** What `show --json` prints can be sent again: what the server sets is left out. */
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

const typeOf = ({ policyType }: PolicyJson): string =>
  String(policyType ?? '')
    .replace(/^POLICY_TYPE_/, '')
    .toLowerCase();

function showLine(io: CommandIo, options: ConnectOptions, policy: PolicyJson = {}): void {
  if (options.json === true) {
    writeJson(io.stdout, policy);
    return;
  }
  writeLines(io.stdout, `${policy.id ?? ''}  ${policy.displayName ?? ''}`);
}

function describe(policy: PolicyJson): string[] {
  const { displayName = '', description = '', rules = [], policySteps = {}, baselinePolicyId = '' } = policy;
  const outcome = (other: string | undefined, key: string | undefined): string =>
    other === undefined || other === '' ? `the steps "${key ?? ''}"` : `the policy ${other}`;
  return [
    `name       ${displayName}`,
    `type       ${typeOf(policy)}`,
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
