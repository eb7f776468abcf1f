/**
 * `countersign source add|fetch|health|schedule|confirm|discard`: sources that fetch by themselves, through the API. Other commands about sources are
 * in source.ts.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type DescMessage, type JsonObject, ScalarType } from '@bufbuild/protobuf';
import type { Client } from '../../client/index.ts';
import { ConnectorService } from '../../gen/c1/api/app/v1/connector_service_pb.js';
import { type SourceJson, SourceService } from '../../gen/countersign/v1/connectors_pb.js';
import { EntraSettingsSchema } from '../../gen/countersign/v1/entra_pb.js';
import {
  BatonSettingsSchema,
  type FetchJson,
  FetchService,
  FolderSettingsSchema,
  SqlSettingsSchema,
} from '../../gen/countersign/v1/fetches_pb.js';
import { HttpsSettingsSchema, S3SettingsSchema } from '../../gen/countersign/v1/files_pb.js';
import { LdapSettingsSchema } from '../../gen/countersign/v1/ldap_pb.js';
import type { Commands } from '../frame/commands.ts';
import { findAppId } from '../frame/find.ts';
import { CommandFailure, UsageError } from '../frame/io.ts';
import { nameApps } from '../frame/list.ts';

const pollMs = 1000;
const under: readonly FetchJson['state'][] = ['FETCH_STATE_WAITING', 'FETCH_STATE_RUNNING', 'FETCH_STATE_READING'];
/** Messages of the settings by the kinds of sources that fetch by themselves. */
export const kinds: Readonly<Record<string, DescMessage>> = {
  folder: FolderSettingsSchema,
  https: HttpsSettingsSchema,
  s3: S3SettingsSchema,
  ldap: LdapSettingsSchema,
  sql: SqlSettingsSchema,
  entra: EntraSettingsSchema,
  baton: BatonSettingsSchema,
};

/** Options that say settings and secrets. */
export const settingOptions = {
  '--set <setting>': { text: 'one of its settings, such as pattern=wiki-*.csv or isPeople=true; may be repeated', parse: addPair },
  '--set-file <setting>': { text: 'a setting whose text is in a file, such as ca=ca.pem; may be repeated', parse: addPair },
  '--secret-file <secret>': { text: 'a secret that is in a file, such as bindPassword=password.txt; may be repeated', parse: addPair },
} as const;

const wordOf = (state: string | undefined): string => (state ?? '').replace('FETCH_STATE_', '').toLowerCase();

/** Adds the commands. */
export function addFetchCommands(group: Commands): void {
  const operands = { '<id>': 'id of the source' } as const;
  group.run('add', {
    description: 'make a source that fetches by itself',
    operands: { '<kind>': `kind of the source: ${Object.keys(kinds).join(', ')}` },
    options: {
      '--app <app>': { text: 'name or id of the app', needed: true },
      '--name <name>': 'name of the source',
      ...settingOptions,
    },
    act: async ({ kind, app, name, set = [], setFile = [], secretFile = [] }, { client }) => {
      const settings = kinds[kind];
      if (settings === undefined) {
        throw new UsageError(`there is no kind "${kind}"; the kinds are: ${Object.keys(kinds).join(', ')}`);
      }
      const texts = await readFiles(setFile);
      const secrets = await readSecrets(secretFile);
      const config = { '@type': `type.googleapis.com/${settings.typeName}`, ...makeSettings(settings, [...set, ...texts]) };
      const appId = await findAppId(client, app);
      const { create, update } = ConnectorService.method;
      const { connectorView } = await client.call(create, { appId, config });
      const id = connectorView?.connector?.id ?? '';
      if (name !== undefined) {
        await client.call(update, { appId, id, connector: { displayName: name }, updateMask: 'displayName' });
      }
      for (const [secret, value] of secrets) {
        await client.call(SourceService.method.setSecret, { id, name: secret, value });
      }
      const { source } = await client.call(SourceService.method.get, { id });
      return { json: source, text: `The source ${id} is made. It fetches by itself; countersign source fetch ${id} does so now.` };
    },
  });

  group.run('fetch', {
    description: 'fetch now',
    operands,
    options: { '--wait': 'until it ends; fails where the fetch fails or is held' },
    act: async ({ id, wait = false }, { client }) => {
      const appId = (await findSource(client, id)).appId ?? '';
      const before = (await newestFetch(client, id))?.id;
      await client.call(ConnectorService.method.forceSync, { appId, connectorId: id });
      const newest = await newestFetch(client, id);
      if (!wait || newest?.id === undefined) {
        return { json: newest, text: before === newest?.id ? 'The fetch that waited begins now.' : 'The fetch begins.' };
      }
      const fetch = await waitForEnd(client, newest.id);
      const state = wordOf(fetch.state);
      const failure = ['failed', 'held'].includes(state) ? `the fetch is ${state}: ${fetch.error}` : undefined;
      return { json: fetch, text: `The fetch is ${state}.`, failure };
    },
  });

  group.list('health', {
    description: 'list how the sources are: what their last fetch came to, how old their data are, when they fetch next',
    method: SourceService.method.list,
    names: nameApps,
    columns: {
      ID: 'id',
      OF: ({ appId }, nameApp) => (appId === '' ? 'people' : nameApp(appId)),
      SOURCE: 'displayName',
      STATE: (source) => healthOf(source),
      'DATA FROM': ({ observedFrom }) => observedFrom ?? 'never',
      NEXT: ({ nextFetchAt }) => nextFetchAt ?? '',
      WHY: ({ fetchError = '' }) => fetchError,
    },
  });

  group.run('schedule', {
    description: 'set when a source fetches; without --cron the usual schedule of its kind',
    operands,
    options: {
      '--cron <fields>': 'minute, hour, day of the month, month, day of the week, such as "30 2 * * *"',
      '--zone <zone>': "time zone, such as Europe/Berlin (default: the company's)",
    },
    act: async ({ id, cron = '', zone = '' }, { client }) => {
      const appId = (await findSource(client, id)).appId ?? '';
      const schedule = { cronSpec: cron, timezone: zone };
      await client.call(ConnectorService.method.updateConnectorSchedule, { appId, connectorId: id, cron: schedule });
      const source = await findSource(client, id);
      return { json: source, text: `The next fetch is at ${source.nextFetchAt ?? 'no time'}.` };
    },
  });

  group.run('confirm', {
    description: 'import exactly the rows of a held fetch, whatever they remove',
    operands: { '<fetch>': 'id of the fetch' },
    act: async ({ fetch: id }, { client }) => {
      const { fetch = {} } = await client.call(FetchService.method.get, { id });
      const { appId = '', connectorId = '' } = fetch;
      await client.call(ConnectorService.method.confirmSyncValid, { appId, connectorId, syncLifecycleId: id });
      const { fetch: done } = await client.call(FetchService.method.get, { id });
      return { json: done, text: `The fetch ${id} is imported.` };
    },
  });

  group.call('discard', {
    description: 'throw the rows of a held fetch away',
    operands: { '<id>': 'id of the fetch' },
    options: { '--reason <text>': { text: 'why', needed: true } },
    method: FetchService.method.discard,
    text: (_, { id }) => `The rows of the fetch ${id} are thrown away.`,
  });
}

type Pair = readonly [name: string, value: string];

/** Adds `name=value` to those before it. */
function addPair(text: string, before: readonly Pair[] = []): readonly Pair[] {
  const at = text.indexOf('=');
  if (at < 1) {
    throw new UsageError(`"${text}" must be name=value`);
  }
  return [...before, [text.slice(0, at), text.slice(at + 1)]];
}

/** Reads files that hold secrets; the end of their line is none of them. */
export async function readSecrets(pairs: readonly Pair[]): Promise<Pair[]> {
  return (await readFiles(pairs)).map(([name, text]): Pair => [name, text.replace(/\r?\n$/, '')]);
}

/** Reads the files that stand for values. */
export function readFiles(pairs: readonly Pair[]): Promise<Pair[]> {
  return Promise.all(
    pairs.map(async ([name, path]): Promise<Pair> => {
      try {
        return [name, await readFile(path, 'utf8')];
      } catch (error) {
        throw new CommandFailure(`the file ${path} cannot be read: ${error instanceof Error ? error.message : ''}`);
      }
    }),
  );
}

/** Makes settings of their texts: what may have several values is a list, and true and false are what they say. */
export function makeSettings({ fields }: DescMessage, pairs: readonly Pair[]): JsonObject {
  const settings: JsonObject = {};
  for (const [name, text] of pairs) {
    const field = fields.find(({ jsonName, name: protoName }) => jsonName === name || protoName === name);
    const before = settings[name];
    const isFlag = field?.fieldKind === 'scalar' && field.scalar === ScalarType.BOOL && /^(true|false)$/.test(text);
    settings[name] = field?.fieldKind === 'list' ? [...(Array.isArray(before) ? before : []), text] : isFlag ? text === 'true' : text;
  }
  return settings;
}

/** Returns a source that fetches; CommandFailure for one of people. */
export async function findSource(client: Client, id: string): Promise<SourceJson> {
  const { source = {} } = await client.call(SourceService.method.get, { id });
  if (source.appId === '') {
    throw new CommandFailure('this is a source of people; only sources of an app fetch');
  }
  return source;
}

async function newestFetch(client: Client, connectorId: string): Promise<FetchJson | undefined> {
  const { list = [] } = await client.call(FetchService.method.list, { connectorId, pageSize: 10 });
  return list.find(({ state }) => under.includes(state)) ?? list[0];
}

async function waitForEnd(client: Client, id: string): Promise<FetchJson> {
  for (;;) {
    const { fetch = {} } = await client.call(FetchService.method.get, { id });
    if (!under.includes(fetch.state)) {
      return fetch;
    }
    await delay(pollMs);
  }
}

/** State of a source in a word. */
function healthOf({ pausedAt, heldFetchId = '', fetchState, staleSince }: SourceJson): string {
  const states = [
    pausedAt === undefined ? '' : 'paused',
    heldFetchId === '' ? '' : 'held',
    fetchState === 'FETCH_STATE_FAILED' ? 'failed' : '',
    staleSince === undefined ? '' : 'stale',
  ].filter((state) => state !== '');
  return states.join(', ') || 'fine';
}
