/** `countersign identity ...` and `countersign account ...`: what does not fit between people and accounts, and whose an account is, through the API. */
import type { Command } from 'commander';
import type { Client } from '../client/index.ts';
import type { AppUserJson } from '../gen/c1/api/app/v1/app_pb.js';
import { AppService } from '../gen/c1/api/app/v1/app_service_pb.js';
import { AppUserService } from '../gen/c1/api/app/v1/app_user_service_pb.js';
import type { UserJson } from '../gen/c1/api/user/v1/user_pb.js';
import {
  AccountOwnerService,
  type AmbiguousAccountJson,
  IdentityService,
  type LeaverWithAccountsJson,
} from '../gen/countersign/v1/identity_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findApp, findPerson } from './find.ts';
import { CommandFailure, type CommandIo, formatTable, writeJson, writeLines } from './io.ts';

interface ListOptions extends ConnectOptions {
  readonly app?: string;
}

/** Adds `identity leavers`, `identity unowned`, `identity ambiguous` and `identity no-manager`. */
export function addIdentityCommands(program: Command, io: CommandIo): void {
  const group = program.command('identity').description('what does not fit between people and accounts');
  const ofApp = (name: string, description: string): Command =>
    withConnection(group.command(name).description(description)).option('--app <app>', 'only accounts of this app: its name or id');

  ofApp('leavers', 'people who left and still have enabled accounts').action(async (options: ListOptions) => {
    const client = connect(io, options);
    const found: LeaverWithAccountsJson[] = await all(
      client.pages(IdentityService.method.listLeaversWithAccounts, await filterOf(client, options)),
    );
    show(io, options, found, ['EMAIL', 'NAME', 'STATUS', 'EMPLOYMENT', 'ACCOUNTS'], ({ user, accountCount }) => [
      user?.email ?? '',
      user?.displayName ?? '',
      user?.status ?? '',
      user?.employmentStatus ?? '',
      String(accountCount ?? 0),
    ]);
  });

  ofApp('unowned', 'accounts that nobody owns').action(async (options: ListOptions) => {
    const client = connect(io, options);
    const found: AppUserJson[] = await all(client.pages(IdentityService.method.listUnownedAccounts, await filterOf(client, options)));
    const nameOf = await appNames(client);
    show(io, options, found, ['APP', 'ACCOUNT', 'EMAIL', 'TYPE', 'STATUS'], (account) => [
      nameOf(account),
      account.username ?? '',
      account.email ?? '',
      (account.appUserType ?? '').replace('APP_USER_TYPE_', ''),
      (account.status?.status ?? '').replace('STATUS_', ''),
    ]);
  });

  ofApp('ambiguous', "accounts that match several people and are therefore nobody's").action(async (options: ListOptions) => {
    const client = connect(io, options);
    const found: AmbiguousAccountJson[] = await all(
      client.pages(IdentityService.method.listAmbiguousAccounts, await filterOf(client, options)),
    );
    const nameOf = await appNames(client);
    show(io, options, found, ['APP', 'ACCOUNT', 'MATCHES', 'AMONG THEM'], ({ appUser, matchCount, candidates }) => [
      nameOf(appUser),
      appUser?.username ?? '',
      String(matchCount ?? 0),
      (candidates ?? []).map((one) => one.email || one.displayName || one.id).join(', '),
    ]);
  });

  withConnection(group.command('no-manager').description('enabled people without a manager')).action(async (options: ConnectOptions) => {
    const found: UserJson[] = await all(connect(io, options).pages(IdentityService.method.listPeopleWithoutManager, {}));
    show(io, options, found, ['EMAIL', 'NAME', 'DEPARTMENT'], (user) => [user.email ?? '', user.displayName ?? '', user.department ?? '']);
  });
}

interface AssignOptions extends ConnectOptions {
  readonly app: string;
  readonly account: string;
  readonly to?: string;
}

/** Adds `account assign` and `account release`. */
export function addAccountCommands(program: Command, io: CommandIo): void {
  const group = program.command('account').description('whose an account is');
  const ofAccount = (name: string, description: string): Command =>
    withConnection(group.command(name).description(description))
      .requiredOption('--app <app>', 'the name or id of the app')
      .requiredOption('--account <account>', 'its name in the app, its mail address or its id');

  ofAccount('assign', 'say whose it is; syncs leave that as it is')
    .requiredOption('--to <person>', 'mail address or id, "" for nobody')
    .action(async (options: AssignOptions) => {
      const client = connect(io, options);
      const account = await findAccount(client, options);
      const person = (options.to ?? '') === '' ? undefined : await findPerson(client, options.to ?? '');
      const { appUser } = await client.call(AccountOwnerService.method.setOwner, { ...account, userId: person?.id ?? '' });
      if (options.json === true) {
        writeJson(io.stdout, appUser);
        return;
      }
      writeLines(io.stdout, `${appUser?.username ?? ''} is ${person === undefined ? "nobody's" : `owned by ${person.email}`} from now on.`);
    });

  ofAccount('release', 'give it back to whom it matches').action(async (options: AssignOptions) => {
    const client = connect(io, options);
    const { appUser, matchCount = 0 } = await client.call(AccountOwnerService.method.releaseOwner, await findAccount(client, options));
    if (options.json === true) {
      writeJson(io.stdout, { appUser, matchCount });
      return;
    }
    const owner = appUser?.identityUserId ?? '';
    const whose =
      owner !== ''
        ? `owned by ${(await findPerson(client, owner)).email}`
        : matchCount > 1
          ? `nobody's: it matches ${matchCount} people`
          : "nobody's";
    writeLines(io.stdout, `${appUser?.username ?? ''} is ${whose}.`);
  });
}

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of pages) {
    found.push(one);
  }
  return found;
}

function show<T>(
  io: CommandIo,
  options: ConnectOptions,
  found: readonly T[],
  headings: readonly string[],
  cells: (one: T) => string[],
): void {
  if (options.json === true) {
    writeJson(io.stdout, found);
    return;
  }
  writeLines(io.stdout, found.length === 0 ? 'None.' : formatTable(headings, found.map(cells)));
}

async function filterOf(client: Client, options: ListOptions): Promise<{ appId?: string }> {
  return options.app === undefined ? {} : { appId: (await findApp(client, options.app)).id };
}

async function appNames(client: Client): Promise<(account: AppUserJson | undefined) => string> {
  const names = new Map<string, string>();
  for await (const app of client.pages(AppService.method.list, {})) {
    names.set(app.id ?? '', app.displayName ?? '');
  }
  return (account) => names.get(account?.appId ?? '') ?? account?.appId ?? '';
}

/** The ids of the one account that is meant; a failure where none is, or more than one. */
async function findAccount(client: Client, { app, account }: AssignOptions): Promise<{ appId: string; appUserId: string }> {
  const { id: appId } = await findApp(client, app);
  const wanted = account.trim().toLowerCase();
  const isMeant = (one: AppUserJson): boolean =>
    one.id === account.trim() ||
    [...(one.usernames ?? []), ...(one.emails ?? []), one.displayName ?? ''].some((name) => name.toLowerCase() === wanted);
  const byText = await all(client.pages(AppUserService.method.search, { appIds: [appId], query: account }));
  const byId = byText.length > 0 ? [] : await all(client.pages(AppUserService.method.search, { appIds: [appId], appUserIds: [account] }));
  const found = [...byText, ...byId].flatMap(({ appUser }) => (appUser !== undefined && isMeant(appUser) ? [appUser] : []));
  const [only] = found;
  if (only?.id === undefined || found.length > 1) {
    const more = found.map((one) => `${one.username} (${one.id})`).join(', ');
    throw new CommandFailure(
      found.length > 1
        ? `"${account}" is the name of several accounts; give the id of one: ${more}`
        : `there is no account "${account}" in this app`,
    );
  }
  return { appId, appUserId: only.id };
}
