/** Client assertions: the good ones, and every reason to refuse one. That one is used once is in tokens.test.ts. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertionClaims, keyOfSecret, signJwt } from '../../../../test/support/assertions.ts';
import { acceptedAudiences, checkAssertion } from './check-assertion.ts';
import { importPublicKey, makeSecret } from '../record/secret.ts';

const now = new Date('2026-03-01T12:00:00Z');
const seconds = now.getTime() / 1000;
const clientId = 'brave-otter-12345678@localhost:8080/pcc';
const { secret, publicKey } = makeSecret('conductorone.com');
const key = keyOfSecret(secret);
const expected = { clientId, key: importPublicKey(publicKey).key, audiences: acceptedAudiences({ host: 'localhost:8080' }), now };
const good = () => assertionClaims(clientId, 'localhost', now);
const check = (claims: object | string, header?: object) => checkAssertion(signJwt(key, claims, header), expected);
const reasonOf = async (assertion: string) => {
  const result = await checkAssertion(assertion, expected);
  return result.ok ? 'accepted' : result.reason;
};

describe('a good assertion', () => {
  it('is accepted and has a digest of its jti', async () => {
    const claims = good();
    const result = await check(claims);
    expect(result).toMatchObject({ ok: true, expiresAt: seconds + 120 });
    expect(result.ok && result.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(await check({ ...claims, exp: seconds + 60 })).toMatchObject({ digest: result.ok ? result.digest : undefined });
  });

  it('needs no jti, iat or nbf, and then has nothing to remember', async () => {
    const { jti: _jti, iat: _iat, nbf: _nbf, ...claims } = good();
    expect(await check(claims)).toMatchObject({ ok: true, digest: undefined });
  });

  it('may carry a nonce and a key id in its header', async () => {
    expect(await check(good(), { alg: 'EdDSA', nonce: 'n', kid: 'k', typ: 'JWT' })).toMatchObject({ ok: true });
    expect(await check(good(), { alg: 'Ed25519', kid: '' })).toMatchObject({ ok: true });
  });

  it.each([
    'localhost',
    'localhost:8080',
    '127.0.0.1',
    '127.0.0.1:8080',
    '[::1]',
    '[::1]:8080',
    'LOCALHOST',
    'https://localhost:8080',
    'http://localhost:8080/',
    'https://localhost/auth/v1/token',
    'http://127.0.0.1:8080/auth/v1/token',
  ])('is meant for us with audience %s', async (aud) => {
    expect(await check({ ...good(), aud })).toMatchObject({ ok: true });
    expect(await check({ ...good(), aud: [aud] })).toMatchObject({ ok: true });
  });

  it.each([seconds + 300, seconds + 1, seconds, seconds - 59, seconds + 0.5])('may end at %d', async (exp) => {
    expect(await check({ ...good(), exp })).toMatchObject({ ok: true });
  });

  it('may begin up to 60 s ahead', async () => {
    expect(await check({ ...good(), nbf: seconds + 60 })).toMatchObject({ ok: true });
  });
});

describe('claims that are refused, and told to whom holds the key', () => {
  const text = (exp: string) => JSON.stringify({ ...good(), exp: 0 }).replace('"exp":0', `"exp":${exp}`);
  it.each([
    ['exp missing', { ...good(), exp: undefined }, /no finite expiry/],
    ['exp null', { ...good(), exp: null }, /no finite expiry/],
    ['exp a text', { ...good(), exp: String(seconds + 60) }, /no finite expiry/],
    ['exp infinite', text('1e999'), /no finite expiry/],
    ['exp minus infinite', text('-1e999'), /no finite expiry/],
    ['exp a list', text('[1]'), /no finite expiry/],
    ['exp past', { ...good(), exp: seconds - 60 }, /has expired/],
    ['exp long past', { ...good(), exp: 1 }, /has expired/],
    ['exp over five minutes ahead', { ...good(), exp: seconds + 301 }, /more than five minutes/],
    ['exp just over five minutes ahead', { ...good(), exp: seconds + 300.001 }, /more than five minutes/],
    ['exp far ahead', { ...good(), exp: 1e18 }, /more than five minutes/],
    ['nbf ahead', { ...good(), nbf: seconds + 61 }, /not valid yet/],
    ['nbf no number', { ...good(), nbf: 'soon' }, /not valid yet/],
    ['iat no number', { ...good(), iat: 'now' }, /iat/],
    ['another iss', { ...good(), iss: 'x' }, /iss and sub/],
    ['no iss', { ...good(), iss: undefined }, /iss and sub/],
    ['another sub', { ...good(), sub: 'x' }, /iss and sub/],
    ['no sub', { ...good(), sub: undefined }, /iss and sub/],
    ['a foreign audience', { ...good(), aud: 'other.example' }, /audience/],
    ['a foreign audience beside ours', { ...good(), aud: ['localhost', 'other.example'] }, /audience/],
    ['our name on another port', { ...good(), aud: 'localhost:8081' }, /audience/],
    ['our name as part of another', { ...good(), aud: 'localhost.evil.example' }, /audience/],
    ['another path of ours', { ...good(), aud: 'https://localhost/api/v1' }, /audience/],
    ['no audience', { ...good(), aud: undefined }, /audience/],
    ['an empty audience', { ...good(), aud: [] }, /audience/],
    ['an audience that is no text', { ...good(), aud: [{}] }, /audience/],
    ['an empty jti', { ...good(), jti: '' }, /jti/],
    ['a jti that is no text', { ...good(), jti: 5 }, /jti/],
    ['a huge jti', { ...good(), jti: 'x'.repeat(1025) }, /jti/],
  ])('%s', async (_what, claims, reason) => {
    expect(await check(claims)).toMatchObject({ ok: false, isProven: true, reason: expect.stringMatching(reason) });
  });
});

describe('signatures that are refused, and nothing told', () => {
  it('alg none', async () => {
    const unsigned = signJwt(key, good(), { alg: 'none' }, () => Buffer.alloc(0));
    expect(await reasonOf(unsigned)).toMatch(/not a JWT/);
    expect(await reasonOf(`${unsigned}AAAA`)).toMatch(/not signed with EdDSA/);
    expect(await reasonOf(signJwt(key, good(), { alg: 'none' }))).toMatch(/not signed with EdDSA/);
    expect(await reasonOf(signJwt(key, good(), { alg: 'NonE' }))).toMatch(/not signed with EdDSA/);
    expect(await reasonOf(signJwt(key, good(), {}))).toMatch(/not signed with EdDSA/);
  });

  it('HS256 over the public key, in whatever form it is taken as the secret', async () => {
    const spki = expected.key.export({ format: 'der', type: 'spki' });
    const pem = expected.key.export({ format: 'pem', type: 'spki' });
    for (const known of [spki, pem, publicKey, Buffer.from(publicKey, 'base64url')]) {
      for (const alg of ['HS256', 'EdDSA']) {
        const forged = signJwt(key, good(), { alg }, (data) => createHmac('sha256', known).update(data).digest());
        expect(await checkAssertion(forged, expected)).toMatchObject({ ok: false, isProven: false });
      }
    }
  });

  it('another curve or kind of key', async () => {
    const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const ed448 = generateKeyPairSync('ed448').privateKey;
    expect(await reasonOf(signJwt(p256, good(), { alg: 'ES256' }, (data) => sign('sha256', data, p256)))).toMatch(/EdDSA/);
    expect(await reasonOf(signJwt(p256, good(), { alg: 'EdDSA' }, (data) => sign('sha256', data, p256)))).toMatch(/not by this client/);
    expect(await reasonOf(signJwt(rsa, good(), { alg: 'RS256' }, (data) => sign('sha256', data, rsa)))).toMatch(/EdDSA/);
    expect(await reasonOf(signJwt(ed448, good(), { alg: 'EdDSA', crv: 'Ed448' }))).toMatch(/not by this client/);
    expect(await reasonOf(signJwt(ed448, good(), { alg: 'Ed25519' }))).toMatch(/not by this client/);
    expect(await reasonOf(signJwt(ed448, good(), { alg: 'Ed448' }))).toMatch(/not signed with EdDSA/);
  });

  it('another key, also when the header brings it along', async () => {
    const other = generateKeyPairSync('ed25519');
    expect(await reasonOf(signJwt(other.privateKey, good()))).toMatch(/not by this client/);
    const jwk = other.publicKey.export({ format: 'jwk' });
    expect(
      await reasonOf(
        signJwt(other.privateKey, good(), { alg: 'EdDSA', jwk, kid: 'x', jku: 'https://evil.example', x5u: 'https://evil.example' }),
      ),
    ).toMatch(/not by this client/);
  });

  it('claims changed after signing', async () => {
    const [head, , signature] = signJwt(key, good()).split('.');
    const body = Buffer.from(JSON.stringify({ ...good(), exp: seconds + 200 })).toString('base64url');
    expect(await reasonOf(`${head}.${body}.${signature}`)).toMatch(/not by this client/);
  });

  it('extensions nobody knows', async () => {
    expect(await reasonOf(signJwt(key, good(), { alg: 'EdDSA', crit: ['b64'], b64: false }))).toMatch(/extensions/);
    expect(await reasonOf(signJwt(key, good(), { alg: 'EdDSA', crit: [] }))).toMatch(/extensions/);
  });

  it.each(['', 'x', 'a.b', 'a.b.c.d', '..', 'e30.e30.', 'e30.e30.AA=='])('%j is no JWT, or none of this client', async (text) => {
    expect(await checkAssertion(text, expected)).toMatchObject({ ok: false, isProven: false });
  });

  it('claims or a header that are no object', async () => {
    for (const value of ['[]', '5', 'null', '"x"', '{']) {
      expect(await reasonOf(signJwt(key, value))).toMatch(/not a JWT/);
    }
    expect(await reasonOf(`${Buffer.from('[]').toString('base64url')}.e30.AAAA`)).toMatch(/not a JWT/);
  });

  it('an assertion over 4 KiB', async () => {
    expect(await reasonOf(signJwt(key, { ...good(), padding: 'x'.repeat(5000) }))).toMatch(/not a JWT/);
  });

  it('never throws, whatever is sent', async () => {
    await fc.assert(fc.asyncProperty(fc.string(), async (text) => !(await checkAssertion(text, expected)).ok));
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (header, claims) => {
        const result = await checkAssertion(signJwt(key, JSON.stringify(claims), header as object), expected);
        return !result.ok;
      }),
    );
  });
});
