/** `countersign source test`: tries settings of a source out, without keeping anything, through the API. */
import type { ByValue } from '../../client/by-value.ts';
import type { DescMessage, JsonObject } from '@bufbuild/protobuf';
import type { Client } from '../../client/index.ts';
import { ConnectorService } from '../../gen/c1/api/app/v1/connector_service_pb.js';
import { FetchService, type TestedContentJson, type TestedStepJson } from '../../gen/countersign/v1/fetches_pb.js';
import { isJsonObject } from '../../lib/json.ts';
import { type Commands, formatFacts, formatRows } from '../frame/commands.ts';
import { CommandFailure } from '../frame/io.ts';
import { findSource, kinds, makeSettings, readFiles, readSecrets, settingOptions } from './fetch.ts';

const words: ByValue<TestedStepJson['kind'], string> = {
  TESTED_STEP_KIND_NAME: 'name found',
  TESTED_STEP_KIND_ADDRESS: 'reached',
  TESTED_STEP_KIND_TLS: 'encrypted',
  TESTED_STEP_KIND_SIGN_IN: 'signed in',
};

/** Adds the command. */
export function addSourceTestCommand(group: Commands): void {
  group.run('test', {
    description: 'try settings out and show the first rows; nothing is kept',
    operands: {
      '<what>': `kind of a source to be (${Object.keys(kinds).join(', ')}), or the id of one whose settings and secrets are taken`,
    },
    options: settingOptions,
    act: async ({ what, set = [], setFile = [], secretFile = [] }, { client }) => {
      const pairs = [...set, ...(await readFiles(setFile))];
      const secrets = Object.fromEntries(await readSecrets(secretFile));
      const { schema, config, sourceId } = await findSettings(client, what);
      const tried = { ...config, ...makeSettings(schema, pairs), '@type': `type.googleapis.com/${schema.typeName}` };
      const answer = await client.call(FetchService.method.testSource, { config: tried, secrets, sourceId });
      const { error = '', errorField = '', steps = [], contents = [] } = answer;
      const failure = error === '' ? undefined : errorField === '' ? error : `${errorField}: ${error}`;
      return { json: answer, text: [...describeSteps(steps), ...contents.flatMap(describeContent)], failure };
    },
  });
}

interface Found {
  readonly schema: DescMessage;
  readonly config: JsonObject;
  readonly sourceId: string;
}

/** Returns the settings to begin with: none of a kind, or those of a source. */
async function findSettings(client: Client, what: string): Promise<Found> {
  const schema = kinds[what];
  if (schema !== undefined) {
    return { schema, config: {}, sourceId: '' };
  }
  const { appId = '' } = await findSource(client, what);
  const { connectorView } = await client.call(ConnectorService.method.get, { appId, id: what });
  const config: unknown = connectorView?.connector?.config;
  const found = Object.values(kinds).find(({ typeName }) => isJsonObject(config) && config['@type'] === `type.googleapis.com/${typeName}`);
  if (found === undefined) {
    throw new CommandFailure('this source fetches nothing by itself, so there is nothing to test');
  }
  return { schema: found, config: config as JsonObject, sourceId: what };
}

function describeSteps(steps: readonly TestedStepJson[]): string[] {
  return formatFacts(Object.fromEntries(steps.map(({ kind, found = '' }) => [words[kind ?? ''] ?? kind ?? '', found])));
}

function describeContent({ isPeople = false, columns = [], rows = [] }: TestedContentJson): string[] {
  const values = rows.map((row) => row.values ?? []);
  // The first line of a file is its header, and comes as a row.
  const [head = [], ...body] = columns.length > 0 ? [columns, ...values] : values;
  return [isPeople ? 'People:' : 'Grants:', ...[formatRows(head, body)].flat()];
}
