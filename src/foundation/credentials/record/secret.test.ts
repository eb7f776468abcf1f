/** Secrets and client ids: how they are spelt, and that only the right private value matches. */
import { createPrivateKey, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derivePublicKey, importPublicKey, makeClientId, makeSecret, parseSecret, secretMatches } from './secret.ts';

function jwkOf(secret: string): Record<string, string> {
  return JSON.parse(Buffer.from(secret.slice(secret.lastIndexOf(':') + 1), 'base64url').toString()) as Record<string, string>;
}

function spell(jwk: object, head = 'secret-token:conductorone.com:v1:'): string {
  return head + Buffer.from(JSON.stringify(jwk)).toString('base64url');
}

describe('makeSecret', () => {
  it('is spelt as the specification says and holds an Ed25519 key', () => {
    const { secret, publicKey } = makeSecret('conductorone.com');
    expect(secret).toMatch(/^secret-token:conductorone\.com:v1:[A-Za-z0-9_-]+$/);
    const jwk = jwkOf(secret);
    expect(Object.keys(jwk).sort()).toEqual(['crv', 'd', 'kty', 'x']);
    expect(jwk).toMatchObject({ kty: 'OKP', crv: 'Ed25519', x: publicKey });
    const data = Buffer.from('hello');
    expect(verify(null, data, importPublicKey(publicKey).key, sign(null, data, createPrivateKey({ key: jwk, format: 'jwk' })))).toBe(true);
  });

  it('takes a label of its own', () => {
    expect(makeSecret('example.org').secret).toMatch(/^secret-token:example\.org:v1:/);
  });
});

describe('parseSecret', () => {
  const { secret, publicKey } = makeSecret('conductorone.com');
  const jwk = jwkOf(secret);

  it('finds the private value, with and without a version, whatever the label', () => {
    for (const head of [
      'secret-token:conductorone.com:v1:',
      'secret-token:conductorone.com:',
      'secret-token:x:v2:',
      'secret-token:a-b.c:',
    ]) {
      expect(derivePublicKey(parseSecret(spell(jwk, head)) ?? Buffer.alloc(32)).toString('base64url')).toBe(publicKey);
    }
  });

  it.each([
    ['empty', ''],
    ['another scheme', spell(jwk, 'secret:conductorone.com:v1:')],
    ['no label', spell(jwk, 'secret-token:')],
    ['another kind of key', spell({ ...jwk, kty: 'EC' })],
    ['another curve', spell({ ...jwk, crv: 'X25519' })],
    ['no private value', spell({ kty: 'OKP', crv: 'Ed25519', x: publicKey })],
    ['a short private value', spell({ ...jwk, d: 'AAAA' })],
    ['a private value that is no text', spell({ ...jwk, d: 5 })],
    ['no JSON', 'secret-token:conductorone.com:v1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['JSON that is no object', `secret-token:conductorone.com:v1:${Buffer.from('"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"').toString('base64url')}`],
    ['too long', spell({ ...jwk, more: 'x'.repeat(2000) })],
  ])('refuses %s', (_what, text) => {
    expect(parseSecret(text)).toBeUndefined();
  });

  it('never throws, whatever is sent', () => {
    fc.assert(fc.property(fc.string(), (text) => parseSecret(text) === undefined || true));
    fc.assert(fc.property(fc.jsonValue(), (value) => parseSecret(spell(value as object)) === undefined || value !== null));
  });
});

describe('secretMatches', () => {
  const mine = makeSecret('conductorone.com');
  const other = makeSecret('conductorone.com');
  const key = importPublicKey(mine.publicKey).bytes;

  it('takes the right secret and no other', () => {
    expect(secretMatches(mine.secret, key)).toBe(true);
    expect(secretMatches(other.secret, key)).toBe(false);
    expect(secretMatches('', key)).toBe(false);
  });

  it('does not believe the x beside a wrong d', () => {
    expect(secretMatches(spell({ ...jwkOf(other.secret), x: mine.publicKey }), key)).toBe(false);
  });

  it('does not need a right x beside the right d', () => {
    expect(secretMatches(spell({ ...jwkOf(mine.secret), x: other.publicKey }), key)).toBe(true);
  });

  it('says no to a secret that is none even where the stand-in key would match', () => {
    expect(secretMatches('nonsense', derivePublicKey(Buffer.alloc(32, 1)))).toBe(false);
  });
});

describe('makeClientId', () => {
  it('is word, word, digits, host and use', () => {
    for (let i = 0; i < 50; i++) {
      expect(makeClientId('localhost:8080')).toMatch(/^[a-z]+-[a-z]+-[0-9]+@localhost:8080\/pcc$/);
    }
  });
});
