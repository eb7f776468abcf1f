/**
 * Everything about tokens that a process has one of, put together: issuing, checking, published keys. app.ts makes it, src/http uses it.
 */
import type { JsonWebKey } from 'node:crypto';
import type { Database } from '../../../db/types.ts';
import { type Actor, type Logger, type Context, type React, systemActor } from '../../../context.ts';
import { createRates } from '../../rates/index.ts';
import type { Tenant } from '../../tenants/index.ts';
import { newId } from '../../../wire/ids.ts';
import { createTokenChecker, type TokenRefusal } from './check-token.ts';
import { createCredentialStates } from './credential-state.ts';
import { createTokenIssuer, type IssuedToken, tokenIssuer, type TokenOrigin } from './issue-token.ts';
import { createLastUsed } from './last-used.ts';
import type { TokenError, TokenRequest } from './parse-token-request.ts';
import { createRefusals } from '../record/index.ts';
import { createSigningKeys } from './signing-keys.ts';
import { createAssertionSpender } from './spend-assertion.ts';

/** Making and checking of tokens. */
export interface TokenSettings {
  readonly database: Database;
  readonly log: Logger;
  readonly react: React;
  /** True if this process ends TLS itself. */
  readonly servesTls?: boolean;
  /** Of access tokens; 3600 where left out. */
  readonly tokenLifetimeSeconds?: number;
  /** True if mail leaves this installation. */
  readonly mailsLinks?: boolean;
  /** Host that connectors reach us at, where it is not the tenant's: see `connectorHostOf`. */
  readonly connectorHost?: string | undefined;
  /** Only tests give one. */
  readonly now?: () => Date;
}

/** Tokens of one process. */
export interface Tokens {
  issue(tenant: Tenant, request: TokenRequest, origin: TokenOrigin): Promise<IssuedToken | TokenError>;
  check(tenant: Tenant, token: string, origin: TokenOrigin): Promise<Actor | TokenRefusal>;
  /** The public keys of a tenant (RFC 7517). */
  findJwks(tenant: Tenant): Promise<{ readonly keys: readonly JsonWebKey[] }>;
  /** The issuer of a tenant's tokens, which is its base URL. */
  issuerOf(tenant: Tenant): string;
  /** Counts an access token or a cookie that was never good; returns the seconds to pause beyond the limit, and 0 below it. */
  countFailure(tenant: Tenant, sourceIp: string): Promise<number>;
  /** Forgets what this process remembers of the credentials of a tenant: what was changed here acts at once. */
  forget(tenantId: string): void;
  /** Writes what is gathered: times of last use, refused attempts. */
  close(): Promise<void>;
}

/** Puts the parts together. */
export function createTokens(settings: TokenSettings): Tokens {
  const {
    database,
    log,
    react,
    servesTls = false,
    tokenLifetimeSeconds = 3600,
    mailsLinks = false,
    connectorHost,
    now = () => new Date(),
  } = settings;
  const milliseconds = () => now().getTime();
  const scopeOf = (tenantId: string, actor: Actor): Context => ({ db: database.tenant(tenantId), tenantId, actor, now: now(), log, react });
  const lastUsed = createLastUsed(database, milliseconds, log);
  const refusals = createRefusals({
    now: milliseconds,
    rates: createRates(database, milliseconds),
    log,
    anonymousContext: ({ tenantId, sourceIp, credentialId, requestId }) =>
      scopeOf(tenantId, { kind: 'anonymous', userId: '', credentialId, issuerId: '', roles: new Set(), sourceIp, requestId }),
  });
  const parts = {
    states: createCredentialStates(database, milliseconds, mailsLinks),
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
    servesTls,
    connectorHost,
  };
  return {
    issue: createTokenIssuer(parts),
    check: createTokenChecker(parts),
    findJwks: async (tenant) => (await parts.keys.find(tenant.id)).jwks,
    issuerOf: (tenant) => tokenIssuer(tenant, servesTls),
    forget: (tenantId) => parts.states.forget(tenantId),
    countFailure: (tenant, sourceIp) => refusals.failSilently(tenant.id, sourceIp),
    async close() {
      await refusals.close();
      await lastUsed.close();
    },
  };
}
