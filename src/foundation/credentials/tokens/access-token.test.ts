/** Access tokens: what they say, that others can verify them, and every way they are refused. */
import { generateKeyPairSync } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { encodeHeader, readAccessToken, readKeyId, signAccessToken, type SigningKey } from './access-token.ts';

function makeKey(id: string): SigningKey {
  return { id, ...generateKeyPairSync('ed25519'), header: encodeHeader(id), retiredAt: undefined };
}

const claims = {
  iss: 'https://t.example',
  aud: 't.example',
  sub: 'u',
  client_id: 'a@t.example/pcc',
  cid: 'c',
  iat: 1_800_000_000,
  exp: 1_800_003_600,
};

describe('access tokens', () => {
  const key = makeKey('k1');
  const token = signAccessToken(key, claims);

  it('say what was signed, with an id of their own', () => {
    expect(readKeyId(token)).toBe('k1');
    const read = readAccessToken(token, key);
    expect(read).toMatchObject(claims);
    expect(read?.jti).toMatch(/^[0-9a-f-]{36}$/);
    expect(readAccessToken(signAccessToken(key, claims), key)?.jti).not.toBe(read?.jti);
  });

  it('are JWTs that others can verify with the published key', async () => {
    const jwks = createLocalJWKSet({ keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'EdDSA' }] });
    const { payload, protectedHeader } = await jwtVerify(token, jwks, {
      currentDate: new Date(claims.iat * 1000),
      issuer: claims.iss,
      audience: claims.aud,
      typ: 'at+jwt',
    });
    expect(payload.sub).toBe('u');
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: 'k1' });
  });

  it('are refused when another key signed them or anything was changed', () => {
    expect(readAccessToken(token, makeKey('k1'))).toBeUndefined();
    const [head = '', body = '', signature = ''] = token.split('.');
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'admin', jti: 'x' })).toString('base64url');
    expect(readAccessToken(`${head}.${forged}.${signature}`, key)).toBeUndefined();
    expect(readAccessToken(`${head}.${body}.${'A'.repeat(86)}`, key)).toBeUndefined();
    expect(readAccessToken(`${head}.${body}`, key)).toBeUndefined();
  });

  it.each([
    ['alg none', { alg: 'none', typ: 'at+jwt', kid: 'k1' }],
    ['HS256', { alg: 'HS256', typ: 'at+jwt', kid: 'k1' }],
    ['another type', { alg: 'EdDSA', typ: 'JWT', kid: 'k1' }],
    ['no key id', { alg: 'EdDSA', typ: 'at+jwt' }],
  ])('are none of ours with %s', (_what, header) => {
    expect(readKeyId(`${Buffer.from(JSON.stringify(header)).toString('base64url')}.e30.${'A'.repeat(86)}`)).toBeUndefined();
  });

  it.each(['', 'x', 'a.b.c', `${'a'.repeat(500)}.e30.${'A'.repeat(86)}`, `!!.e30.${'A'.repeat(86)}`])('%j is none', (text) => {
    expect(readKeyId(text)).toBeUndefined();
  });
});
