/**
 * ID tokens of OpenID Connect as signed texts: taking one apart, and whether a key signed it. What its claims have to say is for the caller. Tokens
 * are kept as evidence, so whoever checks them later uses the same rules.
 */
import { constants, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { isJsonObject } from './json.ts';

/** A token taken apart; its claims are what somebody says until the signature is checked. */
export interface IdToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signed: Buffer;
  readonly signature: Buffer;
}

const maxLength = 16 * 1024;
const form = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;
const minRsaBits = 2048;
const saltLength = 32;

/** Ways in which a token may be signed, and the kind of key that each takes. */
const algorithms: Readonly<
  Record<string, { readonly digest: string | null; fits(key: KeyObject): boolean; options(key: KeyObject): Parameters<typeof verify>[2] }>
> = {
  RS256: { digest: 'sha256', fits: isRsa, options: (key) => ({ key, padding: constants.RSA_PKCS1_PADDING }) },
  PS256: { digest: 'sha256', fits: isRsa, options: (key) => ({ key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }) },
  ES256: { digest: 'sha256', fits: isP256, options: (key) => ({ key, dsaEncoding: 'ieee-p1363' }) },
  EdDSA: { digest: null, fits: isEd25519, options: (key) => ({ key }) },
  Ed25519: { digest: null, fits: isEd25519, options: (key) => ({ key }) },
};

function isRsa({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= minRsaBits;
}

function isP256({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';
}

function isEd25519({ asymmetricKeyType }: KeyObject): boolean {
  return asymmetricKeyType === 'ed25519';
}

function readObject(encoded: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Takes a token apart; undefined where it is none, or is longer than 16 KiB. */
export function parseIdToken(token: string): IdToken | undefined {
  return parseJwt(token, maxLength);
}

/** Takes any signed token apart; undefined where it is none, or is longer than `longest`. */
export function parseJwt(token: string, longest: number): IdToken | undefined {
  const [, head = '', body = '', end = ''] = (token.length > longest ? null : form.exec(token)) ?? [];
  const header = readObject(head);
  const claims = readObject(body);
  return header === undefined || claims === undefined
    ? undefined
    : { header, claims, signed: Buffer.from(`${head}.${body}`, 'latin1'), signature: Buffer.from(end, 'base64url') };
}

/** True if the key signed the token: with RS256, PS256, ES256 or EdDSA, which fits the key and is the one the key names where it names one. */
export function isSignedBy({ header, signed, signature }: IdToken, jwk: JsonWebKey): boolean {
  const algorithm = typeof header.alg === 'string' ? algorithms[header.alg] : undefined;
  if (algorithm === undefined || header.crit !== undefined || header.b64 !== undefined) {
    return false;
  }
  if ((jwk.alg !== undefined && jwk.alg !== header.alg) || (jwk.use !== undefined && jwk.use !== 'sig')) {
    return false;
  }
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return algorithm.fits(key) && verify(algorithm.digest, signed, algorithm.options(key), signature);
  } catch {
    // A key that is none.
    return false;
  }
}

/** The public members of a key, which are kept beside the token: never those of a private or a shared one. */
export function publicMembers({ kty, n, e, crv, x, y, kid, alg, use }: JsonWebKey): JsonWebKey {
  return JSON.parse(JSON.stringify({ kty, n, e, crv, x, y, kid, alg, use })) as JsonWebKey;
}
