/**
 * From an Authorization header or the cookie of a session to the actor of a request. Who may do what is in permissions.ts; how tokens and
 * sessions work is in their modules.
 */
import type { FastifyRequest } from 'fastify';
import { isSource } from '../foundation/authority/index.ts';
import type { TokenRefusal, Tokens } from '../foundation/credentials/index.ts';
import type { SessionRefusal, Sessions } from '../foundation/sessions/index.ts';
import type { Tenant } from '../foundation/tenants/index.ts';
import { AppError } from '../errors.ts';
import type { Actor } from '../context.ts';
import { refuseForgery } from './same-origin.ts';
import { readCookie, readSignedInAs } from './session-cookie.ts';

/** The parts of a request that say who sends it. */
export interface AuthenticationInput {
  readonly authorization: string | undefined;
  /** Of the client, behind trusted proxies only. */
  readonly sourceIp: string;
  readonly requestId: string;
  /** Absent where no cookie counts. */
  readonly request?: Pick<FastifyRequest, 'method' | 'host' | 'protocol' | 'headers'>;
}

/** Finds out who sends a request. */
export interface Authenticator {
  /** The actor of a connector's token. UNAUTHENTICATED where it is not good, PERMISSION_DENIED for an address that is not allowed and others' tokens. */
  authenticateConnector(tenant: Tenant, input: AuthenticationInput): Promise<Actor>;
  /**
   * The actor: by the token where there is one, else by the cookie. UNAUTHENTICATED where neither is good or the address is not allowed;
   * PERMISSION_DENIED where a cookie came with a request that another site may have made.
   */
  authenticate(tenant: Tenant, input: AuthenticationInput): Promise<Actor>;
}

const messages: Readonly<Record<TokenRefusal, string>> = {
  invalid: 'The access token is not valid.',
  expired: 'The access token has expired.',
  revoked: 'The credential of this access token was revoked, has expired, or its owner is disabled.',
  address: 'The credential of this access token may not be used from this address.',
};

const sessionMessages: Readonly<Record<SessionRefusal, string>> = {
  none: 'You are signed out. Sign in again.',
  over: 'Your session has ended. Sign in again.',
  address: 'The session settings of this tenant do not allow this address.',
  other: 'Somebody else is signed in with this browser now. Load the page again.',
};

/** Value of WWW-Authenticate where no token came (RFC 6750 section 3: then without an error code). */
export const bearerChallenge = 'Bearer realm="countersign"';
/** Value of WWW-Authenticate where the token is not valid. */
export const invalidTokenChallenge = 'Bearer realm="countersign", error="invalid_token"';

/** Prefix of the tokens of programs that signed in from a terminal; others are JWTs. */
export const deviceTokenPrefix = 'csd_';

const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** Makes the authenticator. */
export function createAuthenticator(tokens: Tokens, sessions?: Sessions): Authenticator {
  /** Counts what was never good by its place; RATE_LIMITED beyond the limit. */
  async function pauseAfterMany(tenant: Tenant, sourceIp: string): Promise<void> {
    const retryAfterSeconds = await tokens.countFailure(tenant, sourceIp);
    if (retryAfterSeconds > 0) {
      throw new AppError('RATE_LIMITED', `Too many failed attempts from this address. Try again in ${retryAfterSeconds} seconds.`, {
        retryAfterSeconds,
      });
    }
  }

  async function bySession(tenant: Tenant, result: Actor | SessionRefusal, sourceIp: string): Promise<Actor> {
    if (typeof result !== 'string') {
      return result;
    }
    if (result === 'none') {
      await pauseAfterMany(tenant, sourceIp);
    }
    throw new AppError('UNAUTHENTICATED', sessionMessages[result], { detail: `session ${result}` });
  }

  async function byCookie(tenant: Tenant, { request, sourceIp, requestId }: AuthenticationInput): Promise<Actor | undefined> {
    const cookie = request === undefined ? '' : readCookie(request, 'session');
    if (sessions === undefined || request === undefined || cookie === '') {
      return undefined;
    }
    const actor = await bySession(
      tenant,
      await sessions.check(tenant, cookie, { sourceIp, requestId, signedInAs: readSignedInAs(request) }),
      sourceIp,
    );
    refuseForgery(request);
    return actor;
  }

  /** The actor of an access token, whatever it opens. */
  async function byToken(tenant: Tenant, token: string | undefined, { sourceIp, requestId }: AuthenticationInput): Promise<Actor> {
    const result = token === undefined ? 'invalid' : await tokens.check(tenant, token, { sourceIp, requestId });
    if (typeof result !== 'string') {
      return result;
    }
    if (result === 'invalid') {
      await pauseAfterMany(tenant, sourceIp);
    }
    throw new AppError('UNAUTHENTICATED', messages[result], { detail: `token ${result}` });
  }

  return {
    async authenticateConnector(tenant, input) {
      const actor = await byToken(tenant, bearer.exec(input.authorization ?? '')?.[1], input);
      if (!isSource(actor)) {
        throw new AppError('PERMISSION_DENIED', 'Only the credential of a connector opens this service.');
      }
      return actor;
    },
    async authenticate(tenant, input) {
      const { authorization, sourceIp, requestId } = input;
      if (authorization === undefined || authorization.trim() === '') {
        const actor = await byCookie(tenant, input);
        if (actor !== undefined) {
          return actor;
        }
        throw new AppError(
          'UNAUTHENTICATED',
          'This needs an access token: Authorization: Bearer <token> (get one from POST /auth/v1/token).',
        );
      }
      const token = bearer.exec(authorization)?.[1];
      if (sessions !== undefined && token?.startsWith(deviceTokenPrefix) === true) {
        return bySession(
          tenant,
          await sessions.checkDevice(tenant, token.slice(deviceTokenPrefix.length), { sourceIp, requestId }),
          sourceIp,
        );
      }
      const actor = await byToken(tenant, token, input);
      if (isSource(actor)) {
        throw new AppError('PERMISSION_DENIED', 'The credential of a connector opens BatonService alone, and nothing here.');
      }
      return actor;
    },
  };
}
