/** ID tokens of a step-up: the identity provider signed the hash of the record, as the nonce of a token for one person. */
import { createHash, hash, type JsonWebKey } from 'node:crypto';
import { isSignedBy, parseIdToken } from '../lib/id-token.ts';
import { Fields } from './fields.ts';

/** A token that holds. */
export interface CheckedToken {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly issuedAt: number;
}

/** Seconds between a sign-in and the token that tells of it. */
const maxAge = 1200;
const maxSkew = 300;

/** The nonce of a step-up: the hash of its transaction and of the record that is signed. */
function nonceOf(transaction: string, record: Buffer): string {
  return createHash('sha256')
    .update(`countersign.signature.v1\n${transaction}\n${hash('sha256', record, 'hex')}`)
    .digest('base64url');
}

/** Returns what the token says; the rule that it breaks, as a sentence, where it does not hold. */
export function checkIdToken(
  text: string,
  keys: readonly JsonWebKey[],
  provider: Fields,
  transaction: string,
  record: Buffer,
): CheckedToken | string {
  const token = parseIdToken(text);
  if (token === undefined) {
    return 'Its ID token cannot be read.';
  }
  const [header, claims] = [new Fields(token.header), new Fields(token.claims)];
  const named = header.has('kid') ? keys.filter((key) => new Fields(key).text('kid') === header.text('kid')) : keys;
  if (named.length === 0) {
    return `No known key of an identity provider is called "${header.text('kid')}", which its ID token names.`;
  }
  if (!named.some((key) => isSignedBy(token, key))) {
    return 'The signature of its ID token is wrong.';
  }
  const broken = brokenClaim(claims, provider);
  if (broken !== undefined) {
    return broken;
  }
  if (claims.text('nonce') !== nonceOf(transaction, record)) {
    return 'The identity provider signed another record: the nonce of its ID token is not the hash of this one.';
  }
  return { issuer: claims.text('iss'), subject: claims.text('sub'), email: claims.text('email'), issuedAt: claims.whole('iat') };
}

function listOf(claims: Fields, name: string): readonly string[] {
  return typeof claims.raw[name] === 'string' ? [claims.text(name)] : claims.texts(name);
}

function brokenClaim(claims: Fields, provider: Fields): string | undefined {
  const [audience, audiences] = [provider.text('audience'), listOf(claims, 'aud')];
  const [issued, expires, signedIn] = [claims.whole('iat'), claims.whole('exp'), claims.whole('auth_time')];
  const accepted = provider.texts('acrValues');
  const reached = [claims.text('acr'), ...listOf(claims, 'acrs')];
  const isForUs = audience !== '' && audiences.includes(audience) && (audiences.length === 1 || claims.has('azp'));
  if (claims.text('iss') !== provider.text('issuer') || claims.text('sub') === '') {
    return 'Its ID token is one of another identity provider.';
  }
  if (!isForUs || (claims.has('azp') && claims.text('azp') !== audience)) {
    return 'Its ID token was made for another application.';
  }
  if (issued < 0 || expires <= issued) {
    return 'Its ID token has no time at which it was made, or expired before.';
  }
  if (signedIn < issued - maxAge || signedIn > issued + maxSkew) {
    return 'Its ID token tells of a sign-in at another time.';
  }
  if (accepted.length > 0 && !reached.some((value) => accepted.includes(value))) {
    return 'Its ID token does not say that the sign-in was as strong as was asked for.';
  }
  return undefined;
}
