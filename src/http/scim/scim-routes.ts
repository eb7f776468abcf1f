/**
 * The routes beside the contract that speak SCIM 2.0 (RFC 7644) to identity providers, under /scim/v2: who asks, what is read and sent, and
 * errors in SCIM's form, those of the framework among them. What is done is decided in the module SCIM.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../db/types.ts';
import { createRefusals, type Refusals } from '../../foundation/credentials/index.ts';
import { createRates } from '../../foundation/rates/index.ts';
import {
  checkToken,
  sourceIdIn,
  createGroup,
  createUser,
  deleteGroup,
  deleteUser,
  describeSchemas,
  describeService,
  describeTypes,
  listAll,
  listPage,
  resourceLocation,
  namesVersion,
  patchGroup,
  patchUser,
  replaceGroup,
  replaceUser,
  requireResource,
  type ResourceKind,
  type ResourceRow,
  ScimError,
  scimPath,
  type ScimSource,
  resourceVersion,
  viewResources,
} from '../../inventory/scim/index.ts';
import { isAppError } from '../../errors.ts';
import type { Actor, Logger, Context, React } from '../../context.ts';
import { bearerChallenge, invalidTokenChallenge } from '../authenticate.ts';
import { requestBaseUrl } from '../session-cookie.ts';
import { parseScimBody } from './scim-body.ts';
import { readListQuery, readProjection, readSearch } from './scim-query.ts';
import { sendScimError } from './scim-errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The connector of a SCIM request, and the context it acts in. */
    scim: { readonly source: ScimSource; readonly context: Context };
  }
}

/** Needs of the routes. */
export interface ScimRouteParts {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly react: React;
}

const mediaType = 'application/scim+json';
const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

type Change = (
  context: Context,
  source: ScimSource,
  id: string,
  body: JsonValue | undefined,
  ifMatch: string | undefined,
) => Promise<ResourceRow>;

interface Kind {
  readonly kind: ResourceKind;
  readonly create: (context: Context, source: ScimSource, body: JsonValue | undefined) => Promise<ResourceRow>;
  readonly replace: Change;
  readonly patch: Change;
  readonly remove: (context: Context, source: ScimSource, id: string, ifMatch: string | undefined) => Promise<void>;
  /** True if a PATCH answers without the resource: the members of a group may be many. */
  readonly patchesSilently: boolean;
}

const kinds: Readonly<Record<string, Kind>> = {
  Users: { kind: 'USER', create: createUser, replace: replaceUser, patch: patchUser, remove: deleteUser, patchesSilently: false },
  Groups: { kind: 'GROUP', create: createGroup, replace: replaceGroup, patch: patchGroup, remove: deleteGroup, patchesSilently: true },
};

const baseUrlOf = (request: FastifyRequest): string => `${requestBaseUrl(request)}${scimPath}`;
const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id;
const bodyOf = (request: FastifyRequest): JsonValue | undefined => request.body as JsonValue | undefined;

/** A query of ours: what is in the address, each name once. */
function queryOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(request.url.split('?').slice(1).join('?'));
}

function send(reply: FastifyReply, status: number, body: JsonObject): FastifyReply {
  return reply.code(status).header('content-type', mediaType).send(JSON.stringify(body));
}

/** Registers the routes; to be passed to createServer among its `extraRoutes`. */
export function registerScimRoutes(app: FastifyInstance, parts: ScimRouteParts): void {
  const refusals = createRefusals({
    now: () => parts.clock().getTime(),
    rates: createRates(parts.database, () => parts.clock().getTime()),
    log: parts.log,
    anonymousContext: ({ tenantId, ...origin }) => scopeOf(parts, tenantId, { ...origin, kind: 'anonymous' }),
  });
  void app.register(
    async (inside) => {
      inside.decorateRequest('scim');
      inside.setErrorHandler((error, request, reply) => sendScimError(parts.log, error, request, reply));
      inside.addHook('onRequest', (request, reply) => authenticate(parts, refusals, request, reply));
      readJson(inside);
      inside.addHook('onClose', () => refusals.close());
      for (const [place, kind] of Object.entries(kinds)) {
        addResource(inside, place, kind);
      }
      addDiscovery(inside);
      addRefusals(inside);
    },
    { prefix: scimPath },
  );
}

/** JSON alone, as it is: what comes compressed is not taken. */
function readJson(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const encoding = request.headers['content-encoding'] ?? '';
    if (encoding !== '' && encoding.toLowerCase() !== 'identity') {
      throw new ScimError(415, '', 'A body must not be compressed.');
    }
  });
  app.removeAllContentTypeParsers();
  for (const type of [mediaType, 'application/json']) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
      try {
        done(null, parseScimBody(body));
      } catch (error) {
        done(error as Error);
      }
    });
  }
}

function scopeOf(parts: ScimRouteParts, tenantId: string, of: Pick<Actor, 'kind' | 'credentialId' | 'sourceIp' | 'requestId'>): Context {
  const actor: Actor = { userId: '', issuerId: '', roles: new Set(), ...of };
  return { db: parts.database.tenant(tenantId), tenantId, actor, now: parts.clock(), log: parts.log, react: parts.react };
}

/** Finds the connector whose token the request has; failed attempts are counted by address, as those at the token endpoint. */
async function authenticate(parts: ScimRouteParts, refusals: Refusals, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { authorization } = request.headers;
  if (authorization === undefined || authorization.trim() === '') {
    void reply.header('www-authenticate', bearerChallenge);
    throw new ScimError(401, '', 'This needs a token: Authorization: Bearer <token>.');
  }
  const tenantId = request.tenant.id;
  const token = bearer.exec(authorization)?.[1] ?? '';
  const sourceId = sourceIdIn(token);
  const clientId = `scim_${sourceId}`;
  const origin = { sourceIp: request.clientAddress, requestId: request.id };
  const anonymous = scopeOf(parts, tenantId, { ...origin, kind: 'anonymous', credentialId: '' });
  const note = async (reason: string): Promise<void> => {
    const seconds = await refusals.fail({ ...origin, tenantId, clientId, credentialId: '', reason });
    if (seconds > 0) {
      void reply.header('retry-after', String(seconds));
      throw new ScimError(429, '', 'Too many failed attempts from this address.');
    }
    void reply.header('www-authenticate', invalidTokenChallenge);
  };
  const source = await checkToken(anonymous, token).catch(async (error: unknown) => {
    if (isAppError(error, 'UNAUTHENTICATED')) {
      await note('a SCIM token was used from an address the session settings do not allow');
    }
    throw error;
  });
  if (source === undefined) {
    await note('the SCIM token is not valid');
    throw new ScimError(401, '', 'The token is not valid: it was replaced or revoked, or is for another tenant.');
  }
  request.scim = { source, context: scopeOf(parts, tenantId, { ...origin, kind: 'source', credentialId: source.id }) };
}

function addResource(app: FastifyInstance, place: string, { kind, create, replace, patch, remove, patchesSilently }: Kind): void {
  const optionsOf = (request: FastifyRequest) => ({ baseUrl: baseUrlOf(request), projection: readProjection(queryOf(request)) });

  async function sendOne(request: FastifyRequest, reply: FastifyReply, status: number, row: ResourceRow): Promise<FastifyReply> {
    const { context, source } = request.scim;
    const [resource = {}] = await viewResources(context, source, [row], optionsOf(request));
    return send(
      reply.headers({ etag: resourceVersion(row), 'content-location': resourceLocation(row, baseUrlOf(request)) }),
      status,
      resource,
    );
  }

  app.get(`/${place}`, async (request, reply) => {
    const { context, source } = request.scim;
    return send(reply, 200, await listPage(context, source, kind, readListQuery(queryOf(request)), optionsOf(request)));
  });
  app.post(`/${place}/.search`, async (request, reply) => {
    const { context, source } = request.scim;
    const { query, projection } = readSearch(bodyOf(request));
    return send(reply, 200, await listPage(context, source, kind, query, { baseUrl: baseUrlOf(request), projection }));
  });
  app.post(`/${place}`, async (request, reply) => {
    const { context, source } = request.scim;
    const row = await create(context, source, bodyOf(request));
    return sendOne(request, reply.header('location', resourceLocation(row, baseUrlOf(request))), 201, row);
  });
  app.get(`/${place}/:id`, async (request, reply) => {
    const { context, source } = request.scim;
    const row = await requireResource(context, source, kind, idOf(request));
    const known = request.headers['if-none-match'];
    if (known !== undefined && namesVersion(known, row)) {
      return reply.header('etag', resourceVersion(row)).code(304).send();
    }
    return sendOne(request, reply, 200, row);
  });
  app.put(`/${place}/:id`, async (request, reply) => {
    const { context, source } = request.scim;
    return sendOne(request, reply, 200, await replace(context, source, idOf(request), bodyOf(request), request.headers['if-match']));
  });
  app.patch(`/${place}/:id`, async (request, reply) => {
    const { context, source } = request.scim;
    const row = await patch(context, source, idOf(request), bodyOf(request), request.headers['if-match']);
    const { attributes, excluded } = readProjection(queryOf(request));
    if (patchesSilently && attributes.length + excluded.length === 0) {
      return reply.header('etag', resourceVersion(row)).code(204).send();
    }
    return sendOne(request, reply, 200, row);
  });
  app.delete(`/${place}/:id`, async (request, reply) => {
    const { context, source } = request.scim;
    await remove(context, source, idOf(request), request.headers['if-match']);
    return reply.code(204).send();
  });
}

function addDiscovery(app: FastifyInstance): void {
  const refuseFilter = (request: FastifyRequest): void => {
    if (queryOf(request).has('filter')) {
      // RFC 7644 section 4.
      throw new ScimError(403, '', 'The lists that describe the service cannot be filtered.');
    }
  };
  app.get('/ServiceProviderConfig', async (request, reply) => {
    refuseFilter(request);
    return send(reply, 200, describeService(baseUrlOf(request)));
  });
  for (const [place, describe] of [
    ['ResourceTypes', describeTypes],
    ['Schemas', describeSchemas],
  ] as const) {
    app.get(`/${place}`, async (request, reply) => {
      refuseFilter(request);
      return send(reply, 200, listAll(describe(baseUrlOf(request))));
    });
    app.get(`/${place}/:id`, async (request, reply) => {
      refuseFilter(request);
      const found = describe(baseUrlOf(request)).get(idOf(request));
      if (found === undefined) {
        throw new ScimError(404, '', `There is nothing of this name in /${place}.`);
      }
      return send(reply, 200, found);
    });
  }
}

/** Methods of paths, by pattern; what is left out here is answered as unknown. */
const methodsByPath: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:Users|Groups)$/, 'GET, HEAD, POST'],
  [/^\/(?:Users|Groups)\/\.search$/, 'POST'],
  [/^\/(?:Users|Groups)\/[^/]{1,1000}$/, 'GET, HEAD, PUT, PATCH, DELETE'],
  [/^\/(?:ServiceProviderConfig|(?:ResourceTypes|Schemas)(?:\/[^/]+)?)$/, 'GET, HEAD'],
];

/** Everything else under the path: what the RFC leaves optional and is not served, wrong methods, and what does not exist. */
function addRefusals(app: FastifyInstance): void {
  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    const path = request.url.split('?', 1).join('').slice(scimPath.length);
    if (/^\/(?:Me|Bulk|\.search)(?:\/|$)/.test(path)) {
      throw new ScimError(501, '', 'This part of SCIM is not served. /ServiceProviderConfig lists what is.');
    }
    const allowed = methodsByPath.find(([pattern]) => pattern.test(path))?.[1];
    if (allowed === undefined) {
      throw new ScimError(404, '', 'There is nothing at this path.');
    }
    void reply.header('allow', allowed);
    throw new ScimError(405, '', `${request.method} is not possible here; ${allowed} are.`);
  };
  const method = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  app.route({ method, url: '/*', handler: refuse, exposeHeadRoute: false });
  app.route({ method, url: '/', handler: refuse, exposeHeadRoute: false });
}
