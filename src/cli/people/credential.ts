/** `countersign credential create|list|revoke` through the API; `create --local`, past the API, is in local/credential.ts. */
import type { Client } from '../../client/index.ts';
import type { PersonalClientJson } from '../../gen/c1/api/iam/v1/iam_pb.js';
import { PersonalClientService } from '../../gen/c1/api/iam/v1/personal_client_service_pb.js';
import { IssuedCredentialService } from '../../gen/countersign/v1/people_pb.js';
import { type Commands, formatFacts } from '../frame/commands.ts';
import { withConnection } from '../frame/connect.ts';
import { findPersonId, listRoles, roleIdOf } from '../frame/find.ts';
import type { Given } from '../frame/given.ts';
import { collect, CommandFailure, type CommandIo, UsageError } from '../frame/io.ts';
import { type LocalOptions, withDatabase } from '../local/database.ts';
import { addIssuedAnswersCommand } from './issued-answers.ts';

/** Wire values of the three lifespans. */
export const lifespans = { '30d': '2592000s', '90d': '7776000s', never: undefined } as const;

/** Offers a credential's lifespans: it ends unless somebody says otherwise. */
export const lifespanOption = { '--expires <lifespan>': { text: 'how long it lives', choices: lifespans, fallback: '90d' } } as const;

const options = {
  '--name <name>': { text: 'its display name', fallback: 'command line' },
  ...lifespanOption,
  '--allow <cidr>': { text: 'only from these addresses (a CIDR block); repeat it for several', parse: collect },
  '--role <role>': {
    text: 'only this role of yours, or with --for a role of theirs that only reads; repeat it for several',
    parse: collect,
  },
  '--for <email>': 'for another person, who cannot decide your own access with it',
  '--local': 'work on the database itself, together with --for: for an administrator without a credential',
  '--tenant-host <host>': 'with --local: the tenant, if there are several',
} as const;

type CreateOptions = Given<object, typeof options> & LocalOptions;

/** Adds the `credential` commands. */
export function addCredentialCommands(group: Commands): void {
  group.run('create', {
    description: 'make a credential and print its secret, once',
    shared: (command) => withDatabase(withConnection(command)),
    options,
    act: async (given, session) => {
      const made = given.local === true ? await createLocal(session.io, given) : await createThroughApi(session, given);
      const facts = { 'client id': made.clientId, 'client secret': made.clientSecret, expires: made.expiresTime ?? 'never' };
      return { json: made, text: [...formatFacts(facts), 'The secret is shown only once.'] };
    },
  });

  group.list('list', {
    description: 'list your credentials',
    method: PersonalClientService.method.list,
    columns: {
      ID: 'id',
      'CLIENT ID': 'clientId',
      EXPIRES: ['expiresTime', 'never'],
      'LAST USED': ['lastUsedAt', 'never'],
      NAME: 'displayName',
    },
  });

  addIssuedAnswersCommand(group);

  group.run('revoke', {
    description: 'revoke a credential: its tokens stop working within seconds',
    operands: { '<credential>': 'its id or client id' },
    act: async ({ credential }, { client }) => {
      const id = credential.includes('@') ? await findByClientId(client, credential) : credential;
      await client.call(PersonalClientService.method.delete, { id });
      return { json: { id, revoked: true }, text: `${credential} is revoked.` };
    },
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
  const { createLocalCredential } = await import('../local/credential.ts');
  return createLocalCredential(io, options, {
    email: options.for,
    tenantHost: options.tenantHost,
    displayName: options.name,
    allowSourceCidr: options.allow ?? [],
    expiresInSeconds: seconds === undefined ? undefined : Number(seconds),
  });
}

async function createThroughApi(session: { readonly client: Client }, options: CreateOptions): Promise<Made> {
  if (options.tenantHost !== undefined) {
    throw new UsageError('--tenant-host goes together with --local; through the API, --url decides the tenant');
  }
  const { client } = session;
  const expires = lifespans[options.expires];
  const request = {
    displayName: options.name,
    ...(expires === undefined ? {} : { expires }),
    ...(options.allow === undefined ? {} : { allowSourceCidr: [...options.allow] }),
  };
  const roles = options.role === undefined ? [] : await listRoles(client);
  const scopedRoles = (options.role ?? []).map((role) => roleIdOf(roles, role));
  const reply: { client?: PersonalClientJson; clientSecret?: string } =
    options.for === undefined
      ? await client.call(PersonalClientService.method.create, { ...request, scopedRoles })
      : await client.call(IssuedCredentialService.method.issue, {
          userId: await findPersonId(client, options.for),
          ...request,
          scopedRoles,
        });
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
