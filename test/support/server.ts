/**
 * The whole service for a test file: a fresh database of the shared PostgreSQL, everything app.ts puts together, and clients that speak
 * HTTP to it. Every reply is checked against the contract. Rules without HTTP around them are tested with tenants.ts instead.
 */
import { type Client, type ClientCredential, createClient } from '../../src/client/index.ts';
import { type App, startApp } from '../../src/app.ts';
import { createTenantWithAdministrator } from '../../src/cli/local/bootstrap.ts';
import { readConfig, type ServeConfig } from '../../src/config/read-config.ts';
import { createCredential } from '../../src/foundation/credentials/index.ts';
import { createUser } from '../../src/foundation/directory/index.ts';
import { createTenantFinder } from '../../src/foundation/tenants/index.ts';
import { reactions } from '../../src/reactions.ts';
import { AuthService } from '../../src/gen/c1/api/auth/v1/auth_service_pb.js';
import { ImportService } from '../../src/gen/countersign/v1/imports_pb.js';
import { IssuedCredentialService } from '../../src/gen/countersign/v1/people_pb.js';
import { type Logger, type RoleName, type Context, silentLogger, systemActor } from '../../src/context.ts';
import { type DataSet, readDataSet } from './data-sets.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { fetchAsHost } from './fetch-as-host.ts';
import { requireReactions } from './heard-changes.ts';
import { requireCatalogue } from './kept-events.ts';

/** Somebody who works through the API. */
export interface TestPerson {
  readonly id: string;
  readonly email: string;
  readonly credential: ClientCredential;
  readonly client: Client;
}

/** A tenant of the server under test. */
export interface ServedTenant {
  readonly id: string;
  readonly host: string;
  /** Address of this tenant. */
  readonly url: string;
  /** The first Super Administrator. */
  readonly admin: TestPerson;
  /** A context that acts as the system now: to prepare what the API offers no way for. */
  system(): Context;
  /** Makes a person with a credential of their own. */
  makePerson(email: string, roles?: readonly RoleName[]): Promise<TestPerson>;
  /** A client for somebody who is there already, by a credential of their own. */
  ownClient(userId: string): Promise<TestPerson>;
  /** Somebody whose credential is known. */
  reach(person: Omit<TestPerson, 'client'>): TestPerson;
  /** The same, by a credential that the administrator issues. */
  issueClient(userId: string): Promise<TestPerson>;
  /** Imports people and grants of a data set (app: its name) and returns what was sent. */
  importData(name: string): Promise<DataSet>;
  /** Sends a request as it is; `path` begins with a slash. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** A server and its first tenant. */
export interface TestServer extends ServedTenant {
  readonly app: App;
  readonly test: TestDatabase;
  /** Another tenant of the same server, under a host name of its own. */
  makeTenant(name: string): Promise<ServedTenant>;
  stop(): Promise<void>;
}

/** Differences from test to test. */
export interface TestServerOptions {
  readonly config?: Partial<ServeConfig>;
  readonly log?: Logger;
  readonly checkReplies?: boolean;
  /** Lets identity providers be on this machine over plain http. */
  readonly allowsLocalIssuers?: boolean;
  /** Origins of others, and where they are asked in their place. */
  readonly standIns?: ReadonlyMap<string, string>;
  /** Use this database rather than a fresh one; it is not closed by `stop`. */
  readonly test?: TestDatabase;
  /** The first tenant, where the database has it already: a copy of another file's. It gets the address of this server. */
  readonly tenant?: MadeTenant;
}

/** Facts of a tenant from when it was made. */
export interface MadeTenant {
  readonly id: string;
  readonly host: string;
  readonly adminId: string;
  readonly adminEmail: string;
  readonly credential: ClientCredential;
}

/** The server that files of this process share, once one has asked for it. It ends with the process. */
let shared: Promise<TestServer> | undefined;
let tenantsOfShared = 0;

/**
 * Returns a tenant of its own on a server that other files use, too: half the cost of a file was a server and a database that knew no statement yet.
 * For files that look at no other tenant's rows, and stop, flood or configure nothing. Each has an address of its own (127.0.0.0/8), which browsers
 * and commands reach as they are; where a system has one such address alone, the file gets a server of its own.
 */
export async function useTestServer(): Promise<TestServer> {
  if (process.platform !== 'linux') {
    return startTestServer();
  }
  shared ??= startTestServer({ config: { host: '0.0.0.0' } }).then((server) => ({
    ...server,
    app: { ...server.app, stop: refuse },
    test: { ...server.test, close: refuse },
  }));
  const server = await shared;
  const number = ++tenantsOfShared;
  const address = `127.0.${1 + Math.floor(number / 250)}.${1 + (number % 250)}:${server.app.port}`;
  const own = await serveTenant(server.app, `http://${address}`, address, 'admin@127.0.0.1');
  return {
    ...own,
    app: server.app,
    test: server.test,
    makeTenant: (name) => serveTenant(server.app, own.url, `${name}-${number}:${server.app.port}`),
    stop: () => Promise.resolve(),
  };
}

/** Other files go on with it. */
function refuse(): Promise<never> {
  return Promise.reject(new Error('This server is shared: a file that stops one starts its own with startTestServer().'));
}

/** Starts a server on a free port; call `stop` in afterAll. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const test = options.test ?? (await openTestDatabase());
  const config: ServeConfig = { ...readConfig({}, {}), databaseUrl: test.url, host: '127.0.0.1', port: 0, poolSize: 8, ...options.config };
  if (options.test === undefined) {
    await requireReactions(test);
    await requireCatalogue(test);
  }
  const app = await startApp(config, {
    log: options.log ?? silentLogger,
    checkReplies: options.checkReplies ?? true,
    allowsLocalIssuers: options.allowsLocalIssuers ?? false,
    standIns: options.standIns ?? new Map(),
  });
  const scheme = config.tls === undefined ? 'http' : 'https';
  const base = `${scheme}://127.0.0.1:${app.port}`;
  const host = `127.0.0.1:${app.port}`;
  const first = options.tenant === undefined ? await serveTenant(app, base, host) : await moveTenant(app, test, base, host, options.tenant);
  return {
    ...first,
    app,
    test,
    makeTenant: (name) => serveTenant(app, base, `${name}:${app.port}`),
    async stop() {
      await app.stop();
      if (options.test === undefined) {
        await test.close();
      }
    },
  };
}

const secretLabel = 'conductorone.com';

async function serveTenant(
  app: App,
  base: string,
  host: string,
  adminEmail: string = `admin@${host.split(':')[0]}`,
): Promise<ServedTenant> {
  const input = { host, displayName: host, adminEmail, secretLabel };
  const made = await createTenantWithAdministrator({ database: app.database, now: new Date(), log: silentLogger }, input);
  const tenant = await createTenantFinder(app.database).findByHost(made.tenantHost);
  if (tenant === undefined) {
    throw new Error(`the tenant ${host} was not made`);
  }
  const credential = { clientId: made.clientId, clientSecret: made.clientSecret };
  const client = createClient({ url: base, credential, fetch: fetchFor(base, made.tenantHost) });
  const { userId: adminId = '' } = await client.call(AuthService.method.introspect, {});
  return reachTenant(app, base, { id: tenant.id, host: made.tenantHost, adminId, adminEmail, credential });
}

/** A tenant that was copied with its database, from now on at this address. */
async function moveTenant(app: App, test: TestDatabase, base: string, host: string, tenant: MadeTenant): Promise<ServedTenant> {
  await test.admin('UPDATE tenant_hosts SET host = $2 WHERE tenant_id = $1', [tenant.id, host]);
  await test.admin('UPDATE personal_clients SET client_id = replace(client_id, $2, $3) WHERE tenant_id = $1', [
    tenant.id,
    tenant.host,
    host,
  ]);
  const { clientId, clientSecret } = tenant.credential;
  return reachTenant(app, base, { ...tenant, host, credential: { clientId: clientId.replace(tenant.host, host), clientSecret } });
}

/** A name nobody resolves: the address stays that of the server, and only the Host header says which tenant is meant. */
function fetchFor(base: string, host: string): typeof fetch {
  return new URL(base).host === host ? fetch : fetchAsHost(host);
}

function reachTenant(app: App, base: string, { id: tenantId, host, adminId, adminEmail, credential: own }: MadeTenant): ServedTenant {
  const send = fetchFor(base, host);
  const clientFor = (credential: ClientCredential): Client => createClient({ url: base, credential, fetch: send });
  const system = (): Context => ({
    db: app.database.tenant(tenantId),
    tenantId,
    actor: systemActor('test'),
    now: new Date(),
    log: silentLogger,
    react: reactions,
  });
  const person = (id: string, email: string, credential: ClientCredential): TestPerson => ({
    id,
    email,
    credential,
    client: clientFor(credential),
  });
  const admin = person(adminId, adminEmail, own);
  const issue = async (id: string, email: string): Promise<TestPerson> => {
    const { client, clientSecret } = await admin.client.call(IssuedCredentialService.method.issue, { userId: id, displayName: 'Test' });
    return person(id, email, { clientId: client?.clientId ?? '', clientSecret: clientSecret ?? '' });
  };
  const makeOwn = async (id: string, email: string): Promise<TestPerson> => {
    const { row, secret } = await createCredential(system(), { userId: id, displayName: 'Test', secretLabel });
    return person(id, email, { clientId: row.clientId, clientSecret: secret });
  };
  return {
    id: tenantId,
    host,
    url: base,
    admin,
    system,
    async makePerson(email, roles = []) {
      const id = await createUser(system(), { email, displayName: email.split('@')[0] ?? email, roles });
      return makeOwn(id, email);
    },
    ownClient: (id) => makeOwn(id, ''),
    reach: ({ id, email, credential }) => person(id, email, credential),
    issueClient: (id) => issue(id, ''),
    async importData(name) {
      const data = readDataSet(name);
      const upload = (csv: Buffer) => ({ content: new Blob([new Uint8Array(csv)]).stream(), gzip: false });
      await admin.client.upload(ImportService.method.importPeople, {}, upload(data.peopleCsv));
      await admin.client.upload(ImportService.method.importGrants, { app: name }, upload(data.grantsCsv));
      return data;
    },
    fetch: (path, init) => send(`${base}${path}`, init ?? {}),
  };
}
