/**
 * Puts the program together and starts it: database, modules, jobs, HTTP. Nothing happens when this file is imported; everything a server
 * is given comes in through its configuration.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { plainPortOf, readConfig, type ServeConfig } from './config/read-config.ts';
import { checkDatabase } from './db/check.ts';
import { countMigrations, judgeSchema, migrate } from './db/migrate.ts';
import { openDatabase } from './db/open.ts';
import { isConnectionLost } from './db/translate-error.ts';
import type { Database } from './db/types.ts';
import { countLogFindings, createSigner, readLogSecretFile, settleLogKeys } from './foundation/log-proofs/index.ts';
import { createSealer, recordTenantCreated, type Sealer } from './foundation/audit/index.ts';
import { createTokens } from './foundation/credentials/index.ts';
import {
  type Notifications,
  countUnsureMails,
  openNotifications,
  createServices as createNotificationServices,
} from './outward/notifications/index.ts';
import { ensureBuiltinPolicy } from './governance/policies/index.ts';
import { createKeeper } from './outward/reports/index.ts';
import { cleanDeliveries } from './foundation/deliveries/index.ts';
import { listEnds, measureSources } from './inventory/fetches/index.ts';
import { countOpenWork } from './governance/reviews/index.ts';
import { createSessions } from './foundation/sessions/index.ts';
import { readRootsFile } from './foundation/signatures/index.ts';
import {
  createTenantFinder,
  findTenantHost,
  listTenantIds,
  readInstallationKey,
  type TenantFinder,
  type TenantHook,
} from './foundation/tenants/index.ts';
import { AppError, isAppError } from './errors.ts';
import { createAuthenticator } from './http/authenticate.ts';
import { watchRejections } from './http/missed-rejections.ts';
import { readConsole } from './http/console-routes.ts';
import { registerDeviceRoutes } from './http/device-routes.ts';
import { withConnectorHost } from './http/connectors/connector-host.ts';
import { type ConnectorServer, createConnectorServer } from './http/connectors/connector-server.ts';
import { listenAt, readTlsFiles } from './http/listener/listen.ts';
import { describeApi } from './http/openapi/openapi.ts';
import { registerLogRoutes } from './http/log-routes.ts';
import { registerReportRoutes } from './http/report-routes.ts';
import { registerScimRoutes } from './http/scim/scim-routes.ts';
import { createServer } from './http/server.ts';
import { registerSessionRoutes } from './http/session-routes.ts';
import { registerStepUpRoutes } from './http/step-up-routes.ts';
import { registerTokenRoutes } from './http/token-routes.ts';
import { countJobs, createRunner, type JobCounts, type JobKind, type Lane } from './jobs/index.ts';
import type { Logger } from './context.ts';
import { sweepDirectories } from './lib/c1z/expand-c1z.ts';
import { programFolder } from './lib/installation.ts';
import { requireTemporaryDirectory } from './config/temporary-directory.ts';
import type { OutgoingRules } from './lib/outgoing.ts';
import { reactions } from './reactions.ts';
import { allEffects, allJobKinds, allLoaders, allLooks, allServices, createSigning } from './gather.ts';
import './slots.ts';
import { stopInOrder } from './stop.ts';

/** A job or delivery that is due for longer is one that nobody does. */
const lateAfterMs = 60_000;

/** Time between looks whether a newer release has migrated the database under this one. */
const schemaLookMs = 30_000;

/** Time that a start on the embedded database begins again for, where its server goes in the middle. */
const maxGoneMs = 60_000;
const goneDelayMs = 250;
const tooOld = 'A newer release has migrated the database: stop this process, and start that release in its place.';

/** Setup of every new tenant, in the transaction that makes it. */
export const tenantHooks: readonly TenantHook[] = [recordTenantCreated, (context) => ensureBuiltinPolicy(context).then(() => undefined)];

/** Starting options besides the configuration. */
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
  /** Time between looks for a newer schema, 30,000 unless given; only tests give one. */
  readonly schemaLookMs?: number;
  /** Origins of others that are asked elsewhere; only tests say so. */
  readonly standIns?: ReadonlyMap<string, string>;
}

/** A running service. */
export interface App {
  readonly database: Database;
  /** The port it listens on. */
  readonly port: number;
  /** Stops in order and resolves to whether everything ended in time. Safe to call twice. */
  stop(): Promise<boolean>;
}

/**
 * Starts the service; resolves when it listens. Where anything fails, what was started is stopped again. A start on the embedded database begins
 * again when its server goes meanwhile: the container that has it may stop while this one starts.
 */
export async function startApp(config: ServeConfig, options: AppOptions): Promise<App> {
  for (const begun = Date.now(); ; ) {
    try {
      return await startOnce(config, options);
    } catch (error) {
      const isGone = isAppError(error, 'UNAVAILABLE') && isConnectionLost(error);
      if (config.databaseUrl !== undefined || !isGone || Date.now() - begun > maxGoneMs) {
        throw error;
      }
      options.log.warn({ err: error }, 'the embedded PostgreSQL went away during the start; starting again');
      await delay(goneDelayMs);
    }
  }
}

async function startOnce(config: ServeConfig, options: AppOptions): Promise<App> {
  const { log, clock = () => new Date(), allowsLocalIssuers = false, standIns = new Map() } = options;
  await requireTemporaryDirectory();
  const tls = config.tls === undefined ? undefined : await readTlsFiles(config.tls);
  const notifications = await openNotifications(config.mail, config.publicUrl, plainPortOf(config));
  const { databaseUrl, databaseOwnerUrl, dataDir, poolSize } = config;
  const statementTimeoutMs = config.statementTimeoutSeconds * 1000;
  const logSecrets = await readLogSecretFile(config.logSecretFile);
  const timeStamps = { pem: await readRootsFile(config.timeStampRootsFile), policies: config.timeStampPolicies };
  const keyring = await readInstallationKey(config.installationKey);
  const secretsDir = config.secretsDir ?? '';
  const stores = { databaseUrl, databaseOwnerUrl, dataDir, poolSize, statementTimeoutMs };
  const database = await openDatabase({ ...stores, logSecrets, timeStamps, keyring, secretsDir, log });
  try {
    await migrate(database, log);
    await checkDatabase(database);
    await settleLogKeys(database, { log, react: reactions, clock });
    const left = await sweepDirectories();
    if (left > 0) {
      log.info({ left }, 'files of connectors that a process left behind were removed');
    }
    await options.beforeListening?.(database);
    return await listen(config, {
      log,
      clock,
      tls,
      notifications,
      database,
      checkReplies: options.checkReplies === true,
      lookMs: options.schemaLookMs ?? schemaLookMs,
      forTests: { allowsLocal: allowsLocalIssuers, standIns },
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
  readonly lookMs: number;
  readonly forTests: Omit<OutgoingRules, 'allowed'>;
}

async function listen(config: ServeConfig, parts: Parts): Promise<App> {
  const { log, clock, tls, notifications, database, checkReplies, lookMs, forTests } = parts;
  const sealer = createSealer({ database, log, react: reactions, clock, onSealed: createSigner() });
  const finder = withConnectorHost(createTenantFinder(database), config.connectorHost, () => findOnlyHost(database));
  const tenants = watchTenants(finder, sealer);
  const scheme = tls === undefined ? 'http' : 'https';
  const mailsLinks = config.mail !== undefined;
  const { tokenLifetimeSeconds } = config;
  const { connectorHost } = config;
  const tokens = createTokens({
    database,
    log,
    servesTls: tls !== undefined,
    tokenLifetimeSeconds,
    mailsLinks,
    connectorHost,
    now: clock,
    react: reactions,
  });
  const signing = createSigning(config, forTests, clock);
  const sessions = createSessions({
    database,
    log,
    now: clock,
    react: reactions,
    outgoing: signing.outgoing,
    mailsLinks,
  });
  const handlers = watchJobs(allJobKinds(config, notifications), sealer);
  const runner = createRunner({
    database,
    handlers,
    effects: allEffects(config, notifications, signing.outgoing, clock),
    log,
    react: reactions,
    concurrency: config.jobConcurrency,
    clock,
    removeEnded: async (before) => cleanDeliveries({ database, log, react: reactions }, await listTenantIds(database.system()), before),
  });
  const keeper = createKeeper({
    database,
    log,
    react: reactions,
    clock,
    minimumEventYears: config.minimumEventYears,
    others: allLooks(config),
  });
  const state = { isStopping: false, migrations: await countMigrations() };
  const missed = watchRejections(log);
  let isTooOld = false;
  /** What a newer release does to its own tables is not this one's to guess: it takes no more jobs, and says so, whether or not anybody asks for readiness. */
  async function lookAtSchema(): Promise<void> {
    const schema = await judgeSchema(database, state.migrations).catch(() => 'FITS');
    if (schema === 'AHEAD' && !isTooOld) {
      isTooOld = true;
      clearInterval(schemaTimer);
      log.error({}, tooOld);
      await runner.drain();
    }
  }
  const countLane = (lane: Lane): Promise<JobCounts> =>
    countJobs(database.system(), lane, new Date(clock().getTime() - lateAfterMs), clock());
  const authenticator = createAuthenticator(tokens, sessions);
  const { trustProxy } = config;
  const connectors = createConnectorServer({
    ...{ database, tenants, authenticator, clock, log, react: reactions, trustProxy },
  });
  const server = createServer({
    http2: connectors.http2,
    services: allServices(config, notifications.services, signing),
    authenticator,
    requireFresh: (context) => sessions.requireFresh(context),
    forgetActors: (tenantId) => tokens.forget(tenantId),
    console: readConsole(join(programFolder, 'console', 'dist'), log),
    database,
    loaders: allLoaders(),
    log,
    clock,
    react: reactions,
    checkReplies,
    resolveTenant: (host) => tenants.findByHost(host),
    trustProxy,
    metricsToken: config.metricsToken,
    opensDocs: config.opensDocs,
    tls,
    checkReady: () => checkReady(database, state),
    jobCounts: () => countLane('INSIDE'),
    deliveryCounts: () => countLane('OUTSIDE'),
    unsureMails: async () => countUnsureMails(database, await listTenantIds(database.system()), clock()),
    inventoryCounts: () => countOpenWork(database.system(), clock()),
    sources: () => measureSources(database.system(), clock()),
    fetchEnds: listEnds,
    logFindings: () => countLogFindings(database.system(), clock()),
    missedRejections: missed.count,
    extraRoutes: [
      (app) => registerTokenRoutes(app, { tenants, tokens, log, sessions }),
      (app) => registerDeviceRoutes(app, { sessions }),
      (app) => registerSessionRoutes(app, { sessions }),
      (app) => registerStepUpRoutes(app, { database, sessions, signing, log, react: reactions }),
      (app) => registerLogRoutes(app, { database, clock, log, react: reactions }),
      (app) => registerReportRoutes(app, { database, clock, log, react: reactions }),
      (app) => registerScimRoutes(app, { database, clock, log, react: reactions }),
    ],
  });
  const port = await startListening(config, server, connectors, tls).catch(async (error: unknown) => {
    missed.stop();
    await connectors.close(0);
    await server.close();
    await tokens.close();
    throw error;
  });
  if (config.jobConcurrency > 0) {
    runner.start();
    sealer.start();
    keeper.start();
  }
  const schemaTimer = setInterval(() => void lookAtSchema(), lookMs).unref();
  log.info(
    { port, scheme, database: database.description, mail: notifications.way ?? 'not configured' },
    `listening on ${scheme}://${config.host}:${port}, database ${database.description}`,
  );
  let stopping: Promise<boolean> | undefined;
  return {
    database,
    port,
    stop() {
      clearInterval(schemaTimer);
      stopping ??= stopInOrder({ server, connectors, runner, sealer, keeper, tokens, sessions, database, log, state, missed });
      return stopping;
    },
  };
}

/** Returns the host of the one tenant there is; undefined where there are several. */
async function findOnlyHost(database: Database): Promise<string | undefined> {
  const [id, ...others] = await listTenantIds(database.system());
  return id === undefined || others.length > 0 ? undefined : findTenantHost(database.system(), id);
}

/** Listens at the port, and at that of connectors where there is one; returns the first. */
async function startListening(
  config: ServeConfig,
  server: FastifyInstance,
  connectors: ConnectorServer,
  tls: Parts['tls'],
): Promise<number> {
  const port = await listenAt(server, { host: config.host, port: config.port, tls, http2: connectors.http2 });
  if (config.connectorPort !== undefined) {
    await connectors.listen(config.host, config.connectorPort);
  }
  return port;
}

/** Expects events of each tenant a request asks for. */
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

/** The OpenAPI document of everything served, as `/openapi.json` answers it; the build calls it. @public */
export function describeContract(): string {
  const config = readConfig({}, {});
  return describeApi(
    allServices(
      config,
      createNotificationServices(undefined),
      createSigning(config, { allowsLocal: false }, () => new Date()),
    ),
  );
}

async function checkReady(database: Database, state: { readonly isStopping: boolean; readonly migrations: number }): Promise<void> {
  if (state.isStopping) {
    throw new AppError('UNAVAILABLE', 'The service is stopping.');
  }
  await database.checkWritable();
  const schema = await judgeSchema(database, state.migrations);
  if (schema !== 'FITS') {
    throw new AppError(
      'UNAVAILABLE',
      schema === 'AHEAD' ? tooOld : 'The schema of the database is not up to date. Run countersign migrate.',
    );
  }
}
