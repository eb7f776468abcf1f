/**
 * The routes beside the contract by which programs sign in from a terminal (RFC 8628): where they begin, what they are answered at the token endpoint, and
 * what the page of the console reads and answers where a person confirms them. Who may do so is decided in the module sessions.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Tokens } from '../foundation/credentials/index.ts';
import { type DeviceError, deviceError, deviceIntervalSeconds, deviceSeconds, type Sessions } from '../foundation/sessions/index.ts';
import { AppError } from '../errors.ts';
import { asObject } from '../lib/json.ts';
import { deviceTokenPrefix } from './authenticate.ts';
import { requireSameOrigin } from './same-origin.ts';
import { requestBaseUrl, readCookie, readSignedInAs } from './session-cookie.ts';

/** Grant type a program sends at the token endpoint for its session. */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';
/** Programs' first path. */
export const devicePath = '/auth/v1/device_authorization';

const formType = 'application/x-www-form-urlencoded';
const maxFormBytes = 4 * 1024;
const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;
const jsonType = 'application/json; charset=utf-8';

const originOf = (request: FastifyRequest): { sourceIp: string; requestId: string } => ({
  sourceIp: request.clientAddress,
  requestId: request.id,
});

function sendError(reply: FastifyReply, { status, error, description, retryAfterSeconds }: DeviceError): FastifyReply {
  if (retryAfterSeconds !== undefined) {
    void reply.header('retry-after', String(retryAfterSeconds));
  }
  return reply
    .code(status)
    .headers(noStore)
    .header('content-type', jsonType)
    .send(JSON.stringify({ error, error_description: description }));
}

function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return reply.headers(noStore).header('content-type', jsonType).send(JSON.stringify(body));
}

/** Reads these members of a form; an error where one is missing, empty or there twice. */
function readForm<K extends string>(body: unknown, names: readonly K[]): Record<K, string> | DeviceError {
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  const wrong = names.find((name) => form.getAll(name).length !== 1 || form.get(name) === '');
  if (wrong !== undefined) {
    return deviceError('invalid_request', `Send the parameter ${wrong} once, in a form (Content-Type: ${formType}).`);
  }
  return Object.fromEntries(names.map((name) => [name, form.get(name) ?? ''])) as Record<K, string>;
}

function isDeviceError(value: object): value is DeviceError {
  return 'error' in value && 'description' in value;
}

/** Answers a program that asks for its session at the token endpoint. */
export async function answerDeviceToken(
  { sessions, tokens }: { readonly sessions: Sessions; readonly tokens: Tokens },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = readForm(request.body, ['client_id', 'device_code']);
  if (isDeviceError(form)) {
    return sendError(reply, form);
  }
  const result = await sessions.exchangeDevice(request.tenant, form.client_id, form.device_code, originOf(request));
  if (isDeviceError(result)) {
    const retryAfterSeconds = result.error === 'invalid_grant' ? await tokens.countFailure(request.tenant, request.clientAddress) : 0;
    if (retryAfterSeconds > 0) {
      return sendError(reply, {
        ...deviceError('temporarily_unavailable', 'Too many failed attempts from this address.', 429),
        retryAfterSeconds,
      });
    }
    return sendError(reply, result);
  }
  const { token, expiresInSeconds } = result;
  return sendJson(reply, { access_token: `${deviceTokenPrefix}${token}`, token_type: 'Bearer', expires_in: expiresInSeconds });
}

async function beginDevice(sessions: Sessions, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = readForm(request.body, ['client_id']);
  if (isDeviceError(form)) {
    return sendError(reply, form);
  }
  const result = await sessions.beginDevice(request.tenant, form.client_id, request.headers['user-agent'] ?? '', originOf(request));
  if (isDeviceError(result)) {
    return sendError(reply, result);
  }
  const page = `${requestBaseUrl(request)}/device`;
  return sendJson(reply, {
    device_code: result.deviceCode,
    user_code: result.userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?code=${result.userCode}`,
    expires_in: deviceSeconds,
    interval: deviceIntervalSeconds,
  });
}

/** The answer of a person; INVALID_ARGUMENT for anything else. */
function readAnswer(body: unknown): { code: string; isApproved: boolean } {
  let read: unknown;
  try {
    read = JSON.parse(typeof body === 'string' ? body : '');
  } catch {
    read = undefined;
  }
  const { code, answer } = asObject(read);
  if (typeof code !== 'string' || (answer !== 'APPROVE' && answer !== 'DENY')) {
    throw new AppError('INVALID_ARGUMENT', 'The body must be JSON: {"code": "BCDF-GHJK", "answer": "APPROVE" or "DENY"}.');
  }
  return { code, isApproved: answer === 'APPROVE' };
}

/** Registers the routes; to be passed to createServer among its `extraRoutes`. */
export function registerDeviceRoutes(app: FastifyInstance, { sessions }: { readonly sessions: Sessions }): void {
  void app.register(async (inside) => {
    inside.removeAllContentTypeParsers();
    for (const type of [formType, 'application/json']) {
      inside.addContentTypeParser(type, { parseAs: 'string', bodyLimit: maxFormBytes }, (_request, body, done) => done(null, body));
    }
    inside.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxFormBytes }, (_request, _body, done) => done(null, undefined));
    inside.post(devicePath, (request, reply) => beginDevice(sessions, request, reply));
    inside.get('/auth/device', async (request, reply) => {
      const { code = '' } = request.query as { code?: unknown };
      const typed = typeof code === 'string' ? code : '';
      return sendJson(reply, await sessions.showDevice(request.tenant, readCookie(request, 'session'), typed, originOf(request)));
    });
    inside.post('/auth/device', async (request, reply) => {
      requireSameOrigin(request);
      const { code, isApproved } = readAnswer(request.body);
      const origin = { ...originOf(request), signedInAs: readSignedInAs(request) };
      await sessions.answerDevice(request.tenant, readCookie(request, 'session'), code, isApproved, origin);
      return sendJson(reply, {});
    });
  });
}
