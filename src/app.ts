/**
 * Puts the program together and starts it: database, modules, jobs, HTTP. Nothing happens when this file is imported; everything a server
 * is given comes in through its configuration.
 */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { readConfig, type ServeConfig } from './config.ts';
import { checkDatabase } from './db/check.ts';
import { countMigrations, isMigrated, migrate } from './db/migrate.ts';
import { openDatabase } from './db/open.ts';
import type { Database } from './db/types.ts';
import { createSealer, recordTenantCreated, type Sealer, services as auditServices } from './domains/audit/index.ts';
import { services as attributeServices } from './domains/classifications/index.ts';
import {
  accountLoader,
  appLoader,
  entitlementLoader,
  resourceLoader,
  resourceTypeLoader,
  services as catalogServices,
} from './domains/catalog/index.ts';
import { jobKinds as conflictJobs, services as conflictServices } from './domains/conflicts/index.ts';
import { services as connectorServices } from './domains/sources/index.ts';
import { createServices as createCredentialServices, createTokens, type Tokens } from './domains/credentials/index.ts';
import { roleLoader, services as directoryServices, userLoader } from './domains/directory/index.ts';
import { jobKinds as grantJobs, services as grantServices } from './domains/grants/index.ts';
import { services as identityServices } from './domains/identity/index.ts';
import { services as importServices } from './domains/syncs/index.ts';
import { type Notifications, openNotifications, createServices as createNotificationServices } from './domains/notifications/index.ts';
import { ensureBuiltinPolicy, policyLoader, services as policyServices } from './domains/policies/index.ts';
import { jobKinds as profileJobs, services as profileServices } from './domains/access-profiles/index.ts';
import {
  createKeeper,
  createRetentionJob,
  createRetentionService,
  jobKinds as reportJobs,
  type Keeper,
  retentionKind,
  services as reportServices,
} from './domains/reports/index.ts';
import { countDeliveries, createDeliveryRunner, type DeliveryRunner, services as deliveryServices } from './domains/deliveries/index.ts';
import {
  createPrepareJob,
  prepareKind,
  countOpenWork,
  jobKinds as reviewJobs,
  reviewLoader,
  createServices as createReviewServices,
} from './domains/reviews/index.ts';
import { jobKinds as revocationJobs, services as revocationServices } from './domains/revocations/index.ts';
import { services as scimServices } from './domains/scim/index.ts';
import { insightLoader, jobKinds as taskJobs, services as taskServices } from './domains/tasks/index.ts';
import { services as sampleServices } from './domains/samples/index.ts';
import { services as secondReviewServices } from './domains/second-reviews/index.ts';
import { jobKinds as rollForwardJobs, services as rollForwardServices } from './domains/roll-forwards/index.ts';
import { jobKinds as templateJobs, services as templateServices, templateLoader } from './domains/templates/index.ts';
import { createServices as createSessionServices, createSessions, type Sessions } from './domains/sessions/index.ts';
import { createTenantFinder, listTenantIds, type TenantFinder, type TenantHook } from './domains/tenants/index.ts';
import { AppError } from './errors.ts';
import { createAuthenticator } from './http/authenticate.ts';
import { readConsole } from './http/console-routes.ts';
import { listenAt, readTlsFiles } from './http/listen.ts';
import { describeApi } from './http/openapi.ts';
import { registerReportRoutes } from './http/report-routes.ts';
import { registerScimRoutes } from './http/scim-routes.ts';
import { createServer } from './http/server.ts';
import { registerSessionRoutes } from './http/session-routes.ts';
import { registerTokenRoutes } from './http/token-routes.ts';
import { countJobs, createRunner, type JobKind, type Runner } from './jobs/index.ts';
import type { Logger } from './context.ts';
import { programFolder } from './lib/installation.ts';
import { within } from './lib/within.ts';
import { reactions } from './reactions.ts';
import type { Loaders } from './wire/expand.ts';
import { type BoundService, joinServices } from './wire/service.ts';

/** Seconds that requests and jobs have to end once we are asked to stop. The database needs up to ten more to cut off what did not: 30 in all. */
const drainSeconds = 20;

/** A job or delivery that is due for longer is one that nobody does. */
const lateAfterMs = 60_000;

/** What every new tenant gets, in the transaction that makes it. */
export const tenantHooks: readonly TenantHook[] = [recordTenantCreated, (context) => ensureBuiltinPolicy(context).then(() => undefined)];

/** What starting takes besides the configuration. */
export interface AppOptions {
  readonly log: Logger;
  /** Runs on the migrated database before anything is served or any job runs. */
  readonly beforeListening?: (database: Database) => Promise<void>;
  /** Checks every reply against the contract: for tests. */
  readonly checkReplies?: boolean;
  /** The clock of requests and jobs; only tests give one. */
  readonly clock?: () => Date;
  /** Lets identity providers be on this machine over plain http; only tests say so. */
  readonly allowsLocalIssuers?: boolean;
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
  const { log, clock = () => new Date(), allowsLocalIssuers = false } = options;
  const tls = config.tls === undefined ? undefined : await readTlsFiles(config.tls);
  const notifications = await openNotifications(config.mail, config.publicUrl);
  const { databaseUrl, databaseOwnerUrl, dataDir, poolSize } = config;
  const statementTimeoutMs = config.statementTimeoutSeconds * 1000;
  const database = await openDatabase({ databaseUrl, databaseOwnerUrl, dataDir, poolSize, statementTimeoutMs, log });
  try {
    await migrate(database, log);
    await checkDatabase(database);
    await options.beforeListening?.(database);
    return await listen(config, {
      log,
      clock,
      tls,
      notifications,
      database,
      checkReplies: options.checkReplies === true,
      allowsLocalIssuers,
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface Parts {
  readonly log: Logger;
  readonly clock: () => Date;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly notifications: Notifications;
  readonly database: Database;
  readonly checkReplies: boolean;
  readonly allowsLocalIssuers: boolean;
}

async function listen(config: ServeConfig, parts: Parts): Promise<App> {
  const { log, clock, tls, notifications, database, checkReplies, allowsLocalIssuers } = parts;
  const sealer = createSealer({ database, log, react: reactions, clock });
  const tenants = watchTenants(createTenantFinder(database), sealer);
  const scheme = tls === undefined ? 'http' : 'https';
  const tokens = createTokens({ database, log, scheme, tokenLifetimeSeconds: config.tokenLifetimeSeconds, now: clock, react: reactions });
  const sessions = createSessions({
    database,
    log,
    now: clock,
    react: reactions,
    allowsLocal: allowsLocalIssuers,
    mailsLinks: config.mail !== undefined,
  });
  const handlers = watchJobs(allJobKinds(config, notifications), sealer);
  const runner = createRunner({ database, handlers, log, react: reactions, concurrency: config.jobConcurrency, clock });
  const keeper = createKeeper({ database, log, react: reactions, clock, minimumEventYears: config.minimumEventYears });
  const state = { isStopping: false, migrations: await countMigrations() };
  const deliveries = createDeliveryRunner({
    database,
    kinds: notifications.deliveryKinds,
    log,
    react: reactions,
    clock,
    listTenantIds: () => listTenantIds(database.system()),
  });
  const server = createServer({
    services: allServices(config, notifications.services, allowsLocalIssuers),
    authenticator: createAuthenticator(tokens, sessions),
    console: readConsole(join(programFolder, 'console', 'dist')),
    database,
    loaders: allLoaders(),
    log,
    clock,
    react: reactions,
    checkReplies,
    resolveTenant: (host) => tenants.findByHost(host),
    trustProxy: config.trustProxy,
    metricsToken: config.metricsToken,
    tls,
    checkReady: () => checkReady(database, state),
    jobCounts: () => countJobs(database.system(), new Date(clock().getTime() - lateAfterMs), clock()),
    deliveryCounts: () => countDeliveries(database.system(), clock(), new Date(clock().getTime() - lateAfterMs)),
    inventoryCounts: () => countOpenWork(database.system(), clock()),
    extraRoutes: [
      (app) => registerTokenRoutes(app, { tenants, tokens, log }),
      (app) => registerSessionRoutes(app, { sessions }),
      (app) => registerReportRoutes(app, { database, clock, log, react: reactions }),
      (app) => registerScimRoutes(app, { database, clock, log, react: reactions }),
    ],
  });
  const port = await listenAt(server, { host: config.host, port: config.port, tls }).catch(async (error: unknown) => {
    await server.close();
    await tokens.close();
    throw error;
  });
  if (config.jobConcurrency > 0) {
    runner.start();
    sealer.start();
    deliveries.start();
    keeper.start();
  }
  log.info(
    { port, scheme, database: database.description, mail: notifications.way ?? 'not configured' },
    `listening on ${scheme}://${config.host}:${port}, database ${database.description}`,
  );
  let stopping: Promise<boolean> | undefined;
  return {
    database,
    port,
    stop() {
      stopping ??= stopInOrder({ server, runner, sealer, deliveries, keeper, tokens, sessions, database, log, state });
      return stopping;
    },
  };
}

/** Who is asked for by a request may get an event by it. */
function watchTenants(tenants: TenantFinder, sealer: Sealer): TenantFinder {
  return {
    ...tenants,
    async findByHost(host) {
      const tenant = await tenants.findByHost(host);
      if (tenant !== undefined) {
        sealer.expectEvents(tenant.id);
      }
      return tenant;
    },
  };
}

/** Jobs write events too. */
function watchJobs(kinds: ReadonlyMap<string, JobKind>, sealer: Sealer): ReadonlyMap<string, JobKind> {
  const watched = (kind: JobKind): JobKind => ({
    ...kind,
    handler(context, job) {
      sealer.expectEvents(job.tenantId);
      return kind.handler(context, job);
    },
  });
  return new Map([...kinds].map(([name, kind]) => [name, watched(kind)]));
}

/** The OpenAPI document of everything served, as `/openapi.json` answers it. */
export function describeContract(): string {
  return describeApi(allServices(readConfig({}, {}), createNotificationServices(undefined), false));
}

/** What the contract's methods are run by, module by module. */
function allServices(
  config: ServeConfig,
  notificationServices: readonly BoundService[],
  allowsLocalIssuers: boolean,
): readonly BoundService[] {
  return joinServices([
    ...auditServices,
    ...deliveryServices,
    ...directoryServices,
    ...createCredentialServices({ secretLabel: config.secretLabel }),
    ...createSessionServices(allowsLocalIssuers),
    ...attributeServices,
    ...catalogServices,
    ...connectorServices,
    ...identityServices,
    ...grantServices,
    ...profileServices,
    ...importServices,
    ...scimServices,
    ...policyServices,
    ...conflictServices,
    ...taskServices,
    ...revocationServices,
    ...createReviewServices(config.mail !== undefined),
    ...templateServices,
    ...rollForwardServices,
    ...secondReviewServices,
    ...sampleServices,
    ...reportServices,
    createRetentionService(config.minimumEventYears),
    ...notificationServices,
  ]);
}

function allJobKinds(config: ServeConfig, notifications: Notifications): ReadonlyMap<string, JobKind> {
  return new Map([
    ...grantJobs,
    ...profileJobs,
    ...conflictJobs,
    ...taskJobs,
    ...revocationJobs,
    ...reviewJobs,
    ...templateJobs,
    ...rollForwardJobs,
    [prepareKind, createPrepareJob(config.maxReviewItems)],
    ...reportJobs,
    ...notifications.jobKinds,
    [retentionKind, createRetentionJob(config.minimumEventYears)],
  ]);
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
    ['c1.api.accessreview.v1.AccessReviewTemplate', templateLoader],
    ['countersign.v1.TaskInsight', insightLoader],
  ]);
}

async function checkReady(database: Database, state: { readonly isStopping: boolean; readonly migrations: number }): Promise<void> {
  if (state.isStopping) {
    throw new AppError('UNAVAILABLE', 'The service is stopping.');
  }
  if (!(await isMigrated(database, state.migrations))) {
    throw new AppError('UNAVAILABLE', 'The schema of the database is not up to date. Run countersign migrate.');
  }
}

interface Running {
  readonly server: FastifyInstance;
  readonly runner: Runner;
  readonly sealer: Sealer;
  readonly deliveries: DeliveryRunner;
  readonly keeper: Keeper;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly database: Database;
  readonly log: Logger;
  readonly state: { isStopping: boolean };
}

/** Not ready any more, no new connections, requests and jobs to their end or to the limit, then the database. */
async function stopInOrder({
  server,
  runner,
  sealer,
  deliveries,
  keeper,
  tokens,
  sessions,
  database,
  log,
  state,
}: Running): Promise<boolean> {
  state.isStopping = true;
  keeper.stop();
  log.info({}, 'stopping');
  const limit = drainSeconds * 1000;
  const closed = server.close().then(() => true);
  // A connection that was busy when closing began stays open behind its answer, for as long as its client would keep it.
  const sweeper = setInterval(() => server.server.closeIdleConnections(), 100);
  const [requestsEnded, ...workEnded] = await Promise.all([
    within(closed, limit),
    runner.drain(limit),
    sealer.drain(limit),
    deliveries.drain(limit),
  ]);
  clearInterval(sweeper);
  if (!requestsEnded) {
    server.server.closeAllConnections();
    await within(closed, 1_000);
  }
  await tokens.close();
  await sessions.close();
  await database.close();
  return requestsEnded && workEnded.every(Boolean);
}
