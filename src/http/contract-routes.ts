/**
 * The routes of the contract. Each request runs: tenant by host and authentication (before its body is read), then parse, permission,
 * the method, and its row as JSON text. What a method does is the modules' business.
 */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { createRegistry, type DescFile, type DescMethod, getOption, type JsonObject, type Registry } from '@bufbuild/protobuf';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../db/types.ts';
import { requireAct } from '../foundation/authority/index.ts';
import { AppError } from '../errors.ts';
import { Act, act, fresh_sign_in, streamed_body, takes_as_read } from '../gen/countersign/options_pb.js';
import type { Logger, Context, React } from '../context.ts';
import { checkReply } from '../wire/check-reply.ts';
import type { FairGate } from '../lib/fair-gate.ts';
import type { Loaders } from '../wire/expand.ts';
import { readRequest, takeAsRead } from '../wire/read.ts';
import { readQuery } from '../wire/read-query.ts';
import type { BoundMethod, BoundService } from '../wire/service.ts';
import { writeJson } from '../wire/write.ts';
import type { Authenticator } from './authenticate.ts';
import { makeCall } from './call.ts';
import { methodDemand } from './permissions.ts';
import { createSearchGate, isSearch, runSearch } from './search-share.ts';
import { contractRoute, routerPath } from './route-of.ts';
import { requestBaseUrl } from './session-cookie.ts';
import { carriesSecret, sendJson } from './bodies/send-json.ts';
import { answerUnknownMembers } from './bodies/unknown-members.ts';

/** Needs of the routes. */
export interface ContractParts {
  readonly services: readonly BoundService[];
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly database: Database;
  readonly loaders: Loaders;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly react: React;
  readonly checkReplies: boolean;
  /** Throws unless the caller signed in a short while ago; asked of methods that change what signs in. */
  readonly requireFresh: (context: Context) => Promise<void>;
  /** Forgets what is remembered of the callers of a tenant; called after methods that change what somebody may do. */
  readonly forgetActors: (tenantId: string) => void;
}

/** Registers every method of the services; throws where one has no route or no permission. */
export function registerContract(app: FastifyInstance, parts: ContractParts): void {
  const methods = parts.services.flatMap((service) => service.methods);
  const gate = createSearchGate(parts.database.stats().size);
  const registry = parts.checkReplies ? createRegistry(...listFiles(parts.services.map(({ desc }) => desc.file))) : undefined;
  void app.register(async (inside) => {
    addAuthentication(inside, parts.authenticator);
    addJsonBodies(inside);
    for (const method of methods.filter(({ desc }) => !getOption(desc, streamed_body))) {
      addRoute(inside, parts, method, gate, registry);
    }
  });
  void app.register(async (inside) => {
    addAuthentication(inside, parts.authenticator);
    inside.removeAllContentTypeParsers();
    inside.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const method of methods.filter(({ desc }) => getOption(desc, streamed_body))) {
      addRoute(inside, parts, method, gate, registry);
    }
  });
}

/** The files and all they import: expanded objects are of types that services only refer to. */
function listFiles(files: Iterable<DescFile>, found = new Set<DescFile>()): Set<DescFile> {
  for (const file of files) {
    if (!found.has(file)) {
      found.add(file);
      listFiles(file.dependencies, found);
    }
  }
  return found;
}

function addAuthentication(app: FastifyInstance, authenticator: ContractParts['authenticator']): void {
  app.decorateRequest('actor');
  app.addHook('onRequest', async (request) => {
    request.actor = await authenticator.authenticate(request.tenant, {
      authorization: request.headers.authorization,
      sourceIp: request.clientAddress,
      requestId: request.id,
      request,
    });
  });
}

function addJsonBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'A JSON body must not be compressed.');
    }
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    try {
      done(null, parseJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** The JSON of a body; `{}` for an empty one. JSON.parse makes `__proto__` an ordinary member, and the reader ignores or refuses it. */
function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) {
    throw new AppError('INVALID_ARGUMENT', 'The body is not valid UTF-8.');
  }
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') {
    return {};
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('INVALID_ARGUMENT', `The body is not JSON: ${describeFault(error)}`, { cause: error });
  }
}

/** Place the parser stopped, without the piece of the body that V8 quotes: it may hold a secret, and messages are logged. */
function describeFault(error: unknown): string {
  const position = /position (\d+)/.exec(String(error))?.[1];
  return position === undefined ? 'it ends too early, or is something else.' : `unexpected character at position ${position}.`;
}

function addRoute(app: FastifyInstance, parts: ContractParts, method: BoundMethod, gate: FairGate, registry: Registry | undefined): void {
  const { desc } = method;
  const route = contractRoute(desc);
  const demand = methodDemand(desc);
  const isStreamed = getOption(desc, streamed_body);
  const readsQuery = isStreamed || !route.hasBody;
  const isShared = isSearch(desc);
  const isSecret = carriesSecret(desc.output);
  const isFresh = isFreshMethod(desc);
  const isOfActors = changesActors(desc);
  const takesAsRead = getOption(desc, takes_as_read);

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const query = readsQuery ? readQuery(desc.input, queryOf(request)) : undefined;
    const parameters = request.params as Readonly<Record<string, string>>;
    for (const name of route.parameters) {
      // The router takes /apps/ for an app without an id.
      if (parameters[name] === '') {
        throw new AppError('NOT_FOUND', 'There is nothing at this path. /openapi.json lists the operations.');
      }
    }
    const { body, asRead } = takesAsRead ? takeAsRead(desc.input, request.body) : { body: request.body, asRead: undefined };
    const { message, sent, unknown } = readRequest(desc.input, query?.json ?? body, parameters);
    answerUnknownMembers(request, reply, query?.unknown ?? unknown);
    requireAct(request.actor, demand);
    const context = makeContext(parts, request, asRead);
    if (isFresh) {
      await parts.requireFresh(context);
    }
    const call = makeCall({
      method: desc,
      tenant: request.tenant,
      context,
      sent,
      loaders: parts.loaders,
      body: isStreamed ? ((request.body as Readable | undefined) ?? request.raw) : undefined,
      left: isStreamed ? watchClient(reply) : undefined,
      contentEncoding: isStreamed ? (request.headers['content-encoding'] ?? '').trim().toLowerCase() : '',
      contentType: isStreamed ? (request.headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase() : '',
      baseUrl: requestBaseUrl(request),
    });
    const run = (): Promise<unknown> => method.run(context, message, call);
    const answer = await (isShared ? runSearch(gate, request, reply, run) : run());
    if (isOfActors) {
      parts.forgetActors(context.tenantId);
    }
    const text = writeJson(desc.output, answer);
    if (parts.checkReplies) {
      checkReply(desc.output, JSON.parse(text), registry);
    }
    return sendJson(request, reply, text, isSecret);
  };

  app.route({
    method: route.verb,
    url: routerPath(route.template),
    config: { isOperation: true, ...(isStreamed ? { readsStream: true } : {}) },
    ...(isStreamed ? { bodyLimit: Number.MAX_SAFE_INTEGER } : {}),
    handler: handle,
  });
}

/** Services that say who somebody is or stands in for, beside those with methods that ask for a fresh sign-in. */
const servicesOfActors = new Set(['UserService', 'MyDelegationService']);

/** True if a method may change what somebody is allowed to: this process remembers that of each caller for some seconds. */
function changesActors(desc: DescMethod): boolean {
  const { parent } = desc;
  const isOfActors = servicesOfActors.has(parent.name) || parent.file.services.some(({ methods }) => methods.some(isFreshMethod));
  return isOfActors && getOption(desc, act) !== Act.READ;
}

function isFreshMethod(desc: DescMethod): boolean {
  return getOption(desc, fresh_sign_in);
}

/** Status logged of a request whose client went away, as other servers do; nobody receives it. */
const clientGone = 499;

/** A signal that is aborted when the client goes away before it was answered. */
function watchClient(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) {
      left.abort(new AppError('UNAVAILABLE', 'The client went away before its request was worked on.', { status: clientGone }));
    }
  });
  return left.signal;
}

function queryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

function makeContext(parts: ContractParts, request: FastifyRequest, asRead: JsonObject | undefined): Context {
  let log: Logger | undefined;
  return {
    db: parts.database.tenant(request.tenant.id),
    tenantId: request.tenant.id,
    actor: request.actor,
    now: parts.clock(),
    react: parts.react,
    asRead,
    // Most requests log nothing, and a child logger costs as much as reading a small request.
    get log() {
      log ??= parts.log.child({ requestId: request.id, tenantId: request.tenant.id });
      return log;
    },
  };
}
