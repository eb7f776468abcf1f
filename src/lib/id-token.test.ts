/** ID tokens: which signatures count. */
import { constants, createHmac, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSignedBy, parseIdToken, publicMembers } from './id-token.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
const p256 = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'secp384r1' });
const ed = generateKeyPairSync('ed25519');
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };

function tokenOf(header: object, signer: (text: Buffer) => Buffer): string {
  const text = [header, { sub: 'mona' }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${signer(Buffer.from(text)).toString('base64url')}`;
}
const byKey =
  (digest: string | null, key: KeyObject, options: object = {}) =>
  (text: Buffer): Buffer =>
    sign(digest, text, { key, dsaEncoding: 'ieee-p1363', ...options });
const holds = (token: string, key: JsonWebKey): boolean => {
  const parsed = parseIdToken(token);
  return parsed !== undefined && isSignedBy(parsed, key);
};
const jwk = ({ publicKey }: { publicKey: KeyObject }): JsonWebKey => publicKey.export({ format: 'jwk' });

describe('a signature', () => {
  it.each([
    ['RS256', rsa, byKey('sha256', rsa.privateKey)],
    ['PS256', rsa, byKey('sha256', rsa.privateKey, pss)],
    ['ES256', p256, byKey('sha256', p256.privateKey)],
    ['EdDSA', ed, byKey(null, ed.privateKey)],
  ] as const)('of %s counts, with its own key and algorithm alone', (alg, pair, signer) => {
    const token = tokenOf({ alg }, signer);
    expect(holds(token, jwk(pair))).toBe(true);
    expect(holds(token, { ...jwk(pair), alg, use: 'sig', kid: 'one' })).toBe(true);
    expect(holds(token, { ...jwk(pair), alg: 'RS512' })).toBe(false);
    expect(holds(token, { ...jwk(pair), use: 'enc' })).toBe(false);
    for (const other of [rsa, p256, ed].filter((one) => one !== pair)) {
      expect(holds(token, jwk(other))).toBe(false);
    }
    expect(holds(token.replace(/\.[^.]*\./, `.${Buffer.from('{"sub":"ben"}').toString('base64url')}.`), jwk(pair))).toBe(false);
  });

  it.each([
    ['none', { alg: 'none' }, () => Buffer.alloc(1), jwk(rsa)],
    ['a shared secret', { alg: 'HS256' }, (text: Buffer) => createHmac('sha256', 'x').update(text).digest(), { kty: 'oct', k: 'eA' }],
    ['a weak key', { alg: 'RS256' }, byKey('sha256', weak.privateKey), jwk(weak)],
    ['another curve', { alg: 'ES256' }, byKey('sha256', p384.privateKey), jwk(p384)],
    ['another digest', { alg: 'RS512' }, byKey('sha512', rsa.privateKey), jwk(rsa)],
    ['an extension', { alg: 'RS256', crit: ['b64'], b64: false }, byKey('sha256', rsa.privateKey), jwk(rsa)],
    ['a key that is none', { alg: 'RS256' }, byKey('sha256', rsa.privateKey), {}],
  ] as const)('by %s does not', (_name, header, signer, key) => {
    expect(holds(tokenOf(header, signer), key)).toBe(false);
  });
});

it('a text that is no token is none', () => {
  for (const text of ['', 'a.b', 'a.b.c', `e30.e30.${'A'.repeat(17_000)}`, 'e30.W10.AA']) {
    expect(parseIdToken(text)).toBeUndefined();
  }
});

it('keeps no private member of a key', () => {
  const whole = { ...rsa.privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
  expect(publicMembers(whole)).toEqual({ ...jwk(rsa), kid: 'one', alg: 'RS256', use: 'sig' });
});
