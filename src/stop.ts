/** Stops a running service in order, in the time that it has. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from './context.ts';
import type { Database } from './db/types.ts';
import type { Sealer } from './foundation/audit/index.ts';
import type { Tokens } from './foundation/credentials/index.ts';
import type { Keeper } from './outward/reports/index.ts';
import type { Sessions } from './foundation/sessions/index.ts';
import type { ConnectorServer } from './http/connectors/connector-server.ts';
import type { MissedRejections } from './http/missed-rejections.ts';
import type { Runner } from './jobs/index.ts';
import { within } from './lib/within.ts';

/** Time that requests and jobs have to end once we are asked to stop. */
const drainMs = 20_000;
/** Time for connections of clients, and for what is still to be written down, after that. */
const cutMs = 1_000;
/** Time for all of it: whatever hangs, the database is left two seconds before whoever runs us loses patience. */
const stopMs = 28_000;

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

/**
 * Not ready any more, no new connections, requests and jobs to their end or to the limit, then the database. Resolves to whether all of it ended;
 * what did not is in the log, and ends with the process.
 */
export async function stopInOrder(running: Running): Promise<boolean> {
  const { server, connectors, runner, sealer, keeper, tokens, sessions, database, log, state, missed } = running;
  const beganAt = performance.now();
  const cutOff: string[] = [];
  /** Waits for a part no longer than this, however much of it hangs. */
  async function end(name: string, work: Promise<unknown>, milliseconds: number): Promise<void> {
    const ended = work.catch((error: unknown) => {
      log.error({ err: error }, `${name} did not end in order`);
      return false;
    });
    let result: unknown;
    if (
      !(await within(
        ended.then((value) => {
          result = value;
        }),
        milliseconds,
      )) ||
      result === false
    ) {
      cutOff.push(name);
    }
  }

  state.isStopping = true;
  missed.stop();
  keeper.stop();
  log.info({}, 'stopping');
  const closed = server.close();
  // A connection that was busy when closing began stays open behind its answer, for as long as its client would keep it.
  const sweeper = setInterval(() => server.server.closeIdleConnections(), 100);
  await Promise.all([
    end(
      'requests',
      closed.then(() => undefined),
      drainMs,
    ),
    // Each has the limit itself, and may hang before it comes to it.
    end('jobs and deliveries', runner.drain(drainMs), drainMs + cutMs),
    end('the sealing of logs', sealer.drain(drainMs), drainMs),
    end('connectors', connectors.close(drainMs - 1_000), drainMs),
  ]);
  clearInterval(sweeper);
  if (cutOff.includes('requests')) {
    server.server.closeAllConnections();
    await within(closed, cutMs);
  }
  await end('the record of tokens and sessions', Promise.all([tokens.close(), sessions.close()]), cutMs);
  await end('the database', database.close(), stopMs - (performance.now() - beganAt));
  if (cutOff.length > 0) {
    log.error({ cutOff }, `stopped without waiting any longer for ${cutOff.join(', ')}; nothing that was acknowledged is lost`);
  }
  return cutOff.length === 0;
}
