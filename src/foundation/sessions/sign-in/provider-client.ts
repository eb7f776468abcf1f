/**
 * Speaking OpenID Connect with a provider: where its pages are, and what it says of who came back from them. Everything that leaves this
 * process goes through one bounded fetch. Who may sign in is not decided here.
 */
import type { JsonWebKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import * as openid from 'openid-client';
import { asList, asObject } from '../../../lib/json.ts';
import type { OutgoingRules } from '../../../lib/outgoing.ts';
import type { ProviderSettings } from './auth-config.ts';
import { createBoundedFetch, timeoutSeconds } from './bounded-fetch.ts';

/** A provider and our client there. */
export interface Provider extends ProviderSettings {
  /** Of the configuration, with the time of its last change: what is known of a provider is forgotten when it changes. */
  readonly key: string;
  /** Empty for a client without one. */
  readonly clientSecret: string;
}

/** Values a sign-in has to bring back. */
export interface Expected {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Identity of somebody at the provider. */
export interface Claims {
  /** The signed token that says so. */
  readonly idToken: string;
  readonly subject: string;
  /** Empty where it says none. */
  readonly email: string;
  /** Only where it says so in as many words. */
  readonly isVerified: boolean;
  /** The moment at which they proved it there; undefined where it does not say. */
  readonly authenticatedAt: Date | undefined;
  readonly all: Readonly<Record<string, unknown>>;
}

/** Providers as this process speaks with them. */
export interface ProviderClient {
  /**
   * The address to which the browser is sent, with further parameters where there are any; `isFresh` asks the provider to let the person prove anew
   * who they are.
   */
  begin(
    provider: Provider,
    redirectUri: string,
    expected: Expected,
    isFresh: boolean,
    more?: Readonly<Record<string, string>>,
  ): Promise<string>;
  /** Exchanges the code in the address to which the browser came back; rejects where anything about the answer is wrong. */
  finish(provider: Provider, returnedTo: URL, expected: Expected): Promise<Claims>;
  /** Lists the keys that the provider signs with now. */
  listKeys(provider: Provider): Promise<readonly JsonWebKey[]>;
}

const keepMs = 600_000;

/** A provider that did not answer in time, or said that it cannot. */
class ProviderAbsent extends Error {
  override readonly name = 'ProviderAbsent';
}

/** True if an error of a provider's client came of a provider that is slow or down: what it would have said is not known. */
export function isProviderAbsent(error: unknown): boolean {
  return error instanceof ProviderAbsent || (error instanceof Error && error.cause !== undefined && isProviderAbsent(error.cause));
}

/** True if a text in a value is none that can be kept or compared: it has the NUL character, or half of another one. */
function hasBrokenText(value: unknown): boolean {
  if (typeof value === 'string') {
    return value.includes('\0') || !value.isWellFormed();
  }
  return typeof value === 'object' && value !== null && Object.entries(value).flat().some(hasBrokenText);
}

/** Makes it; the rules say where providers may be. */
export function createProviderClient(rules: OutgoingRules): ProviderClient {
  const { allowsLocal } = rules;
  const known = new LRUCache<string, Promise<openid.Configuration>>({ max: 500, ttl: keepMs });

  const ask = createBoundedFetch(rules);
  const boundedFetch: openid.CustomFetch = async (url, options) => {
    const answer = await ask(url, options).catch((cause: unknown) => {
      throw new ProviderAbsent('the provider did not answer', { cause });
    });
    if (answer.status >= 500) {
      throw new ProviderAbsent(`the provider answered with status ${answer.status}`);
    }
    return answer;
  };

  function prepare(config: openid.Configuration): openid.Configuration {
    config[openid.customFetch] = boundedFetch;
    config.timeout = timeoutSeconds;
    if (allowsLocal) {
      openid.allowInsecureRequests(config);
    }
    // Its signature is checked even though the token comes straight from the provider.
    openid.enableNonRepudiationChecks(config);
    return config;
  }

  async function discover({ issuer, clientId, clientSecret }: Provider): Promise<openid.Configuration> {
    const execute = allowsLocal ? [openid.allowInsecureRequests] : [];
    const found = await openid.discovery(new URL(issuer), clientId, undefined, openid.None(), {
      execute,
      timeout: timeoutSeconds,
      [openid.customFetch]: boundedFetch,
    });
    const server = found.serverMetadata();
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const withSecret = methods.includes('client_secret_post') ? openid.ClientSecretPost : openid.ClientSecretBasic;
    return prepare(new openid.Configuration(server, clientId, {}, clientSecret === '' ? openid.None() : withSecret(clientSecret)));
  }

  function configurationOf(provider: Provider): Promise<openid.Configuration> {
    const found = known.get(provider.key);
    if (found !== undefined) {
      return found;
    }
    const loading = discover(provider);
    known.set(provider.key, loading);
    loading.catch(() => known.delete(provider.key));
    return loading;
  }

  return {
    async begin(provider, redirectUri, { state, nonce, codeVerifier }, isFresh, more = {}) {
      const config = await configurationOf(provider);
      const parameters = {
        redirect_uri: redirectUri,
        scope: provider.scope,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(isFresh ? { prompt: 'login', max_age: '0' } : {}),
        ...more,
      };
      return openid.buildAuthorizationUrl(config, parameters).href;
    },
    async finish(provider, returnedTo, { state, nonce, codeVerifier }) {
      const config = await configurationOf(provider);
      const tokens = await openid.authorizationCodeGrant(config, returnedTo, {
        pkceCodeVerifier: codeVerifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims: Record<string, unknown> = { ...tokens.claims() };
      const subject = typeof claims.sub === 'string' ? claims.sub : '';
      if (claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined) {
        const more = await openid.fetchUserInfo(config, tokens.access_token, subject);
        Object.assign(claims, { ...more, ...claims });
      }
      if (hasBrokenText(claims)) {
        throw new Error('a claim has the NUL character, or half of a character');
      }
      const email = typeof claims.email === 'string' ? claims.email : '';
      const authenticatedAt = typeof claims.auth_time === 'number' ? new Date(claims.auth_time * 1000) : undefined;
      // Some providers write it as a text (Amazon Cognito, mappers of Keycloak).
      const isVerified = claims.email_verified === true || (claims.email_verified as unknown) === 'true';
      return { idToken: tokens.id_token ?? '', subject, email, isVerified, authenticatedAt, all: claims };
    },
    async listKeys(provider) {
      const { jwks_uri: address } = (await configurationOf(provider)).serverMetadata();
      const response = await boundedFetch(address ?? '', { method: 'GET', headers: {}, body: undefined, redirect: 'manual' });
      const { keys } = asObject(await response.json());
      return asList(keys).map((key) => asObject(key) as JsonWebKey);
    },
  };
}
