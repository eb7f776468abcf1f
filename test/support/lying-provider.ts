/** An OpenID Connect provider that says and signs whatever a test tells it to. It shows no page: browsers come straight back. */
import { createHmac, generateKeyPairSync, type KeyObject, sign as makeSignature } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A key of the provider, by its `kid`. */
export interface LyingKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Lies of the provider; each may be changed at any time. */
export interface LyingProvider {
  readonly issuer: string;
  /** Parameters with which it was asked last. */
  asked: URLSearchParams;
  /** Claims that differ from good ones; undefined: the claim is left out. */
  claims: Record<string, unknown>;
  /** Members of the token's header. */
  header: Record<string, unknown>;
  /** The key that signs, and the keys that are shown. */
  signer: LyingKey;
  shown: readonly LyingKey[];
  /** Answers in place of a path of its own: `/token`, `/jwks`, `/.well-known/openid-configuration`. */
  instead: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
  stop(): Promise<void>;
}

/** Makes a key of RSA. */
export function makeLyingKey(kid: string): LyingKey {
  return { kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs as the header says: by nobody, by the text of the public key as a shared secret, or by the key. */
function signToken({ header, signer }: LyingProvider, claims: object): string {
  const head = { alg: 'RS256', kid: signer.kid, ...header };
  const signed = `${part(head)}.${part(claims)}`;
  const pem = signer.publicKey.export({ type: 'spki', format: 'pem' });
  const signature =
    head.alg === 'none'
      ? ''
      : head.alg === 'HS256'
        ? createHmac('sha256', pem).update(signed).digest('base64url')
        : makeSignature('sha256', Buffer.from(signed), signer.privateKey).toString('base64url');
  return `${signed}.${signature}`;
}

/** Starts it on a free port. */
export async function startLyingProvider(): Promise<LyingProvider> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', made.issuer);
    (made.instead.get(pathname) ?? answer)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = makeLyingKey('one');
  const made: LyingProvider = {
    ...{ issuer, asked: new URLSearchParams(), claims: {}, header: {}, signer: key, shown: [key], instead: new Map() },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    const send = (body: object): void => void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (pathname === '/authorize') {
      made.asked = searchParams;
      const location = new URL(searchParams.get('redirect_uri') ?? '');
      location.search = new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' }).toString();
      response.writeHead(302, { location: location.href }).end();
    } else if (pathname === '/token') {
      const now = Math.floor(Date.now() / 1000);
      const { issuer: iss, asked } = made;
      const claims = {
        ...{ iss, sub: 'p01', aud: asked.get('client_id'), iat: now, exp: now + 60, auth_time: now, nonce: asked.get('nonce') },
        ...{ acr: 'urn:example:mfa', email: 'p01@world.example', email_verified: true, ...made.claims },
      };
      send({ access_token: 'x', token_type: 'Bearer', id_token: signToken(made, claims) });
    } else if (pathname === '/jwks') {
      send({ keys: made.shown.map(({ kid, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' })) });
    } else {
      const urls = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` };
      send({ issuer, ...urls, response_types_supported: ['code'], id_token_signing_alg_values_supported: ['RS256'] });
    }
  }
  return made;
}
