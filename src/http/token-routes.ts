/**
 * The routes beside the contract that give tokens: the token endpoint (RFC 6749 section 4.4, RFC 7523), the published keys and the
 * metadata (RFC 8414). Who gets a token is decided in the credentials module.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isTokenError, parseTokenRequest, type TokenError, type Tokens } from '../foundation/credentials/index.ts';
import type { Sessions } from '../foundation/sessions/index.ts';
import type { Tenant, TenantFinder } from '../foundation/tenants/index.ts';
import { type AppError, isAppError, orThrow } from '../errors.ts';
import type { Logger } from '../context.ts';
import { answerDeviceToken, deviceGrantType, devicePath } from './device-routes.ts';
import { renderError } from './render-error.ts';

/** Needs of the routes. */
export interface TokenRouteParts {
  readonly tenants: TenantFinder;
  readonly tokens: Tokens;
  readonly log: Logger;
  /** Absent where nobody signs in from a terminal. */
  readonly sessions?: Sessions;
}

/** A request for a token is a few short fields; an assertion has at most 4 KiB. */
const maxFormBytes = 16 * 1024;
const formType = 'application/x-www-form-urlencoded';
const tokenPath = '/auth/v1/token';
const unsupportedMethods = ['GET', 'PUT', 'PATCH', 'DELETE'] as const;

function sendError(reply: FastifyReply, status: number, error: TokenError['error'], description: string): FastifyReply {
  return reply.code(status).headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).send({ error, error_description: description });
}

function sendRefusal(reply: FastifyReply, refusal: TokenError): FastifyReply {
  if (refusal.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', String(refusal.retryAfterSeconds));
  }
  return sendError(reply, refusal.status, refusal.error, refusal.description);
}

/** The tenant the server found for the request; where these routes stand alone, by its host. */
async function requireTenant(tenants: TenantFinder, request: FastifyRequest): Promise<Tenant> {
  const tenant = (request.tenant as Tenant | undefined) ?? (await tenants.findByHost(request.host));
  return orThrow(tenant, 'NOT_FOUND', 'No tenant of this server has this host.');
}

function hasCredentialsInQuery(query: unknown): boolean {
  const names = typeof query === 'object' && query !== null ? Object.keys(query) : [];
  return names.some((name) => name.startsWith('client_') || name === 'grant_type');
}

async function handleToken(parts: TokenRouteParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const tenant = await requireTenant(parts.tenants, request);
  const authorization = request.headers.authorization ?? '';
  // Some clients send the header without a value.
  if (authorization.trim() !== '') {
    // RFC 6749 section 5.2: with the scheme that was tried.
    const scheme = /^[A-Za-z][A-Za-z0-9-]{0,30}/.exec(authorization)?.[0] ?? 'Basic';
    void reply.header('www-authenticate', `${scheme} realm="countersign"`);
    return sendError(reply, 401, 'invalid_client', 'Client credentials go into the body of the request, never into a header.');
  }
  if (hasCredentialsInQuery(request.query)) {
    return sendError(reply, 400, 'invalid_request', 'The parameters go into the body of the request, never into its address.');
  }
  if (typeof request.body !== 'string') {
    return sendError(reply, 400, 'invalid_request', `The body must be a form: Content-Type: ${formType}.`);
  }
  if (parts.sessions !== undefined && new URLSearchParams(request.body).get('grant_type') === deviceGrantType) {
    return answerDeviceToken({ sessions: parts.sessions, tokens: parts.tokens }, request, reply);
  }
  const form = parseTokenRequest(request.body);
  if (isTokenError(form)) {
    return sendRefusal(reply, form);
  }
  const result = await parts.tokens.issue(tenant, form, { sourceIp: request.clientAddress, requestId: String(request.id) });
  if ('error' in result) {
    return sendRefusal(reply, result);
  }
  return reply
    .headers({ 'cache-control': 'no-store', pragma: 'no-cache', 'content-type': 'application/json; charset=utf-8' })
    .send(JSON.stringify({ access_token: result.accessToken, token_type: 'Bearer', expires_in: result.expiresInSeconds }));
}

/** Errors of the framework and of the database in the shape of RFC 6749. */
function handleError(
  parts: TokenRouteParts,
  error: FastifyError | AppError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (isAppError(error, 'NOT_FOUND')) {
    // An unknown host is the same answer everywhere.
    const { status, headers, body } = renderError(error, String(request.id));
    return reply.code(status).headers(headers).send(body);
  }
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) {
    return sendError(reply, 413, 'invalid_request', 'The body is too large for a token request.');
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return sendError(reply, 400, 'invalid_request', `The body must be a form: Content-Type: ${formType}.`);
  }
  parts.log.error({ err: error, requestId: String(request.id) }, 'a token request failed');
  if (isAppError(error, 'UNAVAILABLE')) {
    void reply.header('retry-after', String(error.retryAfterSeconds ?? 1));
    return sendError(reply, 503, 'temporarily_unavailable', error.message);
  }
  return sendError(reply, 500, 'server_error', 'Something went wrong on our side.');
}

/** The metadata of a tenant (RFC 8414 section 2). */
function describeServer(issuer: string, hasDevices: boolean): Record<string, unknown> {
  return {
    issuer,
    token_endpoint: `${issuer}${tokenPath}`,
    ...(hasDevices ? { device_authorization_endpoint: `${issuer}${devicePath}` } : {}),
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    grant_types_supported: ['client_credentials', ...(hasDevices ? [deviceGrantType] : [])],
    // Required by the RFC; there is no authorization endpoint.
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', ...(hasDevices ? ['none'] : [])],
    token_endpoint_auth_signing_alg_values_supported: ['EdDSA', 'Ed25519'],
  };
}

/** Registers the routes; to be passed to createServer as its `extraRoutes`. */
export function registerTokenRoutes(app: FastifyInstance, parts: TokenRouteParts): void {
  void app.register(async (inside) => {
    inside.removeAllContentTypeParsers();
    inside.addContentTypeParser(formType, { parseAs: 'string', bodyLimit: maxFormBytes }, (_request, body, done) => done(null, body));
    // Read and thrown away, so that the answer is ours and the connection can go on.
    inside.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxFormBytes }, (_request, _body, done) => done(null, undefined));
    inside.setErrorHandler((error: FastifyError, request, reply) => handleError(parts, error, request, reply));
    inside.post(tokenPath, (request, reply) => handleToken(parts, request, reply));
    inside.route({
      method: [...unsupportedMethods],
      url: tokenPath,
      handler: async (_request, reply) =>
        sendError(reply.header('allow', 'POST'), 405, 'invalid_request', 'Tokens are asked for with POST.'),
    });
  });
  for (const url of ['/.well-known/jwks.json', '/auth/v1/jwks']) {
    app.get(url, async (request, reply) => {
      const keys = await parts.tokens.findJwks(await requireTenant(parts.tenants, request));
      return reply.header('cache-control', 'public, max-age=60').send(keys);
    });
  }
  app.get('/.well-known/oauth-authorization-server', async (request, reply) => {
    const tenant = await requireTenant(parts.tenants, request);
    return reply
      .header('cache-control', 'public, max-age=60')
      .send(describeServer(parts.tokens.issuerOf(tenant), parts.sessions !== undefined));
  });
}
