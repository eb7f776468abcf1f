/** Step-ups at a provider that lies, is slow or is down: each claim wrong once, each way of signing, and what the person reads. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, Loose } from '../support/api.ts';
import { type LyingProvider, makeLyingKey, startLyingProvider } from '../support/lying-provider.ts';
import { acr, decide, type SigningTest, startSigning } from '../support/signing.ts';

let test: SigningTest;
let liar: LyingProvider;
let providerId: string;
let reviewId: string;
let tasks: string[];
const seconds = Math.floor(Date.now() / 1000);

beforeAll(async () => {
  test = await startSigning();
  liar = await startLyingProvider();
  const oauth2 = { acrValues: [acr, 'urn:example:key'] };
  const sent = { displayName: 'Liar', clientId: 'lies', issuerUrl: liar.issuer, oauth2 };
  providerId = (await test.admin('POST', '/api/v1/step-up/providers', sent)).stepUpProvider.id;
  ({ reviewId, taskIds: tasks } = await test.openSigned({ stepUpProviderId: providerId }));
});
beforeEach(() => {
  Object.assign(liar, { claims: {}, header: {} });
  liar.instead.clear();
});
afterAll(async () => {
  await test?.stop();
  await liar?.stop();
});

const begin = async (): Promise<Loose> => test.prepare(reviewId, decide(tasks.slice(0, 1)));
const sign = ({ id, stepUpTransactionId }: Loose): Promise<Answer> =>
  test.send('POST', `/api/v1/signatures/${id}/sign`, { stepUpTransactionId });
/** Goes there and back, and says what came of it. */
async function comeBack(signature: Loose): Promise<string> {
  await test.stepUp(signature.redirectUrl);
  const { transaction } = (await test.send('GET', `/api/v1/step-up/transactions/${signature.stepUpTransactionId}`)).body;
  const isVerified = transaction.state === 'STEP_UP_TRANSACTION_STATE_VERIFIED';
  if (!isVerified) {
    expect(await sign(signature)).toMatchObject({ status: 400, body: { message: expect.stringContaining(transaction.errorMessage) } });
  }
  return isVerified ? 'VERIFIED' : transaction.errorMessage;
}

it('asks for a fresh sign-in in one of the ways that are configured', async () => {
  await comeBack(await begin());
  const { acr_values, max_age, prompt, claims, code_challenge_method, response_type, nonce } = Object.fromEntries(liar.asked);
  expect({ acr_values, max_age, prompt, code_challenge_method, response_type, claims: JSON.parse(claims ?? '') }).toEqual({
    acr_values: `${acr} urn:example:key`,
    max_age: '0',
    prompt: 'login',
    code_challenge_method: 'S256',
    response_type: 'code',
    claims: { id_token: { acr: { essential: true, values: [acr, 'urn:example:key'] } } },
  });
  expect(nonce).toMatch(/^[\w-]{43}$/);
});

describe('claims', () => {
  it.each([[{}], [{ acr: 'urn:example:key' }], [{ aud: ['lies', 'others'], azp: 'lies' }]])('%j are believed', async (claims) => {
    liar.claims = claims;
    expect(await comeBack(await begin())).toBe('VERIFIED');
  });

  it.each<[Record<string, unknown>, string]>([
    [{ iss: 'https://other.example' }, 'does not count'],
    [{ aud: 'others' }, 'does not count'],
    [{ aud: ['lies', 'others'] }, 'for another client|does not count'],
    [{ azp: 'others' }, 'another client|does not count'],
    [{ exp: seconds - 120 }, 'expired|does not count'],
    [{ exp: undefined }, 'does not count'],
    [{ exp: 'tomorrow' }, 'does not count'],
    [{ iat: seconds + 100_000 }, 'from the future|does not count'],
    [{ iat: undefined }, 'does not count'],
    [{ nonce: 'other' }, 'does not count'],
    [{ nonce: undefined }, 'does not count'],
    [{ auth_time: seconds - 3600 }, 'did not ask you anew'],
    [{ auth_time: seconds + 3600 }, 'did not ask you anew'],
    [{ auth_time: undefined }, 'does not say when'],
    [{ auth_time: String(seconds) }, 'does not say when|does not count'],
    [{ acr: undefined }, 'in the way that is asked for'],
    [{ acr: 'urn:example:password' }, 'in the way that is asked for'],
    [{ acr: undefined, acrs: [acr] }, 'in the way that is asked for'],
    [{ sub: undefined }, 'does not count'],
    [{ sub: 'new', email_verified: false }, 'has not verified your mail address'],
    [{ sub: 'new', email: undefined }, 'somebody who is not known here'],
    [{ sub: 'new', email: 'p02@world.example' }, 'somebody else'],
    [{ sub: 'new', email: 'p01@world.example,p02@world.example' }, 'somebody who is not known here'],
    [{ sub: 'new', email: ['p01@world.example', 'p02@world.example'] }, 'somebody who is not known here'],
    [{ sub: 'new', email: 'nobody@world.example' }, 'somebody who is not known here'],
  ])('%j are not: %s', async (claims, words) => {
    liar.claims = claims;
    expect(await comeBack(await begin())).toMatch(new RegExp(words));
  });

  it('of the one account count for the one person, whatever their address there', async () => {
    expect(await comeBack(await begin())).toBe('VERIFIED');
    liar.claims = { email: 'p02@world.example' };
    expect(await comeBack(await begin())).toBe('VERIFIED');
  });
});

describe('a token', () => {
  it.each([
    ['none', { alg: 'none' }],
    ['the public key as a shared secret', { alg: 'HS256' }],
    ['an algorithm that the key is not for', { alg: 'ES256' }],
    ['a key that the provider does not show', { kid: 'unknown' }],
    ['what nobody knows how to read', { crit: ['x'], x: 1 }],
  ])('signed by %s does not count', async (_, header) => {
    liar.header = header;
    expect(await comeBack(await begin())).toContain('does not count');
  });

  it('signed by another key under the name of the provider’s does not count', async () => {
    const good = liar.signer;
    liar.signer = makeLyingKey(good.kid);
    expect(await comeBack(await begin())).toContain('does not count');
    liar.signer = good;
  });

  it('needs not name the key where the provider has one', async () => {
    liar.header = { kid: undefined };
    expect(await comeBack(await begin())).toBe('VERIFIED');
  });

  it('is held to the keys of the moment: two, and another one after a rotation', async () => {
    const [first, second] = [liar.signer, makeLyingKey('two')];
    liar.shown = [first, second];
    expect(await comeBack(await begin())).toBe('VERIFIED');
    await forgetKeys();
    const signature = await begin();
    Object.assign(liar, { signer: second, shown: [second] });
    expect(await comeBack(signature)).toBe('VERIFIED');
    Object.assign(liar, { signer: first });
    expect(await comeBack(await begin())).toContain('does not count');
    Object.assign(liar, { shown: [first] });
    await forgetKeys();
  });
  /** A change of the provider, after which nothing is remembered of it. */
  const forgetKeys = (): Promise<Loose> =>
    test.admin('POST', `/api/v1/step-up/providers/${providerId}`, {
      ...{ stepUpProvider: { displayName: `Liar ${Date.now()}` }, updateMask: 'displayName' },
    });
});

describe('a provider that', () => {
  it('does not answer when somebody comes back is named, and nothing is lost', async () => {
    const signature = await begin();
    liar.instead.set('/token', (_request, response) => void response.socket?.destroy());
    expect(await comeBack(signature)).toBe(`The provider ${new URL(liar.issuer).host} did not answer.`);
    liar.instead.clear();
    const anew = (await test.send('POST', `/api/v1/signatures/${signature.id}/step-up`, {})).body.signature;
    expect(await comeBack(anew)).toBe('VERIFIED');
    expect((await sign(anew)).status).toBe(200);
    tasks.shift();
  });

  it.each(['/token', '/jwks'])('fails at %s when somebody comes back is named', async (path) => {
    const signature = await begin();
    liar.instead.set(path, (_request, response) => void response.writeHead(503, { 'content-type': 'text/html' }).end('<p>Down'));
    expect(await comeBack(signature)).toBe(`The provider ${new URL(liar.issuer).host} did not answer.`);
  });

  it('is slow when somebody comes back is named after 10 seconds', async () => {
    const signature = await begin();
    liar.instead.set('/token', () => undefined);
    expect(await comeBack(signature)).toBe(`The provider ${new URL(liar.issuer).host} did not answer.`);
  }, 60_000);

  it('is down when somebody is sent there is named, and the submission waits', async () => {
    await test.admin('POST', `/api/v1/step-up/providers/${providerId}`, {
      ...{ stepUpProvider: { displayName: 'Down' }, updateMask: 'displayName' },
    });
    liar.instead.set('/.well-known/openid-configuration', (_request, response) => void response.socket?.destroy());
    const body = { decisions: decide(tasks.slice(0, 1)), idempotencyKey: 'down' };
    const refused = await test.send('POST', `/api/v1/access_review/${reviewId}/submissions`, body);
    expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining(new URL(liar.issuer).host)]);
    liar.instead.clear();
    const again = await test.send('POST', `/api/v1/access_review/${reviewId}/submissions`, body);
    expect(await comeBack(again.body.signature)).toBe('VERIFIED');
  });
});
