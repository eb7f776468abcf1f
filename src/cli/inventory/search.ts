/** `countersign search TEXT`: people, apps, accounts, entitlements and resources that a text is in, through the API. */
import { type Commands, readLimit } from '../frame/commands.ts';
import type { Client } from '../../client/index.ts';
import type { AppEntitlementJson, AppJson, AppResourceJson, AppUserJson } from '../../gen/c1/api/app/v1/app_pb.js';
import { AppEntitlementSearchService } from '../../gen/c1/api/app/v1/app_entitlement_search_service_pb.js';
import { AppResourceService } from '../../gen/c1/api/app/v1/app_resource_service_pb.js';
import { AppService } from '../../gen/c1/api/app/v1/app_service_pb.js';
import { AppUserService } from '../../gen/c1/api/app/v1/app_user_service_pb.js';
import type { UserJson } from '../../gen/c1/api/user/v1/user_pb.js';
import { UserService } from '../../gen/c1/api/user/v1/user_service_pb.js';
import { formatTable, UsageError } from '../frame/io.ts';
import { listAll, nameApps } from '../frame/list.ts';

interface Found {
  readonly people: readonly UserJson[];
  readonly apps: readonly AppJson[];
  readonly accounts: readonly AppUserJson[];
  readonly entitlements: readonly AppEntitlementJson[];
  readonly resources: readonly AppResourceJson[];
}

/** Adds `search`. */
export function addSearchCommand(program: Commands): void {
  program.run('search', {
    description: 'find people, apps, accounts, entitlements and resources by text',
    operands: {
      '<text...>': 'words that must all be in a name, mail address or description, or an id; any case, with or without accents',
    },
    options: { '--limit <number>': { text: 'the most to list of each kind', fallback: '10' } },
    act: async (given, session) => {
      const limit = readLimit(given);
      const query = given.text.join(' ');
      if (query.trim() === '') {
        throw new UsageError('the text to search for is empty');
      }
      // One more than is shown shows that there are more.
      const found = await searchAll(session.client, query, limit + 1);
      const shown = Object.fromEntries(Object.entries(found).map(([kind, list]) => [kind, list.slice(0, limit)])) as unknown as Found;
      const more = Object.entries(found).flatMap(([kind, list]) => (list.length > limit ? [kind] : []));
      return {
        json: shown,
        text: async () => [
          formatFound(shown, await nameApps(session)),
          ...(more.length > 0 ? [`There are more ${more.join(', ')}: search for more of the name, or raise --limit.`] : []),
        ],
      };
    },
  });
}

function formatFound(found: Found, nameApp: (appId: string | undefined) => string): string {
  const rows = [
    ...found.people.map((one) => ['person', one.id, '', one.displayName, one.email || 'service principal']),
    ...found.apps.map((one) => ['app', one.id, '', one.displayName, one.description]),
    ...found.accounts.map((one) => ['account', one.id, nameApp(one.appId), one.username || one.displayName, one.email]),
    ...found.entitlements.map((one) => ['entitlement', one.id, nameApp(one.appId), one.displayName, one.description]),
    ...found.resources.map((one) => ['resource', one.id, nameApp(one.appId), one.displayName, one.description]),
  ].map((row) => row.map((cell) => cell ?? ''));
  return rows.length === 0 ? 'Nothing was found.' : formatTable(['KIND', 'ID', 'IN', 'NAME', ''], rows);
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
