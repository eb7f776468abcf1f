/**
 * `countersign source list|set|pause|resume`: where people and grants come from, how accounts of a source are matched to people, and what
 * guards it, through the API. Sources are made by their first import.
 */
import { type Command, Option } from 'commander';
import type { Client } from '../client/index.ts';
import { ConnectorService } from '../gen/c1/api/app/v1/connector_service_pb.js';
import { type SourceJson, SourceService } from '../gen/countersign/v1/connectors_pb.js';
import { type MatchRuleJson, MatchOrderService } from '../gen/countersign/v1/identity_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { CommandFailure, type CommandIo, formatTable, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, nameApps } from './list.ts';

interface SetOptions extends ConnectOptions {
  readonly removalShare?: string;
  readonly match?: string;
}

const rules = { email: 'MATCH_RULE_EMAIL', 'employee-id': 'MATCH_RULE_EMPLOYEE_ID', username: 'MATCH_RULE_USERNAME' } as const;

/** Adds `source list`, `source set`, `source pause` and `source resume`. */
export function addSourceCommands(program: Command, io: CommandIo): void {
  const group = program.command('source').description('the sources of people and grants');

  withConnection(group.command('list').description('list the sources')).action(async (options: ConnectOptions) => {
    const client = connect(io, options);
    const found = await listSources(client);
    if (options.json === true) {
      writeJson(io.stdout, found);
      return;
    }
    const nameOf = await nameApps(client);
    const rows = found.map((one) => [
      one.id ?? '',
      one.appId === '' ? 'people' : nameOf(one.appId),
      one.displayName ?? '',
      one.kind === 'SOURCE_KIND_SCIM' ? 'SCIM' : 'files',
      one.pausedAt === undefined ? 'on' : 'paused',
      `${one.removalShare ?? 0} %`,
      one.appId === '' ? '' : (one.matchOrder ?? []).map((rule) => rule.toLowerCase().replace('_', '-')).join(', '),
    ]);
    writeLines(io.stdout, formatTable(['ID', 'OF', 'SOURCE', 'KIND', 'STATE', 'GUARD', 'MATCHES BY'], rows));
  });

  withConnection(group.command('set').description('change the guard of a source, or how its accounts are matched to people'))
    .argument('<id>', 'id of the source')
    .option('--removal-share <percent>', 'refuse a file that removes more than this share, 0 to 100 (default: 20)')
    .addOption(
      new Option('--match <rules>', `what accounts are matched by, in this order: ${Object.keys(rules).join(', ')}, or some of them`),
    )
    .action((id: string, options: SetOptions) => runSet(io, id, options));

  for (const [name, description] of [
    ['pause', 'refuse the files of a source of an app until it is resumed'],
    ['resume', 'accept the files of a paused source again'],
  ] as const) {
    withConnection(group.command(name).description(description))
      .argument('<id>', 'id of the source')
      .action(async (id: string, options: ConnectOptions) => {
        const client = connect(io, options);
        const { source = {} } = await client.call(SourceService.method.get, { id });
        if (source.appId === '') {
          throw new CommandFailure('this is a source of people; only sources of an app can be paused');
        }
        const request = { appId: source.appId ?? '', connectorId: id };
        await (name === 'pause'
          ? client.call(ConnectorService.method.pauseSync, request)
          : client.call(ConnectorService.method.resumeSync, request));
        await show(io, client, id, options, () => `${source.displayName} is ${name}d.`);
      });
  }
}

async function runSet(io: CommandIo, id: string, options: SetOptions): Promise<void> {
  const share = options.removalShare === undefined ? undefined : Number(options.removalShare);
  if (share !== undefined && (options.removalShare?.trim() === '' || !Number.isInteger(share))) {
    throw new UsageError('--removal-share must be a whole number from 0 to 100');
  }
  const order = options.match === undefined ? undefined : readOrder(options.match);
  if (share === undefined && order === undefined) {
    throw new UsageError('nothing to set: pass --removal-share or --match');
  }
  const client = connect(io, options);
  const told: string[] = [];
  if (share !== undefined) {
    await client.call(SourceService.method.setRemovalShare, { id, removalShare: share });
    told.push(`A file that removes more than ${share} % is refused.`);
  }
  if (order !== undefined) {
    const { changedCount = '0' } = await client.call(MatchOrderService.method.setOrder, { connectorId: id, order });
    told.push(`Accounts whose owner changed: ${changedCount}.`);
  }
  await show(io, client, id, options, () => told.join('\n'));
}

/** Each rule as it is written on the command line, in any case; UsageError for one that is not there. */
function readOrder(text: string): MatchRuleJson[] {
  return text
    .split(',')
    .map((word) => word.trim().toLowerCase().replace('_', '-'))
    .filter((word) => word !== '')
    .map((word) => {
      const rule = (rules as Readonly<Record<string, MatchRuleJson>>)[word];
      if (rule === undefined) {
        throw new UsageError(`--match: there is no rule "${word}"; the rules are: ${Object.keys(rules).join(', ')}`);
      }
      return rule;
    });
}

async function show(io: CommandIo, client: Client, id: string, options: ConnectOptions, text: () => string): Promise<void> {
  if (options.json === true) {
    writeJson(io.stdout, (await client.call(SourceService.method.get, { id })).source);
    return;
  }
  writeLines(io.stdout, text());
}

/** All sources, those of people among them, in the order of their ids. */
export async function listSources(client: Client): Promise<SourceJson[]> {
  return listAll(client.pages(SourceService.method.list, {}));
}
