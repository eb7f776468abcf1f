/**
 * The whole service for a test file: a fresh database of the shared PostgreSQL, everything app.ts puts together, and clients that speak
 * HTTP to it. Every reply is checked against the contract. Rules without HTTP around them are tested with tenants.ts instead.
 */
import { type Client, type ClientCredential, createClient } from '../../src/client/index.ts';
import { type App, startApp } from '../../src/app.ts';
import { createTenantWithAdministrator } from '../../src/cli/bootstrap.ts';
import { readConfig, type ServeConfig } from '../../src/config.ts';
import { createCredential } from '../../src/domains/credentials/index.ts';
import { createUser } from '../../src/domains/directory/index.ts';
import { createTenantFinder } from '../../src/domains/tenants/index.ts';
import { reactions } from '../../src/reactions.ts';
import { AuthService } from '../../src/gen/c1/api/auth/v1/auth_service_pb.js';
import { ImportService } from '../../src/gen/countersign/v1/imports_pb.js';
import { IssuedCredentialService } from '../../src/gen/countersign/v1/people_pb.js';
import { type Logger, type RoleName, type Context, silentLogger, systemActor } from '../../src/context.ts';
import { type DataSet, readDataSet } from './data-sets.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { fetchAsHost } from './fetch-as-host.ts';
import { requireReactions } from './heard-changes.ts';

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
  /** Where this tenant is reached. */
  readonly url: string;
  /** The first Super Administrator. */
  readonly admin: TestPerson;
  /** A context that acts as the system now: to prepare what the API offers no way for. */
  system(): Context;
  /** Makes a person. Without roles they get a credential issued by the administrator; with roles, one of their own. */
  makePerson(email: string, roles?: readonly RoleName[]): Promise<TestPerson>;
  /** A client for somebody who is there already, by a credential that the administrator issues. */
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

/** What may differ from test to test. */
export interface TestServerOptions {
  readonly config?: Partial<ServeConfig>;
  readonly log?: Logger;
  readonly checkReplies?: boolean;
  /** Lets identity providers be on this machine over plain http. */
  readonly allowsLocalIssuers?: boolean;
  /** Use this database rather than a fresh one; it is not closed by `stop`. */
  readonly test?: TestDatabase;
}

/** Starts a server on a free port; call `stop` in afterAll. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const test = options.test ?? (await openTestDatabase());
  const config: ServeConfig = { ...readConfig({}, {}), databaseUrl: test.url, host: '127.0.0.1', port: 0, poolSize: 8, ...options.config };
  if (options.test === undefined) {
    await requireReactions(test);
  }
  const app = await startApp(config, {
    log: options.log ?? silentLogger,
    checkReplies: options.checkReplies ?? true,
    allowsLocalIssuers: options.allowsLocalIssuers ?? false,
  });
  const scheme = config.tls === undefined ? 'http' : 'https';
  const base = `${scheme}://127.0.0.1:${app.port}`;
  const first = await serveTenant(app, base, `127.0.0.1:${app.port}`);
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

async function serveTenant(app: App, base: string, host: string): Promise<ServedTenant> {
  const input = { host, displayName: host, adminEmail: `admin@${host.split(':')[0]}`, secretLabel: 'conductorone.com' };
  const made = await createTenantWithAdministrator({ database: app.database, now: new Date(), log: silentLogger }, input);
  const tenant = await createTenantFinder(app.database).findByHost(made.tenantHost);
  if (tenant === undefined) {
    throw new Error(`the tenant ${host} was not made`);
  }
  // A name nobody resolves: the address stays that of the server, and only the Host header says which tenant is meant.
  const send: typeof fetch = new URL(base).host === made.tenantHost ? fetch : fetchAsHost(made.tenantHost);
  const clientFor = (credential: ClientCredential): Client => createClient({ url: base, credential, fetch: send });
  const adminCredential = { clientId: made.clientId, clientSecret: made.clientSecret };
  const adminClient = clientFor(adminCredential);
  const { userId = '' } = await adminClient.call(AuthService.method.introspect, {});
  const system = (): Context => ({
    db: app.database.tenant(tenant.id),
    tenantId: tenant.id,
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
  const issue = async (id: string, email: string): Promise<TestPerson> => {
    const { client, clientSecret } = await adminClient.call(IssuedCredentialService.method.issue, { userId: id, displayName: 'Test' });
    return person(id, email, { clientId: client?.clientId ?? '', clientSecret: clientSecret ?? '' });
  };
  return {
    id: tenant.id,
    host: made.tenantHost,
    url: base,
    admin: person(userId, input.adminEmail, adminCredential),
    system,
    async makePerson(email, roles = []) {
      const id = await createUser(system(), { email, displayName: email.split('@')[0] ?? email, roles });
      if (roles.length === 0) {
        return issue(id, email);
      }
      const { row, secret } = await createCredential(system(), { userId: id, displayName: 'Test', secretLabel: input.secretLabel });
      return person(id, email, { clientId: row.clientId, clientSecret: secret });
    },
    issueClient: (id) => issue(id, ''),
    async importData(name) {
      const data = readDataSet(name);
      const upload = (csv: Buffer) => ({ content: new Blob([new Uint8Array(csv)]).stream(), gzip: false });
      await adminClient.upload(ImportService.method.importPeople, {}, upload(data.peopleCsv));
      await adminClient.upload(ImportService.method.importGrants, { app: name }, upload(data.grantsCsv));
      return data;
    },
    fetch: (path, init) => send(`${base}${path}`, init ?? {}),
  };
}
