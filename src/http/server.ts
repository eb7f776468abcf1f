/**
 * The HTTP server: what is the same for every request (its id, its tenant, headers, errors, the log line) and which routes there are. What
 * it needs is handed in; nothing here opens a database or reads the environment.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Tenant } from '../foundation/tenants/index.ts';
import { AppError } from '../errors.ts';
import type { Actor } from '../context.ts';
import { within } from '../lib/within.ts';
import { newId } from '../wire/ids.ts';
import { answerPage, type Console, registerConsole, wantsPage } from './console-routes.ts';
import { type ContractParts, registerContract } from './contract-routes.ts';
import { drainBody } from './bodies/drain-body.ts';
import { isFromHere } from './is-from-here.ts';
import { collectPaths, type KnownPaths } from './known-paths.ts';
import { defaultBodyTimeMs, limitBodyTime } from './bodies/limit-body-time.ts';
import { addClientAddress } from './listener/client-address.ts';
import { answerUnreadable, type ListenerParts, makeListener } from './listener/make-listener.ts';
import { createMetrics, type Metrics, type MetricSources } from './metrics.ts';
import { describeApi } from './openapi/openapi.ts';
import { registerPages } from './pages.ts';
import { renderError, toAppError } from './render-error.ts';
import { requireDoors } from './require-doors.ts';
import { isSecure } from './session-cookie.ts';
import { findUnserved, registerUnserved } from './unserved.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The tenant its host means; on every route but the three that ignore the host. */
    tenant: Tenant;
    /** Its sender; on routes of the contract. */
    actor: Actor;
    startedAt: number;
  }
  interface FastifyContextConfig {
    /** The route is the same for every host, known or not. */
    ignoresHost?: boolean;
    /** The route reads its body as a stream, with a time limit of its own. */
    readsStream?: boolean;
    /** The route is there to say why there is none. */
    onlyRefuses?: boolean;
    /** The route is an operation of the public API; all others are doors that the module authority lists. */
    isOperation?: boolean;
  }
}

/** Parts that make a server. */
export interface ServerParts extends ContractParts, ListenerParts {
  /** The tenant that a Host header means; see TenantFinder. */
  readonly resolveTenant: (host: string | undefined) => Promise<Tenant | undefined>;
  /** Addresses and CIDR blocks whose X-Forwarded-* headers are trusted; empty: none. */
  readonly trustProxy: readonly string[];
  /** Resolves while requests can be served; its rejection is the reason why not, for the log. */
  readonly checkReady: () => Promise<void>;
  /** Time a body may take that is read into memory; only tests give one. */
  readonly bodyTimeMs?: number | undefined;
  /** See MetricSources. */
  readonly jobCounts?: MetricSources['jobCounts'];
  readonly deliveryCounts?: MetricSources['deliveryCounts'];
  readonly unsureMails?: MetricSources['unsureMails'];
  readonly inventoryCounts?: MetricSources['inventoryCounts'];
  readonly sources?: MetricSources['sources'];
  readonly fetchEnds?: MetricSources['fetchEnds'];
  readonly logFindings?: MetricSources['logFindings'];
  readonly missedRejections?: () => number;
  /** True if the API browser is for everybody; otherwise it is for this machine alone. */
  readonly opensDocs?: boolean;
  /** Token required to read /metrics; everybody may where there is none. */
  readonly metricsToken?: string | undefined;
  /** The console as it was built; without it a few plain pages stand in its place. */
  readonly console?: Console | undefined;
  /** Routes beside the contract; `request.tenant` is there for them, errors they throw are rendered. */
  readonly extraRoutes?: readonly ((app: FastifyInstance) => void)[] | undefined;
}

const bodyLimitBytes = 1024 * 1024;
const maxParamLength = 1000;
/** Whoever probes gives up soon, and probes again. */
const longestProbeMs = 3_000;
const fixedHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};
const secureHeaders: Readonly<Record<string, string>> = { ...fixedHeaders, 'strict-transport-security': 'max-age=31536000' };

/** The server, ready to listen. Throws where a method of the contract has no permission or no route, and for a route that nobody listed. */
export function createServer(parts: ServerParts): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    genReqId: () => newId(new Date()),
    trustProxy: parts.trustProxy.length === 0 ? false : [...parts.trustProxy],
    // Requests that come while the server drains are still served; their connections are closed after them.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: ({ url }) => tidyUrl(url ?? '/'),
    routerOptions: { maxParamLength },
    frameworkErrors: (error, request, reply) => {
      void sendError(parts, error, request, (reply as FastifyReply).headers(fixedHeaders));
    },
    serverFactory: (handler) => makeListener(handler, parts),
    // The listener has its own, which the framework's would only repeat.
    clientErrorHandler: () => undefined,
  }) as unknown as FastifyInstance;
  const metrics = createMetrics({
    poolStats: () => parts.database.stats(),
    jobCounts: parts.jobCounts,
    deliveryCounts: parts.deliveryCounts,
    unsureMails: parts.unsureMails,
    inventoryCounts: parts.inventoryCounts,
    sources: parts.sources,
    fetchEnds: parts.fetchEnds,
    logFindings: parts.logFindings,
    missedRejections: parts.missedRejections,
  });
  addClientAddress(app, parts.trustProxy);
  requireDoors(app);
  const paths = collectPaths(app);
  app.decorateRequest('startedAt', 0);
  app.decorateRequest('tenant');
  app.setErrorHandler((error, request, reply) => sendError(parts, error, request, reply));
  app.setNotFoundHandler(() => {
    throw new AppError('NOT_FOUND', 'There is nothing here.');
  });
  addEveryRequest(app, parts, paths, metrics);
  addProbes(app, parts, metrics);
  registerContract(app, parts);
  registerUnserved(app);
  registerPages(app, {
    describe: () => describeApi(parts.services),
    hasConsole: parts.console !== undefined,
    opensDocs: parts.opensDocs === true,
  });
  if (parts.console !== undefined) {
    registerConsole(app, parts.console);
  }
  for (const register of parts.extraRoutes ?? []) {
    register(app);
  }
  return app;
}

/** `//auth/v1/token` means `/auth/v1/token`, and a proxy may send the absolute form; the query stays as it is. */
function tidyUrl(url: string): string {
  if (url.startsWith('/') && !url.includes('//')) {
    return url;
  }
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const tidy = path.replace(/^https?:\/\/[^/]*/i, '').replace(/\/{2,}/g, '/');
  return `${tidy === '' ? '/' : tidy}${mark < 0 ? '' : url.slice(mark)}`;
}

function addEveryRequest(app: FastifyInstance, parts: ServerParts, paths: KnownPaths, metrics: Metrics): void {
  app.addHook('onRequest', async (request, reply) => {
    request.startedAt = performance.now();
    // Of a trusted proxy this is what it says the client speaks.
    reply.headers(isSecure(request) ? secureHeaders : fixedHeaders).header('x-request-id', request.id);
    if (request.routeOptions.config?.readsStream !== true) {
      limitBody(parts, request, reply);
    }
    if (request.routeOptions.config?.ignoresHost === true) {
      return;
    }
    const tenant = await parts.resolveTenant(request.host);
    if (tenant === undefined) {
      throw new AppError('NOT_FOUND', `No tenant of this server has the host ${JSON.stringify((request.host ?? '').slice(0, 100))}.`);
    }
    request.tenant = tenant;
    if (request.is404 && parts.console !== undefined && wantsPage(request)) {
      return answerPage(request, reply, parts.console);
    }
    if (request.is404) {
      return answerUnknown(paths, request, reply);
    }
  });
  app.addHook('onResponse', async (request, reply) => {
    const milliseconds = performance.now() - request.startedAt;
    const route = request.routeOptions.url ?? 'none';
    metrics.observeRequest({ method: request.method, route, status: reply.statusCode }, milliseconds / 1000);
    const isProbe = request.routeOptions.config?.ignoresHost === true && reply.statusCode < 500;
    parts.log[isProbe ? 'debug' : 'info'](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(milliseconds * 10) / 10,
        tenantId: request.tenant?.id ?? '',
        callerId: request.actor?.userId ?? '',
        credentialId: request.actor?.credentialId ?? '',
        address: request.clientAddress,
        requestId: request.id,
      },
      'request',
    );
  });
}

/** Ends the connection of a body that does not arrive in time. */
function limitBody(parts: ServerParts, { raw }: FastifyRequest, reply: FastifyReply): void {
  limitBodyTime(raw, parts.bodyTimeMs ?? defaultBodyTimeMs, () => {
    if (reply.raw.headersSent) {
      raw.destroy();
      return;
    }
    raw.socket.once('finish', () => raw.destroy());
    answerUnreadable(Object.assign(new Error('the body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), raw.socket);
  });
}

/** A request that no route matched: its path may exist with other methods. */
function answerUnknown(paths: KnownPaths, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = (request.raw.url ?? '').split('?', 1).join('');
  const methods = paths.methodsOf(path);
  if (methods.length > 0 && request.method === 'OPTIONS') {
    return reply
      .header('allow', [...methods, 'OPTIONS'].join(', '))
      .type('application/json')
      .send('{}');
  }
  if (methods.length > 0) {
    throw new AppError(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not possible here; ${methods.join(', ')} ${methods.length === 1 ? 'is' : 'are'}.`,
      {
        allow: methods,
      },
    );
  }
  const unserved = findUnserved(request.method, path);
  if (unserved !== undefined) {
    throw unserved;
  }
  throw new AppError('NOT_FOUND', `There is nothing at this path. /openapi.json lists the operations.`);
}

function addProbes(app: FastifyInstance, parts: ServerParts, metrics: Metrics): void {
  const config = { ignoresHost: true };
  app.get('/healthz', { config }, async (_request, reply) => reply.type('application/json').send('{"status":"alive"}'));
  app.get('/readyz', { config }, async (_request, reply) => {
    try {
      if (!(await within(parts.checkReady(), longestProbeMs))) {
        throw new AppError('UNAVAILABLE', 'The database does not answer.');
      }
    } catch (error) {
      const reason = error instanceof AppError && error.code === 'UNAVAILABLE' ? ` ${error.message}` : '';
      throw new AppError('UNAVAILABLE', `Not ready to serve requests.${reason}`, { cause: error, retryAfterSeconds: 1 });
    }
    return reply.type('application/json').send('{"status":"ready"}');
  });
  app.get('/metrics', { config }, async (request, reply) => {
    requireMetricsReader(parts.metricsToken, request);
    return reply.header('content-type', metrics.contentType).send(await metrics.render());
  });
}

/** With a token whoever has it, without one this machine alone. Hashed before they are compared, so that the time it takes says nothing. */
function requireMetricsReader(wanted: string | undefined, request: FastifyRequest): void {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const { authorization } = request.headers;
  if (wanted === undefined && !isFromHere(request)) {
    throw new AppError('UNAUTHENTICATED', 'Without --metrics-token this is for requests of the same machine alone.');
  }
  if (wanted !== undefined && !timingSafeEqual(digest(`Bearer ${wanted}`), digest(authorization ?? ''))) {
    throw new AppError('UNAUTHENTICATED', 'This needs the token of --metrics-token: Authorization: Bearer <token>.');
  }
}

/** The one place where an error becomes an answer, and a log line where it is our fault. */
async function sendError(parts: ServerParts, thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const error = toAppError(thrown);
  if (error.status >= 500 && error.code !== 'NOT_IMPLEMENTED') {
    parts.log.error(
      { err: error, cause: error.cause, detail: error.detail, requestId: request.id, tenantId: request.tenant?.id ?? '' },
      'request failed',
    );
  } else if (error.detail !== undefined) {
    parts.log.debug({ code: error.code, detail: error.detail, requestId: request.id }, 'request refused');
  }
  const { status, headers, body } = renderError(error, request.id, (request.headers.authorization ?? '').trim() !== '');
  // What is left of a streamed body is no concern any more.
  limitBody(parts, request, reply);
  await drainBody(request.raw);
  // The framework closes after a body that is too large; the rest of it has been or is being read.
  reply.removeHeader('connection');
  return reply
    .code(status)
    .headers({ 'x-request-id': request.id, ...headers })
    .send(body);
}
