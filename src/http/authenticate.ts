/**
 * From an Authorization header to the actor of a request. Who may do what is in permissions.ts; how tokens work is in the
 * credentials module.
 */
import type { TokenRefusal, Tokens } from '../domains/credentials/index.ts';
import type { Tenant } from '../domains/tenants/index.ts';
import { AppError } from '../errors.ts';
import type { Actor } from '../context.ts';

/** The parts of a request that say who sends it. */
export interface AuthenticationInput {
  readonly authorization: string | undefined;
  /** Of the client, behind trusted proxies only. */
  readonly sourceIp: string;
  readonly requestId: string;
}

/** Finds out who sends a request. */
export interface Authenticator {
  /** The actor; UNAUTHENTICATED without a good token, and from an address its credential does not allow. */
  authenticate(tenant: Tenant, input: AuthenticationInput): Promise<Actor>;
}

const messages: Readonly<Record<TokenRefusal, string>> = {
  invalid: 'The access token is not valid.',
  expired: 'The access token has expired.',
  revoked: 'The credential of this access token was revoked, has expired, or its owner is disabled.',
  address: 'The credential of this access token may not be used from this address.',
};

/** Value of WWW-Authenticate where no token came (RFC 6750 section 3: then without an error code). */
export const bearerChallenge = 'Bearer realm="countersign"';
/** Value of WWW-Authenticate where the token is not valid. */
export const invalidTokenChallenge = 'Bearer realm="countersign", error="invalid_token"';

const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** Makes the authenticator. */
export function createAuthenticator(tokens: Tokens): Authenticator {
  return {
    async authenticate(tenant, { authorization, sourceIp, requestId }) {
      if (authorization === undefined || authorization.trim() === '') {
        throw new AppError(
          'UNAUTHENTICATED',
          'This needs an access token: Authorization: Bearer <token> (get one from POST /auth/v1/token).',
        );
      }
      const token = bearer.exec(authorization)?.[1];
      const result = token === undefined ? 'invalid' : await tokens.check(tenant, token, { sourceIp, requestId });
      if (typeof result === 'string') {
        throw new AppError('UNAUTHENTICATED', messages[result], { detail: `token ${result}` });
      }
      return result;
    },
  };
}
