/**
 * The routes beside the contract by which people sign in and out with a browser. Each answers JSON; the pages are the console's. Who may sign in
 * is decided in the module sessions.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Sessions } from '../foundation/sessions/index.ts';
import { AppError } from '../errors.ts';
import { asObject } from '../lib/json.ts';
import { drainBody } from './bodies/drain-body.ts';
import { requireSameOrigin } from './same-origin.ts';
import { clearCookie, requestBaseUrl, readCookie, setCookie } from './session-cookie.ts';

/** Needs of the routes. */
export interface SessionRouteParts {
  readonly sessions: Sessions;
}

const originOf = (request: FastifyRequest): { sourceIp: string; requestId: string } => ({
  sourceIp: request.clientAddress,
  requestId: request.id,
});
const browserOf = ({ headers }: FastifyRequest): string => headers['user-agent'] ?? '';

/** An address and a path. */
const maxRequestBytes = 8 * 1024;

function readJson(body: unknown, example: string): ReturnType<typeof asObject> {
  try {
    return asObject(JSON.parse(typeof body === 'string' ? body : ''));
  } catch {
    throw new AppError('INVALID_ARGUMENT', `The body must be JSON: ${example}.`);
  }
}

/** The token of a link. It comes in the body, since addresses stand in logs. INVALID_ARGUMENT for what is no JSON object. */
function readToken(body: unknown): string {
  const { token } = readJson(body, '{"token": "the text behind #link="}');
  return typeof token === 'string' ? token : '';
}

/** Reads a link request; INVALID_ARGUMENT for what is no JSON object with an address. */
function readLinkRequest(body: unknown): { email: string; to: string | undefined } {
  const { email, to } = readJson(body, '{"email": "a mail address", "to": "/a/path"}');
  return { email: typeof email === 'string' ? email.trim() : '', to: typeof to === 'string' ? to : undefined };
}

/** As long as a link or a sign-in lives. */
const browserSeconds = 600;

function queryOf(request: FastifyRequest): URLSearchParams {
  const url = request.raw.url ?? '';
  const mark = url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
}

/** URL the provider sends the browser back to; it has to be registered there. */
function callbackOf(request: FastifyRequest, providerId: string): string {
  return `${requestBaseUrl(request)}/auth/callback/${encodeURIComponent(providerId)}`;
}

/** With GET, whatever the request was; addresses with secrets are no referrer of anything. */
function redirect(reply: FastifyReply, to: string): FastifyReply {
  return reply.code(303).header('location', to).send();
}

function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body));
}

/** Registers the routes; to be passed to createServer among its `extraRoutes`. */
export function registerSessionRoutes(app: FastifyInstance, { sessions }: SessionRouteParts): void {
  void app.register(async (inside) => {
    // JSON alone is read, and only where it is asked for; a form of another site sends something else.
    inside.removeAllContentTypeParsers();
    inside.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    inside.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    inside.get('/auth/providers', async (request, reply) => {
      const providers = await sessions.listProviders(request.tenant, originOf(request));
      return sendJson(reply, {
        tenant: { displayName: request.tenant.displayName },
        providers,
        mailLinks: await sessions.showsMail(request.tenant, originOf(request)),
      });
    });
    inside.post('/auth/link', { bodyLimit: maxRequestBytes }, async (request, reply) => {
      requireSameOrigin(request);
      const { email, to } = readLinkRequest(request.body);
      const wanted = { email, to, browserSecret: readCookie(request, 'sign-in') };
      const browserSecret = await sessions.requestLink(request.tenant, wanted, originOf(request));
      void reply.header('set-cookie', setCookie(request, 'sign-in', browserSecret, browserSeconds));
      return sendJson(reply, {});
    });
    inside.get('/auth/sign-in/:provider', async (request, reply) => {
      const { provider: providerId } = request.params as { provider: string };
      const query = queryOf(request);
      const to = query.get('to') ?? undefined;
      const browserSecret = readCookie(request, 'sign-in');
      const beginning = {
        providerId,
        to,
        browserSecret,
        redirectUri: callbackOf(request, providerId),
        isFresh: query.get('fresh') === '1',
      };
      const begun = await sessions.begin(request.tenant, beginning, originOf(request));
      if (typeof begun === 'string') {
        return redirect(reply, `/sign-in?error=${begun}`);
      }
      void reply.header('set-cookie', setCookie(request, 'sign-in', begun.browserSecret, browserSeconds));
      return redirect(reply, begun.url);
    });
    inside.get('/auth/callback/:provider', async (request, reply) => {
      const { provider: providerId } = request.params as { provider: string };
      const returnedTo = new URL(callbackOf(request, providerId));
      returnedTo.search = queryOf(request).toString();
      const returning = { providerId, returnedTo, browserSecret: readCookie(request, 'sign-in'), browser: browserOf(request) };
      const result = await sessions.finish(request.tenant, returning, readCookie(request, 'session'), originOf(request));
      if (typeof result === 'string') {
        return redirect(reply, `/sign-in?error=${result}`);
      }
      void reply.header('set-cookie', setCookie(request, 'session', result.token));
      return redirect(reply, result.toPath);
    });
    inside.post('/auth/link/open', { bodyLimit: maxRequestBytes }, async (request, reply) => {
      requireSameOrigin(request);
      const token = readToken(request.body);
      const opening = { token, browserSecret: readCookie(request, 'sign-in'), browser: browserOf(request) };
      const opened = await sessions.openLink(request.tenant, opening, readCookie(request, 'session'), originOf(request));
      void reply.header('set-cookie', setCookie(request, 'session', opened.token));
      return sendJson(reply, { userId: opened.userId, to: opened.toPath === '' ? '/' : opened.toPath });
    });
    inside.post('/auth/sign-out', async (request, reply) => {
      requireSameOrigin(request);
      await drainBody(request.raw);
      const ended = await sessions.signOut(request.tenant, readCookie(request, 'session'), originOf(request));
      void reply.header('set-cookie', clearCookie(request, 'session'));
      return sendJson(reply, { ended });
    });
  });
}
