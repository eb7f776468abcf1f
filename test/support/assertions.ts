/** A client's use of its secret: signing assertions, good ones and bad ones. The server's side is in src/foundation/credentials. */
import { createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto';

/** The private key inside a client secret. */
export function keyOfSecret(secret: string): KeyObject {
  const jwk = JSON.parse(Buffer.from(secret.slice(secret.lastIndexOf(':') + 1), 'base64url').toString()) as Record<string, string>;
  return createPrivateKey({ key: jwk, format: 'jwk' });
}

const encode = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A compact JWS over these claims (or over this JSON text), with this header; `signWith` replaces how it is signed. */
export function signJwt(
  key: KeyObject,
  claims: object | string,
  header: object = { alg: 'EdDSA' },
  signWith: (data: Buffer) => Buffer = (data) => sign(null, data, key),
): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${signWith(Buffer.from(signed)).toString('base64url')}`;
}

/** The claims of a good assertion, made at `now`. */
export function assertionClaims(clientId: string, audience: string, now: Date): Record<string, unknown> {
  const seconds = Math.floor(now.getTime() / 1000);
  return { iss: clientId, sub: clientId, aud: [audience], iat: seconds, nbf: seconds, exp: seconds + 120, jti: randomUUID() };
}
