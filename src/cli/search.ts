/** `countersign search TEXT`: people, apps, accounts, entitlements and resources that a text is in, through the API. */
import type { Command } from 'commander';
import type { Client } from '../client/index.ts';
import type { AppEntitlementJson, AppJson, AppResourceJson, AppUserJson } from '../gen/c1/api/app/v1/app_pb.js';
import { AppEntitlementSearchService } from '../gen/c1/api/app/v1/app_entitlement_search_service_pb.js';
import { AppResourceService } from '../gen/c1/api/app/v1/app_resource_service_pb.js';
import { AppService } from '../gen/c1/api/app/v1/app_service_pb.js';
import { AppUserService } from '../gen/c1/api/app/v1/app_user_service_pb.js';
import type { UserJson } from '../gen/c1/api/user/v1/user_pb.js';
import { UserService } from '../gen/c1/api/user/v1/user_service_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { type CommandIo, formatTable, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, nameApps } from './list.ts';

interface SearchOptions extends ConnectOptions {
  readonly limit: string;
}

interface Found {
  readonly people: readonly UserJson[];
  readonly apps: readonly AppJson[];
  readonly accounts: readonly AppUserJson[];
  readonly entitlements: readonly AppEntitlementJson[];
  readonly resources: readonly AppResourceJson[];
}

/** Adds `search`. */
export function addSearchCommand(program: Command, io: CommandIo): void {
  withConnection(program.command('search').description('find people, apps, accounts, entitlements and resources by text'))
    .argument('<text...>', 'words that must all be in a name, mail address or description, or an id; any case, with or without accents')
    .option('--limit <number>', 'the most to list of each kind', '10')
    .action((words: string[], options: SearchOptions) => runSearch(io, words.join(' '), options));
}

async function runSearch(io: CommandIo, query: string, options: SearchOptions): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1) {
    throw new UsageError('--limit must be a whole number from 1 on');
  }
  if (query.trim() === '') {
    throw new UsageError('the text to search for is empty');
  }
  const client = connect(io, options);
  // One more than is shown shows that there are more.
  const found = await searchAll(client, query, limit + 1);
  const shown = Object.fromEntries(Object.entries(found).map(([kind, list]) => [kind, list.slice(0, limit)])) as unknown as Found;
  if (options.json === true) {
    writeJson(io.stdout, shown);
    return;
  }
  const nameOf = await nameApps(client);
  const rows = [
    ...shown.people.map((one) => ['person', one.id, '', one.displayName, one.email || 'service principal']),
    ...shown.apps.map((one) => ['app', one.id, '', one.displayName, one.description]),
    ...shown.accounts.map((one) => ['account', one.id, nameOf(one.appId), one.username || one.displayName, one.email]),
    ...shown.entitlements.map((one) => ['entitlement', one.id, nameOf(one.appId), one.displayName, one.description]),
    ...shown.resources.map((one) => ['resource', one.id, nameOf(one.appId), one.displayName, one.description]),
  ];
  const cells = rows.map((row) => row.map((cell) => cell ?? ''));
  writeLines(io.stdout, cells.length === 0 ? 'Nothing was found.' : formatTable(['KIND', 'ID', 'IN', 'NAME', ''], cells));
  const more = Object.entries(found).flatMap(([kind, list]) => (list.length > limit ? [kind] : []));
  if (more.length > 0) {
    writeLines(io.stdout, `There are more ${more.join(', ')}: search for more of the name, or raise --limit.`);
  }
}

async function searchAll(client: Client, query: string, most: number): Promise<Found> {
  const request = { query, pageSize: Math.min(most, 100) };
  const [people, apps, accounts, entitlements, resources] = await Promise.all([
    listAll(client.pages(UserService.method.search, request), most),
    listAll(client.pages(AppService.method.search, request), most),
    listAll(client.pages(AppUserService.method.search, request), most),
    listAll(client.pages(AppEntitlementSearchService.method.search, request), most),
    listAll(client.pages(AppResourceService.method.searchAppResources, request), most),
  ]);
  return {
    people: people.flatMap(({ user }) => user ?? []),
    apps,
    accounts: accounts.flatMap(({ appUser }) => appUser ?? []),
    entitlements: entitlements.flatMap(({ appEntitlement }) => appEntitlement ?? []),
    resources: resources.flatMap(({ appResource }) => appResource ?? []),
  };
}
