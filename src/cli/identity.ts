/** `countersign identity leavers|unowned|ambiguous|no-manager`: leavers, unowned and ambiguous accounts, people without a manager, through the API. */
import type { Command } from 'commander';
import type { Client } from '../client/index.ts';
import type { AppUserJson } from '../gen/c1/api/app/v1/app_pb.js';
import type { UserJson } from '../gen/c1/api/user/v1/user_pb.js';
import { type AmbiguousAccountJson, IdentityService, type LeaverWithAccountsJson } from '../gen/countersign/v1/identity_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findApp } from './find.ts';
import type { CommandIo } from './io.ts';
import { listAll, nameApps, showList } from './list.ts';

interface ListOptions extends ConnectOptions {
  readonly app?: string;
}

/** Adds `identity leavers`, `identity unowned`, `identity ambiguous` and `identity no-manager`. */
export function addIdentityCommands(program: Command, io: CommandIo): void {
  const group = program.command('identity').description('leavers, unowned and ambiguous accounts, people without a manager');
  const ofApp = (name: string, description: string): Command =>
    withConnection(group.command(name).description(description)).option('--app <app>', 'only accounts of this app: its name or id');

  ofApp('leavers', 'people who left and still have enabled accounts').action(async (options: ListOptions) => {
    const client = connect(io, options);
    const found: LeaverWithAccountsJson[] = await listAll(
      client.pages(IdentityService.method.listLeaversWithAccounts, await filterOf(client, options)),
    );
    showList(io, options, found, ['EMAIL', 'NAME', 'STATUS', 'EMPLOYMENT', 'ACCOUNTS'], ({ user, accountCount }) => [
      user?.email ?? '',
      user?.displayName ?? '',
      user?.status ?? '',
      user?.employmentStatus ?? '',
      String(accountCount ?? 0),
    ]);
  });

  ofApp('unowned', 'accounts without an owner').action(async (options: ListOptions) => {
    const client = connect(io, options);
    const found: AppUserJson[] = await listAll(client.pages(IdentityService.method.listUnownedAccounts, await filterOf(client, options)));
    const nameOf = await nameApps(client);
    showList(io, options, found, ['APP', 'ACCOUNT', 'EMAIL', 'TYPE', 'STATUS'], (account) => [
      nameOf(account.appId),
      account.username ?? '',
      account.email ?? '',
      (account.appUserType ?? '').replace('APP_USER_TYPE_', ''),
      (account.status?.status ?? '').replace('STATUS_', ''),
    ]);
  });

  ofApp('ambiguous', 'unowned accounts that match several people').action(async (options: ListOptions) => {
    const client = connect(io, options);
    const found: AmbiguousAccountJson[] = await listAll(
      client.pages(IdentityService.method.listAmbiguousAccounts, await filterOf(client, options)),
    );
    const nameOf = await nameApps(client);
    showList(io, options, found, ['APP', 'ACCOUNT', 'MATCHES', 'AMONG THEM'], ({ appUser, matchCount, candidates }) => [
      nameOf(appUser?.appId),
      appUser?.username ?? '',
      String(matchCount ?? 0),
      (candidates ?? []).map((one) => one.email || one.displayName || one.id).join(', '),
    ]);
  });

  withConnection(group.command('no-manager').description('enabled people without a manager who can be asked about them')).action(
    async (options: ConnectOptions) => {
      const found: UserJson[] = await listAll(connect(io, options).pages(IdentityService.method.listPeopleWithoutManager, {}));
      showList(io, options, found, ['EMAIL', 'NAME', 'DEPARTMENT'], (user) => [
        user.email ?? '',
        user.displayName ?? '',
        user.department ?? '',
      ]);
    },
  );
}

async function filterOf(client: Client, options: ListOptions): Promise<{ appId?: string }> {
  return options.app === undefined ? {} : { appId: (await findApp(client, options.app)).id };
}
