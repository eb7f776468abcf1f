/** `owner list|add|remove` below `app` and `entitlement`: who owns one of them, people by their mail addresses, through the API. */
import type { Client } from '../../client/index.ts';
import { AppEntitlementOwnerV2Service } from '../../gen/c1/api/app/v2/app_entitlement_owner_service_pb.js';
import { AppOwnerV2Service } from '../../gen/c1/api/app/v2/app_owner_service_pb.js';
import { type Commands, formatRows } from '../frame/commands.ts';
import { findAppId, findEntitlementId, findPersonId } from '../frame/find.ts';
import { UsageError } from '../frame/io.ts';
import { listAll, nameApps } from '../frame/list.ts';

const ofApp = { '--app <app>': { text: 'name or id of the app', needed: true } } as const;
const ofEntitlement = { '--entitlement <entitlement>': { text: 'name or id of the entitlement in this app', needed: true } } as const;
const ofOwner = {
  '--person <person>': 'mail address or id of the person',
  '--holders-of <entitlement>': 'an entitlement instead, name or id: whoever holds it is an owner',
  '--holders-app <app>': 'name or id of the app of that entitlement (default: the same app)',
  '--role <role>': 'the role of the owner (default: owner)',
} as const;

/** Owned thing and its owner, as the options say. */
interface OwnerOptions {
  readonly app: string;
  readonly entitlement?: string;
  readonly person: string | undefined;
  readonly holdersOf: string | undefined;
  readonly holdersApp: string | undefined;
  readonly role: string | undefined;
}

/** Adds `owner list`, `owner add` and `owner remove` below the group of what is owned. */
export function addOwnerCommands(parent: Commands, kind: 'app' | 'entitlement'): void {
  const what = kind === 'app' ? 'an app' : 'an entitlement';
  const group = parent.group('owner', `who owns ${what}: people, and entitlements whose holders then do`);
  const owned = kind === 'app' ? ofApp : { ...ofApp, ...ofEntitlement };

  group.run('list', {
    description: `list the owners of ${what} with their roles`,
    options: { ...owned, '--role <role>': 'only those in this role' },
    act: async (given, { client }) => {
      const { role: roleSlug } = given;
      const request = { ...(await findOwned(client, given)), ...(roleSlug !== undefined && { roleSlug }) };
      const { searchUserOwners, searchEntitlementOwners } = methodsFor(request);
      const people = await listAll(client.pages(searchUserOwners, request));
      const entitlements = await listAll(client.pages(searchEntitlementOwners, request));
      return {
        json: { people, entitlements },
        text: async () => {
          const nameApp = entitlements.length === 0 ? String : await nameApps({ client });
          return formatRows(
            ['ROLE', 'KIND', 'OWNER', 'NAME OR APP'],
            [
              ...people.map(({ roleSlug: role = '', user }) => [role, 'person', user?.email ?? '', user?.displayName ?? '']),
              ...entitlements.map(({ roleSlug: role = '', appEntitlement: one }) => [
                role,
                'holders of',
                one?.displayName ?? '',
                nameApp(one?.appId),
              ]),
            ],
          );
        },
      };
    },
  });

  for (const [name, description, said] of [
    ['add', `make a person, or the holders of an entitlement, owners of ${what}`, 'is an owner'],
    ['remove', `remove a person, or an entitlement, from the owners of ${what}`, 'is no longer an owner'],
  ] as const) {
    group.run(name, {
      description,
      options: { ...owned, ...ofOwner },
      act: async (given: OwnerOptions, session) => {
        const { person, holdersOf, role = 'owner' } = given;
        if ((person === undefined) === (holdersOf === undefined)) {
          throw new UsageError('pass either --person or --holders-of');
        }
        const json = await change(session.client, given, name);
        const who = person ?? `whoever holds ${holdersOf}`;
        return { json, text: `${who} ${said} of ${given.entitlement ?? given.app} in the role ${role}.` };
      },
    });
  }
}

/** The ids of what is owned. */
async function findOwned(
  client: Client,
  { app, entitlement }: { readonly app: string; readonly entitlement?: string },
): Promise<{ appId: string; entitlementId?: string }> {
  const appId = await findAppId(client, app);
  return entitlement === undefined ? { appId } : { appId, entitlementId: await findEntitlementId(client, appId, entitlement) };
}

/** The operations of an entitlement's owners are those of an app's, with the entitlement in the path. */
function methodsFor({ entitlementId }: { readonly entitlementId?: string }): typeof AppOwnerV2Service.method {
  return entitlementId === undefined
    ? AppOwnerV2Service.method
    : (AppEntitlementOwnerV2Service.method as unknown as typeof AppOwnerV2Service.method);
}

async function change(client: Client, given: OwnerOptions, name: 'add' | 'remove'): Promise<unknown> {
  const { person, holdersOf = '', holdersApp, role: roleSlug = 'owner' } = given;
  const owned = await findOwned(client, given);
  const { createUserOwner, deleteUserOwner, createEntitlementOwner, deleteEntitlementOwner } = methodsFor(owned);
  if (person !== undefined) {
    const request = { ...owned, roleSlug, userRefId: await findPersonId(client, person) };
    return name === 'add' ? client.call(createUserOwner, request) : client.call(deleteUserOwner, request);
  }
  const appEntitlementRefAppId = holdersApp === undefined ? owned.appId : await findAppId(client, holdersApp);
  const appEntitlementRefId = await findEntitlementId(client, appEntitlementRefAppId, holdersOf);
  const request = { ...owned, roleSlug, appEntitlementRefAppId, appEntitlementRefId };
  return name === 'add' ? client.call(createEntitlementOwner, request) : client.call(deleteEntitlementOwner, request);
}
