/** Stops a running service in order, in the time that it has. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from './context.ts';
import type { Database } from './db/types.ts';
import type { Sealer } from './domains/audit/index.ts';
import type { Tokens } from './domains/credentials/index.ts';
import type { Keeper } from './domains/reports/index.ts';
import type { Sessions } from './domains/sessions/index.ts';
import type { ConnectorServer } from './http/connectors/connector-server.ts';
import type { MissedRejections } from './http/missed-rejections.ts';
import type { Runner } from './jobs/index.ts';
import { within } from './lib/within.ts';

/** Seconds that requests and jobs have to end once we are asked to stop. The database needs up to ten more to cut off what did not: 30 in all. */
const drainSeconds = 20;

/** Parts of a running service that end with it. */
export interface Running {
  readonly server: FastifyInstance;
  readonly connectors: ConnectorServer;
  readonly runner: Runner;
  readonly sealer: Sealer;
  readonly keeper: Keeper;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly database: Database;
  readonly log: Logger;
  readonly state: { isStopping: boolean };
  readonly missed: MissedRejections;
}

/** Not ready any more, no new connections, requests and jobs to their end or to the limit, then the database. */
export async function stopInOrder({
  server,
  connectors,
  runner,
  sealer,
  keeper,
  tokens,
  sessions,
  database,
  log,
  state,
  missed,
}: Running): Promise<boolean> {
  state.isStopping = true;
  missed.stop();
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
    within(connectors.close(limit - 1_000), limit),
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
