/** `countersign user list|show|roles|suspended|restore|erase|sign-in-link`: people, the roles they hold, and links that sign them in. */
import { UserService } from '../../gen/c1/api/user/v1/user_service_pb.js';
import { UserErasureService } from '../../gen/countersign/v1/erasure_pb.js';
import { UserRoleService } from '../../gen/countersign/v1/people_pb.js';
import type { Commands } from '../frame/commands.ts';
import { findPerson, listRoles, roleIdOf } from '../frame/find.ts';
import { UsageError } from '../frame/io.ts';
import { addSignInLink } from '../sign-in/sign-in-link.ts';
import { addSuspendedCommands } from './suspended.ts';
import { addShowCommand } from './user-show.ts';

/** Adds the `user` commands. */
export function addUserCommands(group: Commands): void {
  group.list('list', {
    description: 'list people',
    options: { '--query <text>': 'only those whose name or mail address contains this' },
    method: UserService.method.search,
    request: () => ({ sort: 'USER_SORT_NAME' as const }),
    item: 'user',
    columns: { ID: 'id', EMAIL: 'email', NAME: 'displayName', STATUS: 'status', DEPARTMENT: 'department' },
  });

  addShowCommand(group);
  group.run('roles', {
    description: "show or change a person's roles",
    operands: { '<person>': 'mail address or id' },
    options: {
      '--set <roles>': 'replace the roles by these, separated by commas; "" for none but Basic User',
      '--add <roles>': 'add these roles, separated by commas',
      '--remove <roles>': 'remove these roles, separated by commas',
    },
    act: async ({ person: named, set, add, remove }, session) => {
      if (set !== undefined && (add !== undefined || remove !== undefined)) {
        throw new UsageError('--set replaces all roles: it does not go together with --add or --remove');
      }
      const { client } = session;
      const person = await findPerson(client, named);
      const roles = await listRoles(client);
      const readIds = (text = ''): string[] =>
        text
          .split(',')
          .map((one) => one.trim())
          .filter((one) => one !== '')
          .map((one) => roleIdOf(roles, one));
      let held = (await client.call(UserRoleService.method.getRoles, { userId: person.id })).roleIds ?? [];
      if (set !== undefined || add !== undefined || remove !== undefined) {
        const removed = new Set(readIds(remove));
        const wanted = set === undefined ? [...held, ...readIds(add)].filter((id) => !removed.has(id)) : readIds(set);
        held = (await client.call(UserRoleService.method.setRoles, { userId: person.id, roleIds: [...new Set(wanted)] })).roleIds ?? [];
      }
      const holds = held.map((id) => ({ id, displayName: roles.find((role) => role.id === id)?.displayName ?? id }));
      return {
        json: { userId: person.id, email: person.email, roles: holds },
        text: `${person.displayName || person.email} holds: ${holds.map((role) => role.displayName).join(', ')}`,
      };
    },
  });

  addSuspendedCommands(group);

  group.run('erase', {
    description: "ask for a person's data to be erased for good; another Super Administrator confirms it",
    operands: { '<person>': 'mail address or id', '<reason>': 'why; do not name the person' },
    act: async ({ person: named, reason }, { client }) => {
      const { id: userId } = await findPerson(client, named);
      const { request = {} } = await client.call(UserErasureService.method.erase, { userId, reason });
      return { json: request, text: `Another Super Administrator has to confirm it: request ${request.id ?? ''}.` };
    },
  });

  addSignInLink(group);
}
