/** `countersign principal create|list|delete`: service principals and their credentials, through the API. */
import type { Command } from 'commander';
import { ServicePrincipalService } from '../gen/c1/api/service_principal/v1/service_principal_service_pb.js';
import { UserRoleService } from '../gen/countersign/v1/people_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { lifespanOption, lifespans } from './credential.ts';
import { listRoles, roleIdOf } from './find.ts';
import { collect, CommandFailure, type CommandIo, writeJson, writeLines } from './io.ts';
import { listAll, showList } from './list.ts';

interface CreateOptions extends ConnectOptions {
  readonly name: string;
  readonly role?: readonly string[];
  readonly allow?: readonly string[];
  readonly expires: keyof typeof lifespans;
}

/** Adds the `principal` commands. */
export function addPrincipalCommands(program: Command, io: CommandIo): void {
  const group = program.command('principal').description('service principals: users of programs');

  withConnection(group.command('create').description('make a service principal with a credential and print its secret, once'))
    .requiredOption('--name <name>', 'its display name')
    .option('--role <role>', 'a role it holds; repeat it for several', collect)
    .addOption(lifespanOption())
    .option('--allow <cidr>', 'only from these addresses (a CIDR block); repeat it for several', collect)
    .action((options: CreateOptions) => runCreate(io, options));

  withConnection(group.command('list').description('list service principals')).action(async (options: ConnectOptions) => {
    const found = await listAll(connect(io, options).pages(ServicePrincipalService.method.list, {}));
    showList(io, options, found, ['ID', 'CREATED', 'NAME'], (one) => [one.id ?? '', one.createdAt ?? '', one.displayName ?? '']);
  });

  withConnection(
    group.command('delete').description('delete a service principal with its credentials: their tokens stop working within seconds'),
  )
    .argument('<id>', 'id of the service principal')
    .action(async (id: string, options: ConnectOptions) => {
      await connect(io, options).call(ServicePrincipalService.method.delete, { id });
      if (options.json === true) {
        writeJson(io.stdout, { id, deleted: true });
        return;
      }
      writeLines(io.stdout, `${id} is deleted.`);
    });
}

async function runCreate(io: CommandIo, options: CreateOptions): Promise<void> {
  const client = connect(io, options);
  const expires = lifespans[options.expires];
  // Looked up before anything is made: a role that is misspelt leaves nothing behind.
  const known = options.role === undefined ? [] : await listRoles(client);
  const roleIds = (options.role ?? []).map((role) => roleIdOf(known, role));
  const { servicePrincipal } = await client.call(ServicePrincipalService.method.create, { displayName: options.name });
  const id = servicePrincipal?.id ?? '';
  if (roleIds.length > 0) {
    await client.call(UserRoleService.method.setRoles, { userId: id, roleIds });
  }
  const { credential, clientSecret } = await client.call(ServicePrincipalService.method.createCredential, {
    servicePrincipalId: id,
    displayName: 'command line',
    allowSourceCidrs: [...(options.allow ?? [])],
    ...(expires === undefined ? {} : { expires }),
  });
  if (credential?.clientId === undefined || clientSecret === undefined) {
    throw new CommandFailure('the server answered without the credential');
  }
  const { clientId, expiresAt } = credential;
  if (options.json === true) {
    writeJson(io.stdout, { id, clientId, clientSecret, expiresTime: expiresAt });
    return;
  }
  writeLines(
    io.stdout,
    `principal      ${id}`,
    `client id      ${clientId}`,
    `client secret  ${clientSecret}`,
    `expires        ${expiresAt ?? 'never'}`,
    'The secret is shown only once.',
  );
}
