/** `countersign user list|roles|sign-in-link`: people, the roles they hold, and links that sign them in. */
import type { Command } from 'commander';
import { UserService } from '../gen/c1/api/user/v1/user_service_pb.js';
import { UserRoleService } from '../gen/countersign/v1/people_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findPerson, listRoles, roleIdOf } from './find.ts';
import { type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, showList } from './list.ts';
import { addSignInLink } from './sign-in-link.ts';

interface RoleOptions extends ConnectOptions {
  readonly set?: string;
  readonly add?: string;
  readonly remove?: string;
}

/** Adds the `user` commands. */
export function addUserCommands(program: Command, io: CommandIo): void {
  const group = program.command('user').description('people and their roles');

  withConnection(group.command('list').description('list people'))
    .option('--query <text>', 'only those whose name or mail address contains this')
    .action(async (options: ConnectOptions & { query?: string }) => {
      const client = connect(io, options);
      const pages =
        options.query === undefined
          ? client.pages(UserService.method.list, {})
          : client.pages(UserService.method.search, { query: options.query });
      const people = (await listAll(pages)).flatMap(({ user }) => user ?? []);
      showList(io, options, people, ['ID', 'EMAIL', 'NAME', 'STATUS', 'DEPARTMENT'], (one) => [
        one.id ?? '',
        one.email ?? '',
        one.displayName ?? '',
        one.status ?? '',
        one.department ?? '',
      ]);
    });

  withConnection(group.command('roles').description("show or change a person's roles"))
    .argument('<person>', 'mail address or id')
    .option('--set <roles>', 'replace the roles by these, separated by commas; "" for none but Basic User')
    .option('--add <roles>', 'add these roles, separated by commas')
    .option('--remove <roles>', 'remove these roles, separated by commas')
    .action((person: string, options: RoleOptions) => runRoles(io, person, options));

  addSignInLink(group, io);
}

async function runRoles(io: CommandIo, who: string, options: RoleOptions): Promise<void> {
  if (options.set !== undefined && (options.add !== undefined || options.remove !== undefined)) {
    throw new UsageError('--set replaces all roles: it does not go together with --add or --remove');
  }
  const client = connect(io, options);
  const person = await findPerson(client, who);
  const roles = await listRoles(client);
  const idsOf = (text: string | undefined): string[] =>
    (text ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
      .map((one) => roleIdOf(roles, one));
  let held = (await client.call(UserRoleService.method.getRoles, { userId: person.id })).roleIds ?? [];
  if (options.set !== undefined || options.add !== undefined || options.remove !== undefined) {
    const removed = new Set(idsOf(options.remove));
    const wanted = options.set === undefined ? [...held, ...idsOf(options.add)].filter((id) => !removed.has(id)) : idsOf(options.set);
    held = (await client.call(UserRoleService.method.setRoles, { userId: person.id, roleIds: [...new Set(wanted)] })).roleIds ?? [];
  }
  const named = held.map((id) => ({ id, displayName: roles.find((role) => role.id === id)?.displayName ?? id }));
  if (options.json === true) {
    writeJson(io.stdout, { userId: person.id, email: person.email, roles: named });
    return;
  }
  writeLines(io.stdout, `${person.displayName || person.email} holds: ${named.map((role) => role.displayName).join(', ')}`);
}
