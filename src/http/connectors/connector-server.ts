/**
 * The server of connectors: gRPC over HTTP/2, on connections that the TLS port hands over, and on a port of its own behind a proxy. It opens
 * BatonService alone.
 */
import { createServer, type Http2Server, type Http2Session } from 'node:http2';
import type { Server } from 'node:net';
import type { Interceptor } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { LRUCache } from 'lru-cache';
import type { Context, Logger, React } from '../../context.ts';
import type { Database } from '../../db/types.ts';
import { requireSpeakingSource } from '../../inventory/connector-tasks/index.ts';
import type { TenantFinder } from '../../foundation/tenants/index.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../wire/ids.ts';
import type { Authenticator } from '../authenticate.ts';
import { createClientAddress } from '../listener/client-address.ts';
import { listenPlain } from '../listener/listen.ts';
import { addConnectorService, type Caller, type ServiceParts } from './connector-service.ts';
import { toConnectError } from './grpc-errors.ts';

/** Parts that make the server. */
export interface ConnectorServerParts {
  readonly database: Database;
  readonly tenants: TenantFinder;
  readonly authenticator: Authenticator;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly react: React;
  readonly trustProxy: readonly string[];
}

/** A running server of connectors. */
export interface ConnectorServer {
  readonly http2: Http2Server;
  /** Listens at a port without TLS; FAILED_PRECONDITION where it is taken. */
  listen(host: string, port: number): Promise<void>;
  /** Ends idle connections, and the others once their requests end or the time is over; then waits for what is being read. */
  close(milliseconds: number): Promise<void>;
}

/** A message with a piece of a file has 1 MiB and a little. */
const readMaxBytes = 2 * 1024 * 1024;
const maxPollsPerMinute = 60;
/** Names of headers in which the server tells the methods what the connection says. A client's own of these names are replaced. */
const [hostHeader, addressHeader] = ['x-countersign-host', 'x-countersign-address'];

/** Makes the server; it listens nowhere yet. */
export function createConnectorServer(parts: ConnectorServerParts): ConnectorServer {
  const addressOf = createClientAddress(parts.trustProxy);
  const sessions = new Set<Http2Session>();
  const listeners: Server[] = [];
  const reading = new Set<Promise<void>>();
  const polls = new LRUCache<string, { from: number; count: number }>({ max: 10_000 });

  async function callerOf(headers: Headers): Promise<Caller> {
    const tenant = await parts.tenants.findByHost(headers.get(hostHeader) ?? undefined);
    if (tenant === undefined) {
      throw new AppError('PERMISSION_DENIED', 'No tenant of this server has this host.');
    }
    const { clock, log, react, database } = parts;
    const now = clock();
    const actor = await parts.authenticator.authenticateConnector(tenant, {
      authorization: headers.get('authorization') ?? undefined,
      sourceIp: headers.get(addressHeader) ?? '',
      requestId: newId(now),
    });
    const context: Context = { db: database.tenant(tenant.id), tenantId: tenant.id, actor, now, log, react };
    return { context, source: await requireSpeakingSource(context, actor.credentialId) };
  }

  function countPoll(sourceId: string): void {
    const now = parts.clock().getTime();
    const known = polls.get(sourceId);
    const window = known !== undefined && now - known.from < 60_000 ? known : { from: now, count: 0 };
    window.count += 1;
    polls.set(sourceId, window);
    if (window.count > maxPollsPerMinute) {
      throw new AppError('RATE_LIMITED', `A connector asks for work at most ${maxPollsPerMinute} times a minute.`);
    }
  }

  const say: Interceptor = (next) => async (request) => {
    const began = performance.now();
    const fields = { method: request.method.name, address: request.header.get(addressHeader) ?? '' };
    try {
      const answer = await next(request);
      parts.log.debug({ ...fields, ms: Math.round(performance.now() - began) }, 'connector request');
      return answer;
    } catch (error) {
      const refusal = toConnectError(error);
      const isOurs = refusal.code === 13 || refusal.code === 14;
      parts.log[isOurs ? 'error' : 'info'](
        { ...fields, code: refusal.code, ...(isOurs ? { err: error } : { reason: refusal.message }) },
        'a connector request failed',
      );
      throw refusal;
    }
  };

  const service: ServiceParts = {
    callerOf,
    countPoll,
    keep: (work) => {
      const kept = work.finally(() => reading.delete(kept));
      reading.add(kept);
    },
  };
  const handler = connectNodeAdapter({
    routes: (router) => addConnectorService(router, service),
    interceptors: [say],
    connect: false,
    grpcWeb: false,
    grpc: true,
    readMaxBytes,
  });
  const http2 = createServer({ settings: { maxConcurrentStreams: 100 } }, (request, reply) => {
    const forwarded = request.headers['x-forwarded-for'];
    request.headers[hostHeader] = request.authority;
    request.headers[addressHeader] = addressOf(request.socket.remoteAddress ?? '', String(forwarded ?? ''));
    try {
      handler(request, reply);
    } catch (error) {
      // It makes a URL of what the client calls our host. Nobody else would catch what it throws, and the process would end.
      parts.log.info({ reason: error instanceof Error ? error.message : String(error) }, 'a connector request cannot be read');
      reply.writeHead(400).end();
    }
  });
  http2.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
  });
  http2.on('sessionError', () => undefined);
  return {
    http2,
    async listen(host, port) {
      listeners.push(...(await listenPlain(http2, host, port)));
    },
    async close(milliseconds) {
      for (const listener of listeners) {
        listener.close();
      }
      const open = [...sessions].map(closeSession);
      const timer = setTimeout(() => {
        for (const session of sessions) {
          session.destroy();
        }
      }, milliseconds);
      await Promise.all(open);
      clearTimeout(timer);
      await Promise.allSettled(reading);
    },
  };
}

/** Lets the requests of a session end; resolves once it is gone. */
function closeSession(session: Http2Session): Promise<void> {
  return new Promise((resolve) => {
    session.once('close', resolve);
    session.close();
  });
}
