/** `countersign principal create|list|delete`: service principals and their credentials, through the API. */
import { ServicePrincipalService } from '../../gen/c1/api/service_principal/v1/service_principal_service_pb.js';
import { UserRoleService } from '../../gen/countersign/v1/people_pb.js';
import { type Commands, formatFacts } from '../frame/commands.ts';
import { listRoles, roleIdOf } from '../frame/find.ts';
import { collect, CommandFailure } from '../frame/io.ts';
import { lifespanOption, lifespans } from './credential.ts';

/** Adds the `principal` commands. */
export function addPrincipalCommands(group: Commands): void {
  group.run('create', {
    description: 'make a service principal with a credential and print its secret, once',
    options: {
      '--name <name>': { text: 'its display name', needed: true },
      '--role <role>': { text: 'a role it holds; repeat it for several', parse: collect },
      ...lifespanOption,
      '--allow <cidr>': { text: 'only from these addresses (a CIDR block); repeat it for several', parse: collect },
    },
    act: async ({ name: displayName, role: named = [], allow: allowSourceCidrs = [], expires }, { client }) => {
      const lifespan = lifespans[expires];
      // Looked up before anything is made: a role that is misspelt leaves nothing behind.
      const known = named.length === 0 ? [] : await listRoles(client);
      const roleIds = named.map((role) => roleIdOf(known, role));
      const { servicePrincipal } = await client.call(ServicePrincipalService.method.create, { displayName });
      const id = servicePrincipal?.id ?? '';
      if (roleIds.length > 0) {
        await client.call(UserRoleService.method.setRoles, { userId: id, roleIds });
      }
      const { credential, clientSecret } = await client.call(ServicePrincipalService.method.createCredential, {
        servicePrincipalId: id,
        displayName: 'command line',
        allowSourceCidrs,
        ...(lifespan !== undefined && { expires: lifespan }),
      });
      if (credential?.clientId === undefined || clientSecret === undefined) {
        throw new CommandFailure('the server answered without the credential');
      }
      const { clientId, expiresAt } = credential;
      const facts = { principal: id, 'client id': clientId, 'client secret': clientSecret, expires: expiresAt ?? 'never' };
      return {
        json: { id, clientId, clientSecret, expiresTime: expiresAt },
        text: [...formatFacts(facts), 'The secret is shown only once.'],
      };
    },
  });

  group.list('list', {
    description: 'list service principals',
    method: ServicePrincipalService.method.list,
    columns: { ID: 'id', CREATED: 'createdAt', NAME: 'displayName' },
  });

  group.call('delete', {
    description: 'delete a service principal with its credentials: their tokens stop working within seconds',
    operands: { '<id>': 'id of the service principal' },
    method: ServicePrincipalService.method.delete,
    json: (_, { id }) => ({ id, deleted: true }),
    text: (_, { id }) => `${id} is deleted.`,
  });
}
