/** Finding by name what the API knows by id, for commands that take either. */
import type { Client } from '../../client/index.ts';
import type { AppJson } from '../../gen/c1/api/app/v1/app_pb.js';
import { AppEntitlementSearchService } from '../../gen/c1/api/app/v1/app_entitlement_search_service_pb.js';
import { AppService } from '../../gen/c1/api/app/v1/app_service_pb.js';
import type { AppUserJson } from '../../gen/c1/api/app/v1/app_pb.js';
import { AppUserService } from '../../gen/c1/api/app/v1/app_user_service_pb.js';
import type { RoleJson } from '../../gen/c1/api/iam/v1/iam_pb.js';
import { RoleService } from '../../gen/c1/api/iam/v1/role_service_pb.js';
import type { UserJson } from '../../gen/c1/api/user/v1/user_pb.js';
import { UserService } from '../../gen/c1/api/user/v1/user_service_pb.js';
import { getAddressKey, getCaselessNameKey, getNameKey } from '../../lib/names/same-name.ts';
import { CommandFailure, UsageError } from './io.ts';
import { listAll } from './list.ts';

const idPattern = /^[0-9A-Za-z]{27}$/;

/** The person with this id or mail address. */
export async function findPerson(client: Client, idOrEmail: string): Promise<UserJson & { id: string }> {
  if (!idOrEmail.includes('@') && !idPattern.test(idOrEmail)) {
    throw new UsageError(`"${idOrEmail}" is neither a mail address nor an id`);
  }
  const wanted = getAddressKey(idOrEmail);
  const request = idOrEmail.includes('@') ? { email: idOrEmail } : { ids: [idOrEmail] };
  for await (const view of client.pages(UserService.method.search, request)) {
    const user = view.user;
    if (user?.id !== undefined && (user.id === idOrEmail || getAddressKey(user.email ?? '') === wanted)) {
      return { ...user, id: user.id };
    }
  }
  throw new CommandFailure(`no person has the ${idOrEmail.includes('@') ? 'mail address' : 'id'} ${idOrEmail}`);
}

/** The app with this id or display name; in another case where only one has it so. */
export async function findApp(client: Client, idOrName: string): Promise<AppJson & { id: string }> {
  // Whoever does not read the inventory lists the apps they own alone, and reads others by their id.
  const byId = idPattern.test(idOrName)
    ? (await client.call(AppService.method.get, { id: idOrName }).catch(() => undefined))?.app
    : undefined;
  if (byId?.id !== undefined) {
    return { ...byId, id: byId.id };
  }
  const [wanted, caseless] = [getNameKey(idOrName), getCaselessNameKey(idOrName)];
  const names: string[] = [];
  const near: (AppJson & { id: string })[] = [];
  for await (const app of client.pages(AppService.method.list, {})) {
    const { id = '', displayName = '' } = app;
    if (id === idOrName || getNameKey(displayName) === wanted) {
      return { ...app, id };
    }
    if (getCaselessNameKey(displayName) === caseless) {
      near.push({ ...app, id });
    }
    names.push(displayName);
  }
  const [only, other] = near;
  if (only !== undefined && other === undefined) {
    return only;
  }
  if (other !== undefined) {
    const found = near.map(({ id, displayName }) => `${displayName} (${id})`).join(', ');
    throw new CommandFailure(`several apps are named "${idOrName}" in another case; name one by its id: ${found}`);
  }
  const some = names.slice(0, 10).join(', ');
  throw new CommandFailure(`there is no app "${idOrName}"${some === '' ? '' : `; there are: ${some}${names.length > 10 ? ', ...' : ''}`}`);
}

/** Returns the id of a person; for options that name one. */
export async function findPersonId(client: Client, idOrEmail: string): Promise<string> {
  return (await findPerson(client, idOrEmail)).id;
}

/** Returns the ids of people, in the order in which they are named. */
export async function findPersonIds(client: Client, idsOrEmails: readonly string[]): Promise<string[]> {
  return Promise.all(idsOrEmails.map((one) => findPersonId(client, one)));
}

/** Returns people by their ids, asked for a hundred at a time. */
export async function readPeople(client: Client, ids: readonly string[]): Promise<Map<string, UserJson>> {
  const wanted = [...new Set(ids)].filter((id) => id !== '');
  const people = new Map<string, UserJson>();
  for (let at = 0; at < wanted.length; at += 100) {
    for await (const { user } of client.pages(UserService.method.search, { ids: wanted.slice(at, at + 100) })) {
      people.set(user?.id ?? '', user ?? {});
    }
  }
  return people;
}

/** Returns the id of an app; for options that name one. */
export async function findAppId(client: Client, idOrName: string): Promise<string> {
  return (await findApp(client, idOrName)).id;
}

/** The entitlement of this app with this id or display name; as it is written, since names of entitlements differ in case alone. */
export async function findEntitlementId(client: Client, appId: string, idOrName: string): Promise<string> {
  const found: string[] = [];
  for (const request of [{ refs: [{ appId, id: idOrName }] }, { appIds: [appId], displayName: idOrName }]) {
    for await (const { appEntitlement } of client.pages(AppEntitlementSearchService.method.search, request)) {
      found.push(appEntitlement?.id ?? '');
    }
  }
  const [id, second] = found;
  if (id === undefined) {
    throw new CommandFailure(
      `there is no entitlement "${idOrName}" in this app; \`countersign search\` finds entitlements by a part of their name`,
    );
  }
  if (second !== undefined) {
    throw new CommandFailure(
      `several entitlements of this app are called "${idOrName}": name one by its id, ${found.slice(0, 5).join(', ')}`,
    );
  }
  return id;
}

/** The ids of the one account that is meant; a failure where none is, or more than one. */
export async function findAccount(
  client: Client,
  { app, account }: { readonly app: string; readonly account: string },
): Promise<{ appId: string; appUserId: string }> {
  const { id: appId } = await findApp(client, app);
  const wanted = getCaselessNameKey(account);
  const isMeant = (one: AppUserJson): boolean =>
    one.id === account.trim() ||
    [...(one.usernames ?? []), ...(one.emails ?? []), one.displayName ?? ''].some((name) => getCaselessNameKey(name) === wanted);
  const byText = await listAll(client.pages(AppUserService.method.search, { appIds: [appId], query: account }));
  const byId =
    byText.length > 0 ? [] : await listAll(client.pages(AppUserService.method.search, { appIds: [appId], appUserIds: [account] }));
  const found = [...byText, ...byId].flatMap(({ appUser }) => (appUser !== undefined && isMeant(appUser) ? [appUser] : []));
  const [only] = found;
  if (only?.id === undefined || found.length > 1) {
    const more = found.map((one) => `${one.username} (${one.id})`).join(', ');
    throw new CommandFailure(
      found.length > 1
        ? `several accounts are named "${account}"; pass the id of one: ${more}`
        : `there is no account "${account}" in this app`,
    );
  }
  return { appId, appUserId: only.id };
}

/** All roles, in the order the server lists them. */
export async function listRoles(client: Client): Promise<RoleJson[]> {
  return listAll(client.pages(RoleService.method.list, {}));
}

/** The id of a role named by id, name or display name, however it is written (super-administrator, "Super Administrator"). */
export function roleIdOf(roles: readonly RoleJson[], text: string): string {
  const plain = (value: string | undefined): string => (value ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
  const role =
    roles.find((one) => one.id === text) ?? roles.find((one) => plain(one.displayName) === plain(text) || plain(one.name) === plain(text));
  if (role?.id === undefined) {
    throw new UsageError(`there is no role "${text}"; the roles are: ${roles.map((one) => one.displayName).join(', ')}`);
  }
  return role.id;
}
