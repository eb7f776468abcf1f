/**
 * A real OpenID Connect provider on this machine, and a browser with cookies that is sent to it and back. Whoever signs in there is the person
 * that the test names; the provider asks nothing.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type AccountClaims } from 'oidc-provider';
import type { ServedTenant } from './server.ts';

/** Provider's claims about somebody. */
export type Account = AccountClaims & { readonly sub: string };

/** The provider and its one client. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Signs this person in from now on; undefined: they refuse. */
  account: Account | undefined;
  /** The way they prove it, and the time, in seconds since 1970; where undefined the provider says nothing of the one, and now of the other. */
  acr: string | undefined;
  provenAt: number | undefined;
  /** Lets the client be sent back to this address. */
  allow(redirectUri: string): void;
  stop(): Promise<void>;
}

/** Starts a provider on a free port. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const accounts = new Map<string, Account>();
  const redirectUris: string[] = [];
  const made: IdentityProvider = {
    issuer,
    clientId: 'countersign',
    clientSecret: randomBytes(24).toString('base64url'),
    account: undefined,
    acr: undefined,
    provenAt: undefined,
    allow(redirectUri) {
      redirectUris.push(redirectUri);
      handle = build();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  function build(): typeof handle {
    const provider = new Provider(issuer, {
      clients: [{ client_id: made.clientId, client_secret: made.clientSecret, redirect_uris: [...redirectUris] }],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'test' } as never] },
      cookies: { keys: ['test'] },
      acrValues: ['urn:example:mfa', 'urn:example:password'],
      claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
      findAccount: (_context, id) => ({ accountId: id, claims: () => accounts.get(id) ?? { sub: id } }),
    });
    const serve = provider.callback();
    return (request, response) => {
      if (request.url?.startsWith('/interaction/') !== true) {
        void serve(request, response);
        return;
      }
      const finish = async (): Promise<void> => {
        const { account } = made;
        if (account === undefined) {
          await provider.interactionFinished(request, response, { error: 'access_denied' });
          return;
        }
        accounts.set(account.sub, account);
        const grant = new provider.Grant({ accountId: account.sub, clientId: made.clientId });
        grant.addOIDCScope('openid email profile');
        await provider.interactionFinished(request, response, {
          login: {
            accountId: account.sub,
            ...(made.acr === undefined ? {} : { acr: made.acr }),
            ...(made.provenAt === undefined ? {} : { ts: made.provenAt }),
          },
          consent: { grantId: await grant.save() },
        });
      };
      finish().catch((error: unknown) => response.writeHead(500).end(String(error)));
    };
  }
  return made;
}

/** A browser: it keeps cookies by the origin that set them, and follows redirects until something else answers. */
export interface Browser {
  readonly cookies: Map<string, Map<string, string>>;
  /** Follows redirects from this address on, and answers with every address it was at; the last is where it stays. */
  visit(url: string, stopBefore?: RegExp): Promise<string[]>;
  /** The cookies of a tenant, as a header. */
  header(tenant: ServedTenant): string;
}

/** A new browser for a tenant of a test server. */
export function openBrowser(tenant: ServedTenant): Browser {
  const cookies = new Map<string, Map<string, string>>();
  const ours = new URL(tenant.url).origin;
  const headerOf = (origin: string): string => [...(cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  async function step(url: string): Promise<string | undefined> {
    const { origin, pathname, search } = new URL(url);
    const init = { headers: { cookie: headerOf(origin) }, redirect: 'manual' } as const;
    const response = origin === ours ? await tenant.fetch(`${pathname}${search}`, init) : await fetch(url, init);
    const jar = cookies.get(origin) ?? new Map<string, string>();
    cookies.set(origin, jar);
    for (const one of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    await response.arrayBuffer();
    return location === null ? undefined : new URL(location, url).href;
  }
  return {
    cookies,
    header: () => headerOf(ours),
    async visit(url, stopBefore) {
      const visited = [url];
      for (let steps = 0; steps < 20; steps++) {
        const next = await step(visited.at(-1) ?? url);
        if (next === undefined) {
          return visited;
        }
        visited.push(next);
        if (stopBefore?.test(next) === true) {
          return visited;
        }
      }
      throw new Error(`too many redirects: ${visited.join(' ')}`);
    },
  };
}
