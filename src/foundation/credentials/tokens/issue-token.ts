/**
 * Giving an access token for a credential: by its secret or by an assertion signed with it. What the form looks like is in
 * parse-token-request.ts, the HTTP around it in src/http/token-routes.ts.
 */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { connectorHostOf, hostBaseUrl, type Tenant, hostAliases } from '../../tenants/index.ts';
import { signAccessToken } from './access-token.ts';
import { acceptedAudiences, type AssertionResult, checkAssertion } from './check-assertion.ts';
import type { CredentialState, CredentialStates } from './credential-state.ts';
import type { LastUsed } from './last-used.ts';
import type { TokenError, TokenRequest } from './parse-token-request.ts';
import { type Refusals, secretMatches } from '../record/index.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { AssertionSpender } from './spend-assertion.ts';

/** A token, ready for the reply. */
export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

/** Origin of a token request. */
export interface TokenOrigin {
  readonly sourceIp: string;
  readonly requestId: string;
}

/** Process parts that issuing needs. */
export interface IssuerParts {
  readonly states: CredentialStates;
  readonly keys: SigningKeys;
  readonly spender: AssertionSpender;
  readonly refusals: Refusals;
  readonly lastUsed: LastUsed;
  readonly now: () => Date;
  readonly tokenLifetimeSeconds: number;
  /** True if this process ends TLS itself, whatever the host. */
  readonly servesTls: boolean;
  /** See `connectorHostOf`. */
  readonly connectorHost?: string | undefined;
}

/** Refused before the caller has proven to hold the key: one answer for all of it, so that it reveals nothing. */
const unproven = 'The client is unknown, or its proof is not valid.';

/** Stands in for the key of a client that does not exist, so that it takes as long to refuse. */
const nobody = (() => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ format: 'der', type: 'spki' });
  return { key: createPublicKey({ key: der, format: 'der', type: 'spki' }), bytes: der.subarray(12) };
})();

/** A client id with a loopback alias of the tenant's host in it, in the spelling it was issued with. */
function canonicalClientId(tenant: Pick<Tenant, 'host'>, clientId: string): string {
  const at = clientId.lastIndexOf('@');
  const slash = clientId.indexOf('/', at);
  if (at < 0 || slash < 0) {
    return clientId;
  }
  const host = clientId.slice(at + 1, slash).toLowerCase();
  return hostAliases(tenant.host).includes(host) ? `${clientId.slice(0, at + 1)}${tenant.host}${clientId.slice(slash)}` : clientId;
}

/** Issuer of a tenant's tokens: its base URL. */
export function tokenIssuer({ host }: Pick<Tenant, 'host'>, servesTls: boolean): string {
  return servesTls ? `https://${host}` : hostBaseUrl(host);
}

/** Makes the rule; audiences are worked out once per host. */
export function createTokenIssuer(parts: IssuerParts) {
  const audiences = new Map<string, ReadonlySet<string>>();
  function audiencesFor(tenant: Tenant): ReadonlySet<string> {
    let known = audiences.get(tenant.host);
    if (known === undefined) {
      known = new Set([tenant.host, connectorHostOf(parts.connectorHost, tenant.host)].flatMap((host) => [...acceptedAudiences({ host })]));
      if (audiences.size >= 2_000) {
        audiences.clear();
      }
      audiences.set(tenant.host, known);
    }
    return known;
  }

  async function checkProof(
    tenant: Tenant,
    request: TokenRequest,
    state: CredentialState | undefined,
    now: Date,
  ): Promise<AssertionResult> {
    if (request.proof === 'secret') {
      return secretMatches(request.secret, state?.publicKey ?? nobody.bytes)
        ? { ok: true, digest: undefined, expiresAt: 0 }
        : { ok: false, isProven: false, reason: 'the secret is wrong' };
    }
    return checkAssertion(request.assertion, {
      clientId: request.clientId,
      key: state?.key ?? nobody.key,
      audiences: audiencesFor(tenant),
      now,
    });
  }

  /**
   * Gives a token or says why not; a refusal counts against this place, and this client id from there, and is recorded. Beyond the limit only what fails is
   * refused differently: a good proof is good however often others failed from the same address, such as that of a proxy.
   */
  return async function issueToken(tenant: Tenant, request: TokenRequest, origin: TokenOrigin): Promise<IssuedToken | TokenError> {
    const clientId = canonicalClientId(tenant, request.clientId);
    const now = parts.now();
    const found = parts.states.find(tenant.id, clientId);
    const state = found instanceof Promise ? await found : found;

    const refuse = async (reason: string, isProven: boolean): Promise<TokenError> => {
      const retryAfterSeconds = await parts.refusals.fail({
        tenantId: tenant.id,
        sourceIp: origin.sourceIp,
        clientId,
        credentialId: state?.id ?? '',
        reason,
        requestId: origin.requestId,
      });
      if (retryAfterSeconds > 0) {
        return {
          status: 429,
          error: 'temporarily_unavailable',
          retryAfterSeconds,
          description: 'Too many failed attempts from this address.',
        };
      }
      return {
        status: 401,
        error: 'invalid_client',
        description: isProven ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` : unproven,
      };
    };

    const proof = await checkProof(tenant, request, state, now);
    if (state === undefined) {
      return refuse('there is no such client', false);
    }
    if (!state.isUsable) {
      return refuse('the credential was revoked or suspended, or its owner is disabled', false);
    }
    if (!proof.ok) {
      return refuse(proof.reason, proof.isProven);
    }
    if (state.expiresAt <= now.getTime()) {
      return refuse('the credential has expired', true);
    }
    if (!state.allows(origin.sourceIp)) {
      return refuse('the blocks of the credential, or the session settings of the tenant, do not allow this address', true);
    }
    const seconds = Math.min(parts.tokenLifetimeSeconds, state.maxTokenSeconds, Math.floor((state.expiresAt - now.getTime()) / 1000));
    if (seconds < 1) {
      return refuse('the credential has expired', true);
    }
    if (proof.digest !== undefined && !(await parts.spender.spend(tenant.id, { digest: proof.digest, expiresAt: proof.expiresAt }))) {
      return refuse('the assertion was used before', true);
    }
    const keysFound = parts.keys.find(tenant.id);
    const keys = keysFound instanceof Promise ? await keysFound : keysFound;
    parts.lastUsed.note(tenant.id, state.id);
    const issuedAt = Math.floor(now.getTime() / 1000);
    return {
      accessToken: signAccessToken(keys.signing, {
        iss: tokenIssuer(tenant, parts.servesTls),
        aud: tenant.host,
        sub: state.userId,
        client_id: state.clientId,
        cid: state.id,
        iat: issuedAt,
        exp: issuedAt + seconds,
      }),
      expiresInSeconds: seconds,
    };
  };
}
