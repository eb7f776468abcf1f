/**
 * A listening server whose methods only show what reached them, for tests of what every method has in common: status codes, bodies, hosts,
 * errors. Not for tests of any operation; those use the whole service.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Tenant } from '../../src/foundation/tenants/index.ts';
import { AppError } from '../../src/errors.ts';
import { AppOwnerService } from '../../src/gen/c1/api/app/v1/app_owner_service_pb.js';
import type { Role } from '../../src/gen/c1/api/iam/v1/iam_pb.js';
import { RoleService } from '../../src/gen/c1/api/iam/v1/role_service_pb.js';
import { UserService } from '../../src/gen/c1/api/user/v1/user_service_pb.js';
import { type Import, ImportService } from '../../src/gen/countersign/v1/imports_pb.js';
import { createServer, type ServerParts } from '../../src/http/server.ts';
import { type Logger, type RoleName, noReactions, silentLogger } from '../../src/context.ts';
import type { Row } from '../../src/wire/row.ts';
import { type Call, implement, implementPart } from '../../src/wire/service.ts';
import { openTestDatabase } from './database.ts';

/** A request as a method saw it. */
export interface SeenCall {
  readonly method: string;
  readonly call: Call;
  readonly message: unknown;
}

export interface FrameworkServer {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly port: number;
  /** The last call that reached a method, taken out. */
  takeSeen(): SeenCall | undefined;
  /** Everything that was logged. */
  readonly logged: { readonly level: string; readonly fields: object; readonly message: string | undefined }[];
  /** Sends bytes as they are and answers with all that comes back until the server closes or is silent for 300 ms. */
  sendRaw(text: string): Promise<string>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** As `fetch`, as somebody with these roles; the token is the list of them. */
  fetchAs(roles: readonly RoleName[], path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts it. Known hosts: the loopback names on its port, and `tenant.example`. A token is a list of role names. */
export async function startFrameworkServer(options: Partial<ServerParts> = {}): Promise<FrameworkServer> {
  const { database, close } = await openTestDatabase();
  const logged: FrameworkServer['logged'] = [];
  const write = (level: string) => (fields: object, message?: string) => void logged.push({ level, fields, message });
  const log: Logger = { ...silentLogger, info: write('info'), error: write('error'), warn: write('warn'), child: () => log };
  let seen: SeenCall | undefined;
  const see = (method: string, message: unknown, call: Call): void => {
    seen = { method, call, message };
  };
  const tenant: Tenant = {
    id: '0'.repeat(27),
    host: 'tenant.example',
    displayName: 'Test',
    secret: Buffer.alloc(32, 7),
    issuedCredentialsAllowed: true,
    createdAt: new Date(),
  };
  const app = createServer({
    services: makeServices(see),
    resolveTenant: async (host) => (/^(?:tenant\.example|localhost:\d+|127\.0\.0\.1:\d+)$/.test(host ?? '') ? tenant : undefined),
    authenticator: {
      authenticate: async (_tenant, { authorization, sourceIp, requestId }) => {
        if (authorization === undefined || !authorization.startsWith('Bearer ')) {
          throw new AppError('UNAUTHENTICATED', 'Who are you?');
        }
        const roles = new Set(authorization.slice(7).split(' ') as RoleName[]);
        return { kind: 'credential', userId: 'somebody', credentialId: '', issuerId: '', roles, sourceIp, requestId };
      },
    },
    requireFresh: async () => undefined,
    forgetActors: () => undefined,
    database,
    loaders: new Map(),
    log,
    clock: () => new Date(),
    react: noReactions,
    checkReplies: true,
    trustProxy: [],
    checkReady: async () => undefined,
    ...options,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const send = (path: string, init?: RequestInit): Promise<Response> => fetch(`${url}${path}`, init);
  return {
    app,
    url,
    port,
    takeSeen() {
      const last = seen;
      seen = undefined;
      return last;
    },
    logged,
    async sendRaw(text) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.setTimeout(300, () => socket.destroy());
      socket.write(text);
      let answer = '';
      socket.on('data', (piece) => {
        answer += piece.toString('latin1');
      });
      await once(socket, 'close');
      return answer;
    },
    fetch: send,
    fetchAs: (roles, path, init = {}) => send(path, { ...init, headers: { authorization: `Bearer ${roles.join(' ')}`, ...init.headers } }),
    async stop() {
      await app.close();
      await close();
    },
  };
}

function makeServices(see: (method: string, message: unknown, call: Call) => void): ServerParts['services'] {
  const unused = async (): Promise<never> => {
    throw new AppError('NOT_FOUND', 'not part of these tests');
  };
  const nothing = (method: string) => async (_context: unknown, message: unknown, call: Call) => {
    see(method, message, call);
    return {};
  };
  return [
    implementPart(RoleService, {
      list: async (_context, message, call) => {
        see('list', message, call);
        return { list: [], nextPageToken: call.nextPageToken(['a', 'b']) };
      },
      get: async (_context, message, call) => {
        see('get', message, call);
        failAs(message.roleId);
        return message.roleId === 'broken' ? { role: { displayName: 1 } as never } : { role: { id: message.roleId } as Row<Role> };
      },
    }),
    implementPart(UserService, {
      search: async (_context, message, call) => {
        see('search', message, call);
        return { list: [], nextPageToken: call.nextPageToken(call.page.after === undefined ? ['x'] : undefined) };
      },
      list: unused,
      get: unused,
      introspect: unused,
    }),
    implement(AppOwnerService, {
      add: nothing('add'),
      delete: nothing('delete'),
      remove: nothing('remove'),
      set: nothing('set'),
      list: unused,
      listOwnerIDs: unused,
    }),
    implementPart(ImportService, {
      importPeople: async (_context, message, call) => {
        let bytes = 0;
        for await (const piece of call.body ?? []) {
          bytes += (piece as Buffer).length;
        }
        see('importPeople', message, call);
        return { import: { rows: bytes } as Row<Import>, dryRun: undefined };
      },
      importGrants: unused,
      get: unused,
      list: unused,
    }),
  ];
}

function failAs(name: string): void {
  switch (name) {
    case 'conflict':
      throw new AppError('CONFLICT', 'Somebody was first.', { detail: 'constraint secret_name' });
    case 'limited':
      throw new AppError('RATE_LIMITED', 'Slower.', { retryAfterSeconds: 2.2 });
    case 'away':
      throw new AppError('UNAVAILABLE', 'The database is away.', { cause: new Error('socket /secret/path') });
    case 'crash':
      throw new Error('the password is hunter2');
    case 'nothing':
      throw undefined;
  }
}
