/**
 * Check that a client assertion (RFC 7523) is of this client for this tenant, now. Everything but whether it was used before, which the database
 * knows (spend-assertion.ts).
 */
import { hash, type KeyObject, verify } from 'node:crypto';
import { parseJwt } from '../../../lib/id-token.ts';
import { type Tenant, hostAliases, hostNameOf } from '../../tenants/index.ts';

/** Clocks may differ by this much. */
export const skewSeconds = 60;
/** Time ahead an assertion's end may lie. */
const maxAheadSeconds = 300;
const maxLength = 4096;
/** Two names of one algorithm: RFC 9864 replaces the first by the second, and clients send either. */
const algorithms: readonly unknown[] = ['EdDSA', 'Ed25519'];

/**
 * A good assertion, or why it is none. `isProven` says that its signature was the client's, so that the client may learn the
 * reason; anybody else learns nothing.
 */
export type AssertionResult =
  | { readonly ok: true; readonly digest: string | undefined; readonly expiresAt: number }
  | { readonly ok: false; readonly isProven: boolean; readonly reason: string };

/** Every audience that means this tenant: its host and loopback aliases, with and without port, as name, base URL or token endpoint. */
export function acceptedAudiences(tenant: Pick<Tenant, 'host'>): ReadonlySet<string> {
  const hosts = hostAliases(tenant.host).flatMap((host) => [host, hostNameOf(host)]);
  return new Set(
    hosts.flatMap((host) => [
      host,
      ...['https', 'http'].flatMap((scheme) => [`${scheme}://${host}`, `${scheme}://${host}/`, `${scheme}://${host}/auth/v1/token`]),
    ]),
  );
}

/** Basis of an assertion's check. */
export interface AssertionExpectation {
  readonly clientId: string;
  readonly key: KeyObject;
  readonly audiences: ReadonlySet<string>;
  readonly now: Date;
}

function refuse(reason: string, isProven = false): AssertionResult {
  return { ok: false, isProven, reason };
}

/** Off the main thread: checking a signature is most of the work of a token request. */
function verifySignature(signed: Buffer, key: KeyObject, signature: Buffer): Promise<boolean> {
  return new Promise((resolve, reject) => {
    verify(null, signed, key, signature, (error, isGood) => (error === null ? resolve(isGood) : reject(error)));
  });
}

/**
 * Checks header, signature and claims. `digest` is of client id and `jti`, undefined where there is no `jti`: such a one may be used
 * again until its end.
 */
export async function checkAssertion(assertion: string, expected: AssertionExpectation): Promise<AssertionResult> {
  const parsed = parseJwt(assertion, maxLength);
  if (parsed === undefined) {
    return refuse('the assertion is not a JWT');
  }
  const { header, claims, signed, signature } = parsed;
  // Nothing else is ever tried: the algorithm is the key's, not the sender's choice (RFC 8725 section 3.1).
  if (!algorithms.includes(header.alg)) {
    return refuse('the assertion is not signed with EdDSA');
  }
  if (header.crit !== undefined || header.b64 !== undefined) {
    return refuse('the assertion asks for unknown extensions');
  }
  if (signature.length !== 64 || !(await verifySignature(signed, expected.key, signature))) {
    return refuse('the signature of the assertion is not by this client');
  }
  return checkClaims(claims, expected);
}

function checkClaims(claims: Readonly<Record<string, unknown>>, expected: AssertionExpectation): AssertionResult {
  const now = expected.now.getTime() / 1000;
  const { iss, sub, aud, exp, nbf, iat, jti } = claims;
  if (iss !== expected.clientId || sub !== expected.clientId) {
    return refuse('iss and sub of the assertion must be the client id', true);
  }
  const audiences = Array.isArray(aud) ? aud : [aud];
  // All of them, not one: with a second audience somebody else could spend the assertion here.
  if (audiences.length === 0 || !audiences.every((one) => typeof one === 'string' && expected.audiences.has(one.toLowerCase()))) {
    return refuse('the assertion is for another audience', true);
  }
  if (typeof exp !== 'number' || !Number.isFinite(exp)) {
    return refuse('the assertion has no finite expiry', true);
  }
  if (exp <= now - skewSeconds) {
    return refuse('the assertion has expired', true);
  }
  if (exp > now + maxAheadSeconds) {
    return refuse('the assertion expires more than five minutes ahead', true);
  }
  if (nbf !== undefined && (typeof nbf !== 'number' || !Number.isFinite(nbf) || nbf > now + skewSeconds)) {
    return refuse('the assertion is not valid yet', true);
  }
  if (iat !== undefined && (typeof iat !== 'number' || !Number.isFinite(iat))) {
    return refuse('iat of the assertion is not a time', true);
  }
  if (jti !== undefined && (typeof jti !== 'string' || jti === '' || jti.length > 1024)) {
    return refuse('jti of the assertion is not an identifier', true);
  }
  const digest = jti === undefined ? undefined : hash('sha256', `${expected.clientId}\n${jti}`);
  return { ok: true, digest, expiresAt: exp };
}
