/**
 * Actor behind an access token, right now: the token is verified once and then remembered, what stands behind its credential is never older than a
 * few seconds. No query on the way in the common case.
 */
import { LRUCache } from 'lru-cache';
import type { Actor } from '../../../context.ts';
import type { Tenant } from '../../tenants/index.ts';
import { type AccessTokenClaims, readAccessToken, readKeyId } from './access-token.ts';
import type { CredentialStates } from './credential-state.ts';
import type { LastUsed } from './last-used.ts';
import type { Refusals } from '../record/index.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Process parts that checking needs. */
export interface CheckerParts {
  readonly states: CredentialStates;
  readonly keys: SigningKeys;
  readonly refusals: Refusals;
  readonly lastUsed: LastUsed;
  readonly now: () => Date;
}

/** Reason a token is refused; for the client. */
export type TokenRefusal = 'invalid' | 'expired' | 'revoked' | 'address';

const maxRemembered = 10_000;
/** Clients count the life of a token from when they received it. The end of the credential has no leeway. */
const leewayMs = 5_000;

interface Verified {
  readonly tenantId: string;
  readonly keyId: string;
  readonly claims: AccessTokenClaims;
}

/** Makes the rule: an actor, or why not. */
export function createTokenChecker(parts: CheckerParts) {
  const verified = new LRUCache<string, Verified>({ max: maxRemembered });

  async function verifyToken(tenant: Tenant, token: string): Promise<Verified | undefined> {
    const keyId = readKeyId(token);
    const key = keyId === undefined ? undefined : await parts.keys.findKey(tenant.id, keyId);
    const claims = key === undefined ? undefined : readAccessToken(token, key);
    // The key is the tenant's own, so this only matters should two tenants ever share one.
    if (key === undefined || claims === undefined || claims.aud !== tenant.host) {
      return undefined;
    }
    const entry = { tenantId: tenant.id, keyId: key.id, claims };
    verified.set(token, entry);
    return entry;
  }

  return async function checkToken(
    tenant: Tenant,
    token: string,
    origin: { sourceIp: string; requestId: string },
  ): Promise<Actor | TokenRefusal> {
    const remembered = verified.get(token);
    const entry = remembered !== undefined && remembered.tenantId === tenant.id ? remembered : await verifyToken(tenant, token);
    if (entry === undefined) {
      return 'invalid';
    }
    const { claims } = entry;
    const now = parts.now().getTime();
    if (claims.exp * 1000 + leewayMs <= now) {
      verified.delete(token);
      return 'expired';
    }
    const keysFound = parts.keys.find(tenant.id);
    const keys = keysFound instanceof Promise ? await keysFound : keysFound;
    // A key that was taken away takes its tokens with it.
    if (!keys.byId.has(entry.keyId)) {
      verified.delete(token);
      return 'invalid';
    }
    const found = parts.states.find(tenant.id, claims.client_id);
    const state = found instanceof Promise ? await found : found;
    if (state === undefined || !state.isUsable || state.id !== claims.cid || state.userId !== claims.sub || state.expiresAt <= now) {
      return 'revoked';
    }
    // The moment of issue is known to a second.
    if ((claims.iat + 1) * 1000 <= state.awayAt) {
      return 'revoked';
    }
    // A shorter session length holds for the tokens that are out already.
    if ((claims.iat + state.maxTokenSeconds) * 1000 + leewayMs <= now) {
      return 'expired';
    }
    if (!state.allows(origin.sourceIp)) {
      parts.refusals.note({
        tenantId: tenant.id,
        sourceIp: origin.sourceIp,
        clientId: state.clientId,
        credentialId: state.id,
        reason: 'an access token was used from an address the credential does not allow',
        requestId: origin.requestId,
      });
      return 'address';
    }
    parts.lastUsed.note(tenant.id, state.id);
    if (state.sourceId !== '') {
      const { sourceIp, requestId } = origin;
      return { kind: 'source', userId: '', credentialId: state.sourceId, issuerId: '', roles: state.roles, sourceIp, requestId };
    }
    return {
      kind: state.isPrincipal ? 'service_principal' : state.issuerId === '' ? 'credential' : 'issued_credential',
      userId: state.userId,
      credentialId: state.id,
      issuerId: state.issuerId,
      ...(state.makerIds.length === 0 ? {} : { makerIds: state.makerIds }),
      ...(state.issuerId === '' ? {} : { issuedMayAnswer: state.issuedMayAnswer }),
      roles: state.roles,
      ...(state.delegatorIds.length === 0 ? {} : { delegatorIds: state.delegatorIds }),
      sourceIp: origin.sourceIp,
      requestId: origin.requestId,
    };
  };
}
