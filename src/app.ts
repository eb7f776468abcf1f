/**
 * Puts the program together and starts it: database, modules, jobs, HTTP. Nothing happens when this file is imported; everything a server
 * is told comes in through its configuration.
 */
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { ServeConfig } from './config.ts';
import { isMigrated, migrate } from './db/migrate.ts';
import { openDatabase } from './db/open.ts';
import type { Database } from './db/types.ts';
import { recordTenantCreated, services as auditServices } from './domains/audit/index.ts';
import { services as attributeServices } from './domains/classifications/index.ts';
import {
  accountLoader,
  appLoader,
  entitlementLoader,
  resourceLoader,
  resourceTypeLoader,
  services as catalogServices,
} from './domains/catalog/index.ts';
import { services as connectorServices } from './domains/sources/index.ts';
import { createServices as createCredentialServices, createTokens, type Tokens } from './domains/credentials/index.ts';
import { roleLoader, services as directoryServices, userLoader } from './domains/directory/index.ts';
import { jobKinds as grantJobs, services as grantServices } from './domains/grants/index.ts';
import { services as identityServices } from './domains/identity/index.ts';
import { services as importServices } from './domains/syncs/index.ts';
import { ensureBuiltinPolicy, policyLoader, services as policyServices } from './domains/policies/index.ts';
import { jobKinds as profileJobs, services as profileServices } from './domains/access-profiles/index.ts';
import { jobKinds as reportJobs, services as reportServices, watchAllTenants, watchTenant } from './domains/reports/index.ts';
import {
  jobKinds as reviewJobs,
  listReviewsByIds,
  maySeeReview,
  services as reviewServices,
  shapeReview,
} from './domains/reviews/index.ts';
import { services as scimServices } from './domains/scim/index.ts';
import { services as taskServices } from './domains/tasks/index.ts';
import { createTenantFinder, type TenantHook } from './domains/tenants/index.ts';
import { AppError } from './errors.ts';
import { createAuthenticator } from './http/authenticate.ts';
import { listenAt } from './http/listen.ts';
import { registerReportRoutes } from './http/report-routes.ts';
import { registerScimRoutes } from './http/scim-routes.ts';
import { createServer } from './http/server.ts';
import { registerTokenRoutes } from './http/token-routes.ts';
import { countJobs, createRunner, type JobKind, type Runner } from './jobs/index.ts';
import type { Logger } from './context.ts';
import type { Loader, Loaders } from './wire/expand.ts';
import { type BoundService, type JsonObject, joinServices } from './wire/service.ts';

/** Seconds that requests and jobs have to end once we are told to stop. The database needs up to ten more to cut off what did not: 30 in all. */
const drainSeconds = 20;

/** A job that is due for longer is one that nobody does. */
const lateAfterMs = 60_000;

/** What every new tenant gets, in the transaction that makes it. */
export const tenantHooks: readonly TenantHook[] = [
  recordTenantCreated,
  (context) => ensureBuiltinPolicy(context).then(() => undefined),
  watchTenant,
];

/** What starting takes besides the configuration. */
export interface AppOptions {
  readonly log: Logger;
  /** Runs on the migrated database before anything is served or any job runs. */
  readonly beforeListening?: (database: Database) => Promise<void>;
  /** Checks every reply against the contract: for tests. */
  readonly checkReplies?: boolean;
  /** The clock of requests and jobs; only tests give one. */
  readonly clock?: () => Date;
}

/** A running service. */
export interface App {
  readonly database: Database;
  /** The port it listens on. */
  readonly port: number;
  /** Stops in order and resolves to whether everything ended in time. Safe to call twice. */
  stop(): Promise<boolean>;
}

/** Starts the service; resolves when it listens. Where anything fails, what was started is stopped again. */
export async function startApp(config: ServeConfig, options: AppOptions): Promise<App> {
  const { log, clock = () => new Date() } = options;
  const tls = config.tls === undefined ? undefined : await readTlsFiles(config.tls);
  const { databaseUrl, dataDir, poolSize, statementTimeoutSeconds } = config;
  const database = await openDatabase({ databaseUrl, dataDir, poolSize, statementTimeoutMs: statementTimeoutSeconds * 1000, log });
  try {
    await migrate(database, log);
    await options.beforeListening?.(database);
    await watchAllTenants(database, clock());
    return await listen(config, { log, clock, tls, database, checkReplies: options.checkReplies === true });
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface Parts {
  readonly log: Logger;
  readonly clock: () => Date;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly database: Database;
  readonly checkReplies: boolean;
}

async function listen(config: ServeConfig, parts: Parts): Promise<App> {
  const { log, clock, tls, database, checkReplies } = parts;
  const tenants = createTenantFinder(database);
  const scheme = tls === undefined ? 'http' : 'https';
  const tokens = createTokens({ database, log, scheme, tokenLifetimeSeconds: config.tokenLifetimeSeconds, now: clock });
  const runner = createRunner({ database, handlers: allJobKinds(), log, concurrency: config.jobConcurrency, clock });
  const state = { isStopping: false };
  const server = createServer({
    services: allServices(config),
    authenticator: createAuthenticator(tokens),
    database,
    loaders: allLoaders(),
    log,
    clock,
    checkReplies,
    resolveTenant: (host) => tenants.findByHost(host),
    trustProxy: config.trustProxy,
    tls,
    checkReady: () => checkReady(database, state),
    jobCounts: () => countJobs(database.system(), new Date(clock().getTime() - lateAfterMs)),
    extraRoutes: [
      (app) => registerTokenRoutes(app, { tenants, tokens, log }),
      (app) => registerReportRoutes(app, { database, clock, log }),
      (app) => registerScimRoutes(app, { database, clock, log }),
    ],
  });
  const port = await listenAt(server, { host: config.host, port: config.port, tls }).catch(async (error: unknown) => {
    await server.close();
    await tokens.close();
    throw explainListenError(error, config);
  });
  if (config.jobConcurrency > 0) {
    runner.start();
  }
  log.info(
    { port, scheme, database: database.description },
    `listening on ${scheme}://${config.host}:${port}, database ${database.description}`,
  );
  let stopping: Promise<boolean> | undefined;
  return {
    database,
    port,
    stop() {
      stopping ??= stopInOrder({ server, runner, tokens, database, log, state });
      return stopping;
    },
  };
}

/** What the contract's methods are run by, module by module. */
function allServices(config: ServeConfig): readonly BoundService[] {
  return joinServices([
    ...auditServices,
    ...directoryServices,
    ...createCredentialServices({ secretLabel: config.secretLabel }),
    ...attributeServices,
    ...catalogServices,
    ...connectorServices,
    ...identityServices,
    ...grantServices,
    ...profileServices,
    ...importServices,
    ...scimServices,
    ...policyServices,
    ...taskServices,
    ...reviewServices,
    ...reportServices,
  ]);
}

function allJobKinds(): ReadonlyMap<string, JobKind> {
  return new Map([...grantJobs, ...profileJobs, ...reviewJobs, ...reportJobs]);
}

/** Who loads objects that replies are expanded with, by their type. */
function allLoaders(): Loaders {
  return new Map([
    ['c1.api.user.v1.User', userLoader],
    ['c1.api.iam.v1.Role', roleLoader],
    ['c1.api.app.v1.App', appLoader],
    ['c1.api.app.v1.AppEntitlement', entitlementLoader],
    ['c1.api.app.v1.AppResource', resourceLoader],
    ['c1.api.app.v1.AppResourceType', resourceTypeLoader],
    ['c1.api.app.v1.AppUser', accountLoader],
    ['c1.api.policy.v1.Policy', policyLoader],
    ['c1.api.accessreview.v1.AccessReview', reviewLoader],
  ]);
}

/** Reviews as those see them who may; a reviewer who only decides tasks of one may not. */
const reviewLoader: Loader = async (context, ids) => {
  const rows = [...(await listReviewsByIds(context, ids)).values()].filter((row) => maySeeReview(context.actor, row));
  return new Map(rows.map((row) => [row.id, shapeReview(row) as JsonObject]));
};

async function checkReady(database: Database, state: { readonly isStopping: boolean }): Promise<void> {
  if (state.isStopping) {
    throw new AppError('UNAVAILABLE', 'The service is stopping.');
  }
  if (!(await isMigrated(database))) {
    throw new AppError('UNAVAILABLE', "The database's schema is not up to date.");
  }
}

interface Running {
  readonly server: FastifyInstance;
  readonly runner: Runner;
  readonly tokens: Tokens;
  readonly database: Database;
  readonly log: Logger;
  readonly state: { isStopping: boolean };
}

/** Not ready any more, no new connections, requests and jobs to their end or to the limit, then the database. */
async function stopInOrder({ server, runner, tokens, database, log, state }: Running): Promise<boolean> {
  state.isStopping = true;
  log.info({}, 'stopping');
  const limit = drainSeconds * 1000;
  const closed = server.close().then(() => true);
  // A connection that was busy when closing began stays open behind its answer, for as long as its client would keep it.
  const sweeper = setInterval(() => server.server.closeIdleConnections(), 100);
  const [requestsEnded, jobsEnded] = await Promise.all([within(closed, limit), runner.drain(limit)]);
  clearInterval(sweeper);
  if (!requestsEnded) {
    server.server.closeAllConnections();
    await within(closed, 1_000);
  }
  await tokens.close();
  await database.close();
  return requestsEnded && jobsEnded;
}

async function within(work: Promise<boolean>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const ended = await Promise.race([work, late]);
  clearTimeout(timer);
  return ended;
}

async function readTlsFiles(files: { certFile: string; keyFile: string }): Promise<{ cert: Buffer; key: Buffer }> {
  const read = (path: string, flag: string): Promise<Buffer> =>
    readFile(path).catch((cause: unknown) => {
      throw new AppError('FAILED_PRECONDITION', `${flag} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause,
      });
    });
  return { cert: await read(files.certFile, '--tls-cert'), key: await read(files.keyFile, '--tls-key') };
}

function explainListenError(error: unknown, config: ServeConfig): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new AppError('FAILED_PRECONDITION', `Port ${config.port} is taken by another program. Choose another with --port.`, {
      cause: error,
    });
  }
  if (code === 'EACCES') {
    return new AppError(
      'FAILED_PRECONDITION',
      `Port ${config.port} needs privileges this account does not have. Choose another with --port.`,
      {
        cause: error,
      },
    );
  }
  return error;
}
