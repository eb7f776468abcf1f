/** `countersign credential create|list|revoke` through the API; `create --local`, past the API, is in credential-local.ts. */
import { type Command, Option } from 'commander';
import type { Client } from '../client/index.ts';
import type { PersonalClientJson } from '../gen/c1/api/iam/v1/iam_pb.js';
import { PersonalClientService } from '../gen/c1/api/iam/v1/personal_client_service_pb.js';
import { IssuedCredentialService } from '../gen/countersign/v1/people_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { findPerson, listRoles, roleIdOf } from './find.ts';
import { collect, CommandFailure, type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, showList } from './list.ts';
import { type LocalOptions, withDatabase } from './local-database.ts';

interface CreateOptions extends ConnectOptions, LocalOptions {
  readonly name: string;
  readonly expires: keyof typeof lifespans;
  readonly allow?: readonly string[];
  readonly role?: readonly string[];
  readonly for?: string;
  readonly local?: boolean;
  readonly tenantHost?: string;
}

/** What the three lifespans are on the wire. */
export const lifespans = { '30d': '2592000s', '90d': '7776000s', never: undefined } as const;

/** How long a new credential lives: it ends unless somebody says otherwise. */
export function lifespanOption(): Option {
  return new Option('--expires <lifespan>', 'how long it lives').choices(Object.keys(lifespans)).default('90d');
}

/** Adds the `credential` commands. */
export function addCredentialCommands(program: Command, io: CommandIo): void {
  const group = program.command('credential').description('API credentials');

  withDatabase(withConnection(group.command('create').description('make a credential and print its secret, once')))
    .option('--name <name>', 'its display name', 'command line')
    .addOption(lifespanOption())
    .option('--allow <cidr>', 'only from these addresses (a CIDR block); repeat it for several', collect)
    .option('--role <role>', 'only this role of yours, or with --for a role of theirs that only reads; repeat it for several', collect)
    .option('--for <email>', 'for another person, who cannot decide your own access with it')
    .option('--local', 'work on the database itself, together with --for: for an administrator without a credential')
    .option('--tenant-host <host>', 'with --local: the tenant, if there are several')
    .action(async (options: CreateOptions) => {
      const made = options.local === true ? await createLocal(io, options) : await createThroughApi(connect(io, options), options);
      if (options.json === true) {
        writeJson(io.stdout, made);
        return;
      }
      writeLines(
        io.stdout,
        `client id      ${made.clientId}`,
        `client secret  ${made.clientSecret}`,
        `expires        ${made.expiresTime ?? 'never'}`,
        'The secret is shown only once.',
      );
    });

  withConnection(group.command('list').description('list your credentials')).action(async (options: ConnectOptions) => {
    const found = await listAll(connect(io, options).pages(PersonalClientService.method.list, {}));
    showList(io, options, found, ['ID', 'CLIENT ID', 'EXPIRES', 'LAST USED', 'NAME'], (one) => [
      one.id ?? '',
      one.clientId ?? '',
      one.expiresTime ?? 'never',
      one.lastUsedAt ?? 'never',
      one.displayName ?? '',
    ]);
  });

  withConnection(group.command('revoke').description('revoke a credential: its tokens stop working within seconds'))
    .argument('<credential>', 'its id or client id')
    .action(async (credential: string, options: ConnectOptions) => {
      const client = connect(io, options);
      const id = credential.includes('@') ? await findByClientId(client, credential) : credential;
      await client.call(PersonalClientService.method.delete, { id });
      if (options.json === true) {
        writeJson(io.stdout, { id, revoked: true });
        return;
      }
      writeLines(io.stdout, `${credential} is revoked.`);
    });
}

interface Made {
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Absent where it never ends. */
  readonly expiresTime?: string | undefined;
}

async function createLocal(io: CommandIo, options: CreateOptions): Promise<Made> {
  if (options.for === undefined) {
    throw new UsageError('--local needs --for EMAIL: the person who gets the credential');
  }
  if (options.role !== undefined) {
    throw new UsageError('--role does not go together with --local');
  }
  const seconds = lifespans[options.expires]?.replace('s', '');
  const { createLocalCredential } = await import('./credential-local.ts');
  return createLocalCredential(io, options, {
    email: options.for,
    tenantHost: options.tenantHost,
    displayName: options.name,
    allowSourceCidr: options.allow ?? [],
    expiresInSeconds: seconds === undefined ? undefined : Number(seconds),
  });
}

async function createThroughApi(client: Client, options: CreateOptions): Promise<Made> {
  if (options.tenantHost !== undefined) {
    throw new UsageError('--tenant-host goes together with --local; through the API, --url decides the tenant');
  }
  const expires = lifespans[options.expires];
  const request = {
    displayName: options.name,
    ...(expires === undefined ? {} : { expires }),
    ...(options.allow === undefined ? {} : { allowSourceCidr: [...options.allow] }),
  };
  const roles = options.role === undefined ? [] : await listRoles(client);
  const scopedRoles = (options.role ?? []).map((role) => roleIdOf(roles, role));
  let reply: { client?: PersonalClientJson; clientSecret?: string };
  if (options.for !== undefined) {
    const person = await findPerson(client, options.for);
    reply = await client.call(IssuedCredentialService.method.issue, { userId: person.id, ...request, scopedRoles });
  } else {
    reply = await client.call(PersonalClientService.method.create, { ...request, scopedRoles });
  }
  const { client: made, clientSecret } = reply;
  if (made?.id === undefined || made.clientId === undefined || clientSecret === undefined) {
    throw new CommandFailure('the server answered without the credential');
  }
  return { id: made.id, clientId: made.clientId, clientSecret, expiresTime: made.expiresTime };
}

async function findByClientId(client: Client, clientId: string): Promise<string> {
  for await (const credential of client.pages(PersonalClientService.method.list, {})) {
    if (credential.clientId === clientId && credential.id !== undefined) {
      return credential.id;
    }
  }
  throw new CommandFailure(`you have no credential ${clientId}`);
}
