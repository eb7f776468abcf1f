/** `owner list|add|remove` below `app` and `entitlement`: who owns one of them, people by their mail addresses, through the API. */
import type { Command } from 'commander';
import type { Client } from '../client/index.ts';
import { AppEntitlementOwnerV2Service } from '../gen/c1/api/app/v2/app_entitlement_owner_service_pb.js';
import { AppOwnerV2Service } from '../gen/c1/api/app/v2/app_owner_service_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findApp, findEntitlementId, findPerson } from './find.ts';
import { type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, nameApps, showList } from './list.ts';

interface OwnerOptions extends ConnectOptions {
  readonly app: string;
  readonly entitlement?: string;
  readonly role?: string;
  readonly person?: string;
  readonly holdersOf?: string;
  readonly holdersApp?: string;
}

/** What is owned: a path to the operations of an app's owners, or to those of an entitlement's. */
interface Owned {
  readonly appId: string;
  readonly entitlementId?: string;
}

/** Adds `owner list`, `owner add` and `owner remove` below the group of what is owned. */
export function addOwnerCommands(parent: Command, io: CommandIo, kind: 'app' | 'entitlement'): void {
  const what = kind === 'app' ? 'an app' : 'an entitlement';
  const group = parent.command('owner').description(`who owns ${what}: people, and entitlements whose holders then do`);
  const ofThing = (name: string, description: string): Command => {
    const command = withConnection(group.command(name).description(description)).requiredOption('--app <app>', 'name or id of the app');
    return kind === 'app' ? command : command.requiredOption('--entitlement <entitlement>', 'name or id of the entitlement in this app');
  };
  const ofOwner = (name: string, description: string): Command =>
    ofThing(name, description)
      .option('--person <person>', 'mail address or id of the person')
      .option('--holders-of <entitlement>', 'an entitlement instead, name or id: whoever holds it is an owner')
      .option('--holders-app <app>', 'name or id of the app of that entitlement (default: the same app)')
      .option('--role <role>', 'the role of the owner (default: owner)');

  ofThing('list', `list the owners of ${what} with their roles`)
    .option('--role <role>', 'only those in this role')
    .action((options: OwnerOptions) => runList(io, options));
  ofOwner('add', `make a person, or the holders of an entitlement, owners of ${what}`).action((options: OwnerOptions) =>
    runChange(io, options, 'create'),
  );
  ofOwner('remove', `remove a person, or an entitlement, from the owners of ${what}`).action((options: OwnerOptions) =>
    runChange(io, options, 'delete'),
  );
}

async function findOwned(client: Client, options: OwnerOptions): Promise<Owned> {
  const app = await findApp(client, options.app);
  return options.entitlement === undefined
    ? { appId: app.id }
    : { appId: app.id, entitlementId: await findEntitlementId(client, app.id, options.entitlement) };
}

async function runList(io: CommandIo, options: OwnerOptions): Promise<void> {
  const client = connect(io, options);
  const { appId, entitlementId } = await findOwned(client, options);
  const role = options.role === undefined ? {} : { roleSlug: options.role };
  const [people, entitlements] =
    entitlementId === undefined
      ? [
          await listAll(client.pages(AppOwnerV2Service.method.searchUserOwners, { appId, ...role })),
          await listAll(client.pages(AppOwnerV2Service.method.searchEntitlementOwners, { appId, ...role })),
        ]
      : [
          await listAll(client.pages(AppEntitlementOwnerV2Service.method.searchUserOwners, { appId, entitlementId, ...role })),
          await listAll(client.pages(AppEntitlementOwnerV2Service.method.searchEntitlementOwners, { appId, entitlementId, ...role })),
        ];
  if (options.json === true) {
    writeJson(io.stdout, { people, entitlements });
    return;
  }
  const nameOf = entitlements.length === 0 ? (): string => '' : await nameApps(client);
  const rows = [
    ...people.map(({ roleSlug, user }) => [roleSlug ?? '', 'person', user?.email ?? '', user?.displayName ?? '']),
    ...entitlements.map(({ roleSlug, appEntitlement: one }) => [roleSlug ?? '', 'holders of', one?.displayName ?? '', nameOf(one?.appId)]),
  ];
  showList(io, options, rows, ['ROLE', 'KIND', 'OWNER', 'NAME OR APP'], (row) => row);
}

async function runChange(io: CommandIo, options: OwnerOptions, verb: 'create' | 'delete'): Promise<void> {
  if ((options.person === undefined) === (options.holdersOf === undefined)) {
    throw new UsageError('pass either --person or --holders-of');
  }
  const client = connect(io, options);
  const owned = await findOwned(client, options);
  const roleSlug = options.role ?? 'owner';
  const name = options.person ?? `whoever holds ${options.holdersOf}`;
  const answer =
    options.person === undefined
      ? await changeEntitlement(client, options, owned, verb, roleSlug)
      : await changePerson(client, owned, verb, { roleSlug, userRefId: (await findPerson(client, options.person)).id });
  if (options.json === true) {
    writeJson(io.stdout, answer);
    return;
  }
  const thing = options.entitlement ?? options.app;
  writeLines(io.stdout, `${name} is ${verb === 'create' ? 'an' : 'no longer an'} owner of ${thing} in the role ${roleSlug}.`);
}

function changePerson(
  client: Client,
  { appId, entitlementId }: Owned,
  verb: 'create' | 'delete',
  owner: { readonly roleSlug: string; readonly userRefId: string },
): Promise<unknown> {
  if (entitlementId === undefined) {
    const { createUserOwner, deleteUserOwner } = AppOwnerV2Service.method;
    return verb === 'create' ? client.call(createUserOwner, { ...owner, appId }) : client.call(deleteUserOwner, { ...owner, appId });
  }
  const { createUserOwner, deleteUserOwner } = AppEntitlementOwnerV2Service.method;
  const request = { ...owner, appId, entitlementId };
  return verb === 'create' ? client.call(createUserOwner, request) : client.call(deleteUserOwner, request);
}

async function changeEntitlement(
  client: Client,
  options: OwnerOptions,
  { appId, entitlementId }: Owned,
  verb: 'create' | 'delete',
  roleSlug: string,
): Promise<unknown> {
  const appEntitlementRefAppId = options.holdersApp === undefined ? appId : (await findApp(client, options.holdersApp)).id;
  const appEntitlementRefId = await findEntitlementId(client, appEntitlementRefAppId, options.holdersOf ?? '');
  const owner = { appId, roleSlug, appEntitlementRefAppId, appEntitlementRefId };
  if (entitlementId === undefined) {
    const { createEntitlementOwner, deleteEntitlementOwner } = AppOwnerV2Service.method;
    return verb === 'create' ? client.call(createEntitlementOwner, owner) : client.call(deleteEntitlementOwner, owner);
  }
  const { createEntitlementOwner, deleteEntitlementOwner } = AppEntitlementOwnerV2Service.method;
  const request = { ...owner, entitlementId };
  return verb === 'create' ? client.call(createEntitlementOwner, request) : client.call(deleteEntitlementOwner, request);
}
