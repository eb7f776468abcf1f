/** `countersign conflict …`: monitors of access conflicts, through the API. The alerts they raise are in conflict-alert.ts. */
import type { Command } from 'commander';
import {
  AccessConflictService,
  AppEntitlementMonitorBindingService,
  type ConflictMonitorJson,
  type EntitlementGroupJson,
} from '../gen/c1/api/accessconflict/v1/access_conflict_pb.js';
import { ConflictMonitorService } from '../gen/countersign/v1/conflicts_pb.js';
import { addAlertCommands } from './conflict-alert.ts';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findApp, findEntitlementId } from './find.ts';
import { type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, showList } from './list.ts';

interface MonitorOptions extends ConnectOptions {
  readonly name?: string;
  readonly description?: string;
  readonly negateB?: boolean;
}

interface EntitlementOptions extends ConnectOptions {
  readonly app: string;
  readonly entitlement: string;
}

/** Adds the `conflict` commands. */
export function addConflictCommands(program: Command, io: CommandIo): void {
  const group = program.command('conflict').description('access that nobody should hold together: monitors and alerts');

  withConnection(group.command('list').description('list the monitors'))
    .option('--query <text>', 'only those with these words in the name')
    .action(async (options: ConnectOptions & { readonly query?: string }) => {
      const request = options.query === undefined ? {} : { query: options.query };
      const monitors = await listAll(connect(io, options).pages(ConflictMonitorService.method.list, request));
      showList(io, options, monitors, ['ID', 'ENABLED', 'NAME'], (one) => [
        one.id ?? '',
        one.enabled === true ? 'yes' : 'no',
        one.displayName ?? '',
      ]);
    });

  withConnection(group.command('show').description('show one monitor and its two groups'))
    .argument('<monitor>', 'id of the monitor')
    .action((id: string, options: ConnectOptions) => show(io, id, options));

  withFields(group.command('create').description('create a monitor; it starts disabled'))
    .argument('<name>', 'what it watches for')
    .action(async (name: string, options: MonitorOptions) => {
      const client = connect(io, options);
      const { displayName: _name, negateGroupB, ...fields } = readFields(options);
      const made = await client.call(AccessConflictService.method.createMonitor, { ...fields, displayName: name });
      const { id = '' } = made;
      say(
        io,
        options,
        negateGroupB === undefined ? made : await client.call(AccessConflictService.method.updateMonitor, { id, negateGroupB }),
      );
    });

  withFields(group.command('update').description('change a monitor; another rule resolves its alerts'))
    .argument('<monitor>', 'id of the monitor')
    .option('--name <name>', 'its name')
    .action(async (id: string, options: MonitorOptions) =>
      say(io, options, await connect(io, options).call(AccessConflictService.method.updateMonitor, { id, ...readFields(options) })),
    );

  withConnection(group.command('enable').description('enable a monitor; whoever is in conflict now gets an alert'))
    .argument('<monitor>', 'id of the monitor')
    .action(async (id: string, options: ConnectOptions) =>
      say(io, options, (await connect(io, options).call(ConflictMonitorService.method.enable, { id })).conflictMonitor ?? {}),
    );

  withConnection(group.command('disable').description('disable a monitor; its alerts are resolved'))
    .argument('<monitor>', 'id of the monitor')
    .action(async (id: string, options: ConnectOptions) =>
      say(io, options, (await connect(io, options).call(ConflictMonitorService.method.disable, { id })).conflictMonitor ?? {}),
    );

  withConnection(group.command('delete').description('delete a monitor; its alerts are resolved'))
    .argument('<monitor>', 'id of the monitor')
    .action(async (id: string, options: ConnectOptions) => {
      const answer = await connect(io, options).call(AccessConflictService.method.deleteMonitor, { id });
      tell(io, options, answer, `Monitor ${id} is deleted.`);
    });

  for (const [name, description, done] of [
    ['add', 'add an entitlement to a group of a monitor', 'has'],
    ['remove', 'remove an entitlement from a group of a monitor', 'no longer has'],
  ] as const) {
    withConnection(group.command(name).description(description))
      .argument('<monitor>', 'id of the monitor')
      .argument('<group>', 'a or b')
      .requiredOption('--app <app>', 'name or id of the app')
      .requiredOption('--entitlement <entitlement>', 'name or id of the entitlement')
      .action(async (monitorId: string, side: string, options: EntitlementOptions) => {
        const entitlementGroup = readGroup(side);
        const client = connect(io, options);
        const app = await findApp(client, options.app);
        const appEntitlementId = await findEntitlementId(client, app.id, options.entitlement);
        const request = { monitorId, appId: app.id, appEntitlementId, entitlementGroup };
        const { createAppEntitlementMonitorBinding: add, deleteAppEntitlementMonitorBinding: drop } =
          AppEntitlementMonitorBindingService.method;
        const answer = name === 'add' ? await client.call(add, request) : await client.call(drop, request);
        tell(io, options, answer, `Group ${side.toUpperCase()} ${done} ${options.entitlement} of ${app.displayName ?? app.id}.`);
      });
  }

  addAlertCommands(group, io);
}

function withFields(command: Command): Command {
  return withConnection(command)
    .option('--description <text>', 'what it is for')
    .option('--negate-b', 'find who holds none of group B')
    .option('--no-negate-b', 'find who holds one of group B');
}

function readFields({ name, description, negateB }: MonitorOptions) {
  return {
    ...(name === undefined ? {} : { displayName: name }),
    ...(description === undefined ? {} : { description }),
    ...(negateB === undefined ? {} : { negateGroupB: negateB }),
  };
}

function readGroup(text: string): EntitlementGroupJson {
  const side = text.toUpperCase();
  if (side !== 'A' && side !== 'B') {
    throw new UsageError(`${JSON.stringify(text)} is not a group: say a or b`);
  }
  return `ENTITLEMENT_GROUP_${side}`;
}

function tell(io: CommandIo, options: ConnectOptions, answer: object, line: string): void {
  if (options.json === true) {
    writeJson(io.stdout, answer);
    return;
  }
  writeLines(io.stdout, line);
}

function say(io: CommandIo, options: ConnectOptions, monitor: ConflictMonitorJson): void {
  const state = monitor.enabled === true ? 'enabled' : 'disabled';
  tell(io, options, monitor, `Monitor ${monitor.id ?? ''}, ${JSON.stringify(monitor.displayName ?? '')}, is ${state}.`);
}

async function show(io: CommandIo, id: string, options: ConnectOptions): Promise<void> {
  const client = connect(io, options);
  const monitor = await client.call(AccessConflictService.method.getMonitor, { id });
  const entitlements = await listAll(client.pages(ConflictMonitorService.method.listEntitlements, { monitorId: id }));
  if (options.json === true) {
    writeJson(io.stdout, { ...monitor, entitlements });
    return;
  }
  const of = (group: EntitlementGroupJson): string =>
    entitlements
      .filter(({ entitlementGroup }) => entitlementGroup === group)
      .map(({ appId, appEntitlementId }) => `${appId}/${appEntitlementId}`)
      .join(', ') || '-';
  writeLines(
    io.stdout,
    `name         ${monitor.displayName ?? ''}`,
    `description  ${monitor.description ?? ''}`,
    `enabled      ${monitor.enabled === true ? 'yes' : 'no'}`,
    `finds        who holds one of group A and ${monitor.negateGroupB === true ? 'none' : 'one'} of group B`,
    `group A      ${of('ENTITLEMENT_GROUP_A')}`,
    `group B      ${of('ENTITLEMENT_GROUP_B')}`,
  );
}
