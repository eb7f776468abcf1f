/**
 * `countersign source list|set|pause|resume`: where people and grants come from, how accounts of a source are matched to people, and what
 * guards it, through the API. Sources of files are made by their first import, those that fetch by `source add` (fetch.ts).
 */
import type { Commands } from '../frame/commands.ts';
import type { Client } from '../../client/index.ts';
import { ConnectorService } from '../../gen/c1/api/app/v1/connector_service_pb.js';
import { type SourceJson, SourceService } from '../../gen/countersign/v1/connectors_pb.js';
import { type MatchRuleJson, MatchOrderService } from '../../gen/countersign/v1/identity_pb.js';
import { CommandFailure, UsageError } from '../frame/io.ts';
import { listAll, nameApps } from '../frame/list.ts';
import { addConnectorRemovalCommands } from './connector-removals.ts';
import { addFetchCommands } from './fetch.ts';
import { addSourceCredentialCommands } from './source-credential.ts';
import { addSourceSecretCommands } from './source-secret.ts';
import { addSourceTestCommand } from './source-test.ts';

const rules = { email: 'MATCH_RULE_EMAIL', 'employee-id': 'MATCH_RULE_EMPLOYEE_ID', username: 'MATCH_RULE_USERNAME' } as const;

/** Adds the commands about sources, those that fetch by themselves included. */
export function addSourceCommands(group: Commands): void {
  const operands = { '<id>': 'id of the source' } as const;
  group.list('list', {
    description: 'list the sources',
    method: SourceService.method.list,
    names: nameApps,
    columns: {
      ID: 'id',
      OF: ({ appId }, nameApp) => (appId === '' ? 'people' : nameApp(appId)),
      SOURCE: 'displayName',
      KIND: ({ kind }) => (kind === 'SOURCE_KIND_FILE' ? 'files' : (kind ?? '').replace('SOURCE_KIND_', '')),
      STATE: ({ pausedAt }) => (pausedAt === undefined ? 'on' : 'paused'),
      GUARD: ({ removalShare = 0 }) => `${removalShare} %`,
      'MATCHES BY': ({ appId, matchOrder = [] }) =>
        appId === '' ? '' : matchOrder.map((rule) => rule.toLowerCase().replace('_', '-')).join(', '),
      DISPUTED: ({ disputed = 0 }) => (disputed === 0 ? '' : String(disputed)),
    },
  });

  group.run('set', {
    description: 'change the guard of a source, or how its accounts are matched to people',
    operands,
    options: {
      '--removal-share <percent>': 'refuse a file that removes more than this share, 0 to 100 (default: 20)',
      '--match <rules>': `what accounts are matched by, in this order: ${Object.keys(rules).join(', ')}, or some of them`,
    },
    act: async ({ id, removalShare: typed, match }, session) => {
      const removalShare = typed === undefined ? undefined : Number(typed);
      if (removalShare !== undefined && (typed?.trim() === '' || !Number.isInteger(removalShare))) {
        throw new UsageError('--removal-share must be a whole number from 0 to 100');
      }
      const order = match === undefined ? undefined : readOrder(match);
      if (removalShare === undefined && order === undefined) {
        throw new UsageError('nothing to set: pass --removal-share or --match');
      }
      const { client } = session;
      const said: string[] = [];
      if (removalShare !== undefined) {
        await client.call(SourceService.method.setRemovalShare, { id, removalShare });
        said.push(`A file that removes more than ${removalShare} % is refused.`);
      }
      if (order !== undefined) {
        const { changedCount = '0' } = await client.call(MatchOrderService.method.setOrder, { connectorId: id, order });
        said.push(`Accounts whose owner changed: ${changedCount}.`);
      }
      const { source } = await client.call(SourceService.method.get, { id });
      return { json: source, text: said };
    },
  });

  addFetchCommands(group);
  addSourceTestCommand(group);
  addSourceSecretCommands(group.group('secret', 'the secrets by which a source signs in elsewhere'));
  addSourceCredentialCommands(group.group('credential', 'the credentials by which the connector of a source signs in here'));
  addConnectorRemovalCommands(group);

  for (const [name, description] of [
    ['pause', 'refuse the files of a source of an app until it is resumed'],
    ['resume', 'accept the files of a paused source again'],
  ] as const) {
    group.run(name, {
      description,
      operands,
      act: async ({ id }, { client }) => {
        const { source = {} } = await client.call(SourceService.method.get, { id });
        if (source.appId === '') {
          throw new CommandFailure('this is a source of people; only sources of an app can be paused');
        }
        const { pauseSync, resumeSync } = ConnectorService.method;
        const request = { appId: source.appId ?? '', connectorId: id };
        await (name === 'pause' ? client.call(pauseSync, request) : client.call(resumeSync, request));
        const { source: changed } = await client.call(SourceService.method.get, { id });
        return { json: changed, text: `${source.displayName} is ${name}d.` };
      },
    });
  }
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

/** All sources, those of people among them, in the order of their ids. */
export async function listSources(client: Client): Promise<SourceJson[]> {
  return listAll(client.pages(SourceService.method.list, {}));
}
