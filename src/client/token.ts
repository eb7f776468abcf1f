/**
 * Access tokens for a client: a client assertion signed with the key inside the client secret (specification section 5.4), so that
 * the secret itself never travels. Runs in browsers too: fetch and WebCrypto, nothing of Node.
 */
import { ClientError, readError, readJson } from './error.ts';

/** Proof of a program's identity. */
export interface ClientCredential {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Time from a token's renewal to its end. */
const renewBeforeMilliseconds = 60_000;
const assertionSeconds = 120;

/** Hands out the current access token; `renew` drops it first, after the server has refused it. */
export interface TokenSource {
  current(): Promise<string>;
  renew(refused: string): Promise<string>;
}

/** A token source for `credential` at the server `url`; concurrent callers share one token request. */
export function createTokenSource(url: string, credential: ClientCredential, send: typeof fetch = fetch): TokenSource {
  let held: { token: string; renewAt: number } | undefined;
  let pending: Promise<string> | undefined;

  const request = async (): Promise<string> => {
    const response = await reach(send, `${url}/auth/v1/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: credential.clientId,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await signAssertion(credential),
      }),
    });
    if (response.status !== 200) {
      throw await readError(response);
    }
    const reply = (await readJson(response)) as { access_token: string; expires_in: number };
    const lifetime = reply.expires_in * 1000;
    held = { token: reply.access_token, renewAt: Date.now() + Math.max(lifetime - renewBeforeMilliseconds, lifetime / 2) };
    return reply.access_token;
  };
  const current = (): Promise<string> => {
    if (held !== undefined && Date.now() < held.renewAt) {
      return Promise.resolve(held.token);
    }
    pending ??= request().finally(() => {
      pending = undefined;
    });
    return pending;
  };
  return {
    current,
    renew(refused) {
      if (held?.token === refused) {
        held = undefined;
      }
      return current();
    },
  };
}

/** A JWT signed with the secret's Ed25519 key, valid for two minutes and usable once. */
export async function signAssertion(credential: ClientCredential, now: Date = new Date()): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  const signed = [
    { alg: 'EdDSA' },
    {
      iss: credential.clientId,
      sub: credential.clientId,
      aud: hostNameOf(credential.clientId),
      iat: seconds,
      nbf: seconds,
      exp: seconds + assertionSeconds,
      jti: crypto.randomUUID(),
    },
  ]
    .map((part) => encode(new TextEncoder().encode(JSON.stringify(part))))
    .join('.');
  return `${signed}.${await signText(credential, signed)}`;
}

/** The signature of a text by the secret's Ed25519 key, in base64url. */
export async function signText({ clientSecret }: Pick<ClientCredential, 'clientSecret'>, text: string): Promise<string> {
  const key = await crypto.subtle.importKey('jwk', { ...parseSecret(clientSecret) }, { name: 'Ed25519' }, false, ['sign']);
  return encode(new Uint8Array(await crypto.subtle.sign({ name: 'Ed25519' }, key, new TextEncoder().encode(text))));
}

/** An Ed25519 private key as a JWK (RFC 8037). */
export interface PrivateKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly d: string;
}

/** The private key inside `secret-token:<label>:[v1:]<base64url JWK>`; throws a plain sentence where it is none. */
export function parseSecret(secret: string): PrivateKey {
  const parts = secret.trim().split(':');
  const encoded = parts.at(-1) ?? '';
  try {
    if (parts[0] !== 'secret-token' || parts.length < 3 || parts.length > 4) {
      throw new Error('not a secret token');
    }
    const jwk = JSON.parse(new TextDecoder().decode(decode(encoded))) as Partial<PrivateKey>;
    if (jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519' || !jwk.d || !jwk.x) {
      throw new Error('not an Ed25519 key');
    }
    return { kty: jwk.kty, crv: jwk.crv, x: jwk.x, d: jwk.d };
  } catch (cause) {
    throw new ClientError('this is not a client secret: expected secret-token:<label>:v1:<key>', {
      status: 0,
      code: 'INVALID_SECRET',
      cause,
    });
  }
}

/** The host in a client id, without its port: the audience every client of this API sends. */
function hostNameOf(clientId: string): string {
  const host = clientId.split('@')[1]?.split('/')[0];
  if (!host) {
    throw new ClientError('this is not a client id: expected name@host/pcc', { status: 0, code: 'INVALID_CLIENT_ID' });
  }
  return host.replace(/:\d+$/, '');
}

const unknownAuthority = 'its certificate is of an authority that is not known here; name the file of that in NODE_EXTRA_CA_CERTS';
/** Node's codes of what OpenSSL says in words of its own. */
const tlsReasons: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: 'there is no TLS at this port; begin the address with http://, or give that of the proxy with TLS',
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
};

/** fetch, with a sentence instead of "fetch failed" where nobody answers. Redirects are not followed: a POST would arrive as a GET, and somewhere else. */
export async function reach(send: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await send(url, { redirect: 'manual', ...init });
  } catch (cause) {
    if (init.signal?.aborted) {
      throw cause;
    }
    const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    const code = inner instanceof Error && 'code' in inner ? String(inner.code) : '';
    const reason = tlsReasons[code] ?? (inner instanceof Error ? inner.message || code || inner.name : String(inner));
    throw new ClientError(`cannot reach ${new URL(url).origin}: ${reason}`, { status: 0, code: 'UNREACHABLE', cause });
  }
}

function encode(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function decode(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}
