/**
 * Access tokens: JWTs (RFC 9068) signed with a key of the tenant. Making and reading them only; whose credential stands behind one,
 * and whether that still holds, is in check-token.ts.
 */
import { type KeyObject, randomUUID, sign, verify } from 'node:crypto';

/** Access token's content. Times in seconds since 1970. */
export interface AccessTokenClaims {
  readonly iss: string;
  readonly aud: string;
  /** The person. */
  readonly sub: string;
  readonly client_id: string;
  /** The credential's id. */
  readonly cid: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
}

/** A key that signs or, being retired, only proves what it signed. */
export interface SigningKey {
  readonly id: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** The encoded header of tokens signed with it, made once. */
  readonly header: string;
  readonly retiredAt: Date | undefined;
}

/** The encoded JOSE header for a key id. */
export function encodeHeader(keyId: string): string {
  return Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'at+jwt', kid: keyId })).toString('base64url');
}

/** Signs claims; `jti` is made here. */
export function signAccessToken(key: SigningKey, claims: Omit<AccessTokenClaims, 'jti'>): string {
  const body = Buffer.from(JSON.stringify({ ...claims, jti: randomUUID() })).toString('base64url');
  const signed = `${key.header}.${body}`;
  return `${signed}.${sign(null, Buffer.from(signed, 'latin1'), key.privateKey).toString('base64url')}`;
}

const form = /^([A-Za-z0-9_-]{1,400})\.([A-Za-z0-9_-]{1,3000})\.([A-Za-z0-9_-]{86})$/;

/** The key id in a token's header, or undefined where it is none of our tokens. Nothing is checked yet. */
export function readKeyId(token: string): string | undefined {
  const head = form.exec(token)?.[1];
  if (head === undefined) {
    return undefined;
  }
  try {
    const header = JSON.parse(Buffer.from(head, 'base64url').toString('utf8')) as Record<string, unknown>;
    return header.alg === 'EdDSA' && header.typ === 'at+jwt' && typeof header.kid === 'string' ? header.kid : undefined;
  } catch {
    return undefined;
  }
}

/** The claims of a token that this key signed; undefined for any other. Its time is not looked at. */
export function readAccessToken(token: string, key: SigningKey): AccessTokenClaims | undefined {
  const match = form.exec(token);
  if (match === null) {
    return undefined;
  }
  const [, head = '', body = '', end = ''] = match;
  if (!verify(null, Buffer.from(`${head}.${body}`, 'latin1'), key.publicKey, Buffer.from(end, 'base64url'))) {
    return undefined;
  }
  // We signed it, so it has the form we give it.
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as AccessTokenClaims;
}
