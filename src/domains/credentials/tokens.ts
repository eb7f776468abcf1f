/**
 * Everything about tokens that a process has one of, put together: issuing, checking, published keys. app.ts makes it, src/http uses it.
 */
import type { Database } from '../../db/types.ts';
import { type Actor, type Logger, type Context, type React, systemActor } from '../../context.ts';
import type { Tenant } from '../tenants/index.ts';
import { newId } from '../../wire/ids.ts';
import { createTokenChecker, type TokenRefusal } from './check-token.ts';
import { createCredentialStates } from './credential-state.ts';
import { createTokenIssuer, type IssuedToken, issuerOf, type TokenOrigin } from './issue-token.ts';
import { createLastUsed } from './last-used.ts';
import type { TokenError, TokenRequest } from './parse-token-request.ts';
import { createRefusals } from './refusals.ts';
import { createSigningKeys } from './signing-keys.ts';
import { createAssertionSpender } from './spend-assertion.ts';

/** How tokens are made and checked. */
export interface TokenSettings {
  readonly database: Database;
  readonly log: Logger;
  readonly react: React;
  /** How clients reach us: `https` or `http`. */
  readonly scheme: string;
  /** Of access tokens; 3600 where left out. */
  readonly tokenLifetimeSeconds?: number;
  /** Only tests give one. */
  readonly now?: () => Date;
}

/** Tokens of one process. */
export interface Tokens {
  issue(tenant: Tenant, request: TokenRequest, origin: TokenOrigin): Promise<IssuedToken | TokenError>;
  check(tenant: Tenant, token: string, origin: TokenOrigin): Promise<Actor | TokenRefusal>;
  /** The public keys of a tenant (RFC 7517). */
  findJwks(tenant: Tenant): Promise<{ readonly keys: readonly Record<string, unknown>[] }>;
  /** The issuer of a tenant's tokens, which is its base URL. */
  issuerOf(tenant: Tenant): string;
  /** Writes what is gathered: times of last use, refused attempts. */
  close(): Promise<void>;
}

/** Puts the parts together. */
export function createTokens(settings: TokenSettings): Tokens {
  const { database, log, react, scheme, tokenLifetimeSeconds = 3600, now = () => new Date() } = settings;
  const milliseconds = () => now().getTime();
  const scopeOf = (tenantId: string, actor: Actor): Context => ({ db: database.tenant(tenantId), tenantId, actor, now: now(), log, react });
  const lastUsed = createLastUsed(database, milliseconds, log);
  const refusals = createRefusals({
    now: milliseconds,
    log,
    anonymousContext: ({ tenantId, sourceIp, credentialId, requestId }) =>
      scopeOf(tenantId, { kind: 'anonymous', userId: '', credentialId, issuerId: '', roles: new Set(), sourceIp, requestId }),
  });
  const parts = {
    states: createCredentialStates(database, milliseconds),
    keys: createSigningKeys(database, {
      now,
      tokenLifetimeSeconds,
      systemContext: (tenantId) => scopeOf(tenantId, systemActor(newId(now()))),
    }),
    spender: createAssertionSpender(database, milliseconds, log),
    refusals,
    lastUsed,
    now,
    tokenLifetimeSeconds,
    scheme,
  };
  return {
    issue: createTokenIssuer(parts),
    check: createTokenChecker(parts),
    findJwks: async (tenant) => (await parts.keys.find(tenant.id)).jwks,
    issuerOf: (tenant) => issuerOf(tenant, scheme),
    async close() {
      await refusals.close();
      await lastUsed.close();
    },
  };
}
