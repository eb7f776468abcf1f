/** `countersign account list|assign|release`: accounts of apps and whose they are, through the API. */
import type { Command } from 'commander';
import type { Client } from '../client/index.ts';
import type { AppUserJson } from '../gen/c1/api/app/v1/app_pb.js';
import { AppUserService } from '../gen/c1/api/app/v1/app_user_service_pb.js';
import { UserService } from '../gen/c1/api/user/v1/user_service_pb.js';
import { AccountOwnerService } from '../gen/countersign/v1/identity_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findAccount, findApp, findPerson } from './find.ts';
import { assignFromFile } from './account-file.ts';
import { type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, nameApps, showList } from './list.ts';

interface AssignOptions extends ConnectOptions {
  readonly app: string;
  readonly account: string;
  readonly to?: string;
}

interface ListOptions extends ConnectOptions {
  readonly app?: string;
  readonly user?: string;
  readonly query?: string;
}

/** Adds `account list`, `account assign` and `account release`. */
export function addAccountCommands(program: Command, io: CommandIo): void {
  const group = program.command('account').description('accounts of apps, and their owners');

  withConnection(group.command('list').description('list accounts with their owners'))
    .option('--app <app>', 'only those of this app: its name or id')
    .option('--user <person>', 'only those of this person: mail address or id')
    .option('--query <text>', 'only those whose name, mail address or id contains this')
    .action((options: ListOptions) => runList(io, options));

  const ofAccount = (name: string, description: string): Command =>
    withConnection(group.command(name).description(description))
      .requiredOption('--app <app>', 'the name or id of the app')
      .requiredOption('--account <account>', 'its name in the app, its mail address or its id');

  withConnection(group.command('assign').description('set the owner of an account, or mark it as unowned; syncs keep that choice'))
    .requiredOption('--app <app>', 'the name or id of the app')
    .option('--account <account>', 'its name in the app, its mail address or its id')
    .option('--to <person>', 'mail address or id; "" marks the account as unowned')
    .option('--file <file>', 'CSV with two columns instead: accounts, and the mail addresses or ids of their owners')
    .action(async (options: AssignOptions & { readonly file?: string }) => {
      const isWhole = options.account !== undefined && options.to !== undefined;
      if (options.file === undefined ? !isWhole : options.account !== undefined || options.to !== undefined) {
        throw new UsageError('pass either --account and --to, or --file');
      }
      if (options.file !== undefined) {
        return assignFromFile(io, options, options.file);
      }
      const client = connect(io, options);
      const account = await findAccount(client, options);
      const person = (options.to ?? '') === '' ? undefined : await findPerson(client, options.to ?? '');
      const { appUser } = await client.call(AccountOwnerService.method.setOwner, { ...account, userId: person?.id ?? '' });
      if (options.json === true) {
        writeJson(io.stdout, appUser);
        return;
      }
      writeLines(io.stdout, `${appUser?.username ?? ''} is ${person === undefined ? 'unowned' : `owned by ${person.email}`} from now on.`);
    });

  ofAccount('release', 'undo assign: the account belongs to the person it matches').action(async (options: AssignOptions) => {
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
          ? `unowned: it matches ${matchCount} people`
          : 'unowned';
    writeLines(io.stdout, `${appUser?.username ?? ''} is ${whose}.`);
  });
}

async function runList(io: CommandIo, options: ListOptions): Promise<void> {
  const client = connect(io, options);
  const views = await listAll(
    client.pages(AppUserService.method.search, {
      ...(options.app === undefined ? {} : { appIds: [(await findApp(client, options.app)).id] }),
      ...(options.user === undefined ? {} : { userIds: [(await findPerson(client, options.user)).id] }),
      ...(options.query === undefined ? {} : { query: options.query }),
    }),
  );
  const found = views.flatMap(({ appUser }) => appUser ?? []);
  const nameOf = options.json === true ? String : await nameApps(client);
  const ownerOf = options.json === true ? String : await nameOwners(client, found);
  showList(io, options, found, ['ID', 'APP', 'ACCOUNT', 'EMAIL', 'OWNER', 'TYPE', 'STATUS'], (account) => [
    account.id ?? '',
    nameOf(account.appId),
    account.username ?? '',
    account.email ?? '',
    ownerOf(account.identityUserId),
    (account.appUserType ?? '').replace('APP_USER_TYPE_', ''),
    (account.status?.status ?? '').replace('STATUS_', ''),
  ]);
}

/** The mail addresses of owners by their ids, asked for a hundred at a time. */
async function nameOwners(client: Client, accounts: readonly AppUserJson[]): Promise<(userId: string | undefined) => string> {
  const ids = [...new Set(accounts.flatMap((account) => account.identityUserId || []))];
  const names = new Map<string, string>();
  for (let at = 0; at < ids.length; at += 100) {
    for await (const { user } of client.pages(UserService.method.search, { ids: ids.slice(at, at + 100) })) {
      names.set(user?.id ?? '', user?.email || (user?.displayName ?? ''));
    }
  }
  return (userId = '') => names.get(userId) ?? userId;
}
