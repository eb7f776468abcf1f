/** Step-up providers and step-ups as operations: each field of a request changes what it names, wrong ones are named, and no secret comes out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type LyingProvider, startLyingProvider } from '../support/lying-provider.ts';
import { decide, type SigningTest, startSigning } from '../support/signing.ts';

const path = '/api/v1/step-up/providers';
const secret = 'a-secret-of-ours-that-nobody-reads';
const acrs = 'MICROSOFT_VALIDATION_MODE_ACRS';
let test: SigningTest;
let liar: LyingProvider;
const send = (method: string, at: string, body?: unknown): Promise<Answer> => request(test.server, test.server.admin, method, at, body);
const create = async (more: object = {}): Promise<Loose> => {
  const fields = { displayName: 'One', clientId: 'one', issuerUrl: liar.issuer, clientSecret: secret };
  const answer = await send('POST', path, { ...fields, ...('microsoft' in more ? {} : { oauth2: {} }), ...more });
  expect([answer.status, answer.body.message]).toEqual([200, undefined]);
  return answer.body.stepUpProvider;
};
const change = (id: string, stepUpProvider: object, updateMask?: string): Promise<Answer> =>
  send('POST', `${path}/${id}`, { stepUpProvider, ...(updateMask === undefined ? {} : { updateMask }) });

beforeAll(async () => {
  [test, liar] = [await startSigning(), await startLyingProvider()];
});
afterAll(async () => {
  await test?.stop();
  await liar?.stop();
});

describe('a provider', () => {
  it('is made enabled, with what was sent and without its secret', async () => {
    const made = await create({ oauth2: { acrValues: ['phr'] } });
    expect(made).toMatchObject({
      displayName: 'One',
      clientId: 'one',
      issuerUrl: liar.issuer,
      enabled: true,
      oauth2: { acrValues: ['phr'] },
    });
    expect(made.createdAt).toBe(made.updatedAt);
    expect(made.lastTestedAt).toBeUndefined();
    expect((await send('GET', `${path}/${made.id}`)).body.stepUpProvider).toEqual(made);
  });

  it.each<[object, string | undefined, object]>([
    [{ displayName: 'Two', clientId: 'left' }, 'displayName', { displayName: 'Two', clientId: 'one' }],
    [{ clientId: 'two' }, 'clientId', { clientId: 'two' }],
    [{ issuerUrl: 'https://two.example' }, 'issuerUrl', { issuerUrl: 'https://two.example' }],
    [{ enabled: false }, 'enabled', { enabled: false }],
    [{ oauth2: { acrValues: ['phr'] } }, 'oauth2', { oauth2: { acrValues: ['phr'] } }],
    [{ oauth2: { acrValues: ['phr'] } }, 'oauth2.acrValues', { oauth2: { acrValues: ['phr'] } }],
    [{ microsoft: { conditionalAccessIds: ['c1'], validationMode: acrs } }, 'microsoft', { microsoft: { conditionalAccessIds: ['c1'] } }],
    [{ displayName: 'Without a mask' }, undefined, { displayName: 'Without a mask', clientId: 'one' }],
  ])('changed with %j by the mask %s is %j', async (sent, mask, expected) => {
    const { id, createdAt } = await create();
    expect((await change(id, sent, mask)).body.stepUpProvider).toMatchObject({ ...expected, createdAt });
    const read = (await send('GET', `${path}/${id}`)).body.stepUpProvider;
    expect(read).toMatchObject(expected);
    expect([read.oauth2, read.microsoft].filter((one) => one !== undefined)).toHaveLength(1);
  });

  it.each<[object, string, string]>([
    [{ displayName: '' }, 'displayName', 'stepUpProvider.displayName'],
    [{ displayName: 'x'.repeat(501) }, 'displayName', 'stepUpProvider.displayName'],
    [{ clientId: ' ' }, 'clientId', 'stepUpProvider.clientId'],
    [{ issuerUrl: 'ftp://one.example' }, 'issuerUrl', 'stepUpProvider.issuerUrl'],
    [{ issuerUrl: 'https://one.example?x' }, 'issuerUrl', 'stepUpProvider.issuerUrl'],
    [{ oauth2: { acrValues: Array.from({ length: 21 }, String) } }, 'oauth2', 'stepUpProvider.oauth2.acrValues'],
    [{ microsoft: { validationMode: acrs } }, 'microsoft', 'stepUpProvider.microsoft.conditionalAccessIds'],
    [{ microsoft: { tenant: 'contoso' } }, 'microsoft', 'stepUpProvider.microsoft.tenant'],
    [{ id: 'x' }, 'id', 'updateMask'],
    [{ lastTestedAt: '2026-01-01T00:00:00Z' }, 'lastTestedAt', 'updateMask'],
    [{}, 'nothing', 'updateMask'],
  ])('is not changed with %j by the mask %s', async (sent, mask, field) => {
    const { id } = await create();
    const before = (await send('GET', `${path}/${id}`)).body;
    const answer = await change(id, sent, mask);
    expect([answer.status, violatedFields(answer)]).toEqual([400, [field]]);
    expect((await send('GET', `${path}/${id}`)).body).toEqual(before);
  });

  it('is listed and searched in pages, each once', async () => {
    const read = async (page: (token: string) => Promise<Answer>): Promise<string[]> => {
      const ids: string[] = [];
      let token = '';
      do {
        const { status, body } = await page(token);
        expect([status, body.list.length <= 10]).toEqual([200, true]);
        ids.push(...body.list.map(({ id }: Loose) => id));
        token = body.nextPageToken;
      } while (token !== '');
      return ids;
    };
    const listed = await read((token) => send('GET', `${path}?page_size=10&page_token=${token}`));
    const found = await read((pageToken) => send('POST', '/api/v1/search/step-up/providers', { pageSize: 10, pageToken }));
    expect(new Set(listed).size).toBe(listed.length);
    expect(found).toEqual(listed);
    expect(listed.length).toBeGreaterThan(10);
    const onlyOne = await send('POST', '/api/v1/search/step-up/providers', { providerType: 'PROVIDER_TYPE_MICROSOFT', query: 'ONE' });
    expect(onlyOne.body.list.map(({ displayName }: Loose) => displayName)).toEqual(['One']);
  });

  it('is another tenant’s nothing, and nobody’s after it is removed', async () => {
    const { id } = await create();
    const other = await test.server.makeTenant('step-ups.example');
    const calls: [string, string, object?][] = [
      ['GET', `${path}/${id}`],
      ['POST', `${path}/${id}`, { stepUpProvider: { displayName: 'Theirs' }, updateMask: 'displayName' }],
      ['POST', `${path}/${id}/secret`, { clientSecret: 'theirs' }],
      ['POST', `${path}/${id}/test`, {}],
      ['DELETE', `${path}/${id}`, {}],
    ];
    for (const [method, at, body] of calls) {
      expect([method, at, (await request(other, other.admin, method, at, body)).status]).toEqual([method, at, 404]);
    }
    expect((await request(other, other.admin, 'GET', path)).body.list).toEqual([]);
    expect((await send('DELETE', `${path}/${id}`, {})).status).toBe(200);
    for (const [method, at, body] of calls) {
      expect([method, at, (await send(method, at, body)).status]).toEqual([method, at, 404]);
    }
  });

  it('keeps its secret from every reply and every event', async () => {
    const { id } = await create();
    const answers = [
      await send('POST', `${path}/${id}/secret`, { clientSecret: `${secret}-2` }),
      await send('GET', `${path}/${id}`),
      await send('GET', path),
      await send('POST', '/api/v1/search/step-up/providers', {}),
      await send('POST', `${path}/${id}/secret`, { clientSecret: `${secret}${'x'.repeat(2000)}` }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400]);
    expect(violatedFields(answers.at(-1) as Answer)).toEqual(['clientSecret']);
    expect(JSON.stringify(answers)).not.toContain(secret);
    const { db, tenantId } = test.server.system();
    const kept = await db.rows(
      `SELECT 1 FROM events WHERE tenant_id = $1 AND data::text LIKE $2
       UNION ALL SELECT 1 FROM step_up_providers WHERE tenant_id = $1 AND (document::text || client_secret) LIKE $2`,
      [tenantId, `%${secret}%`],
    );
    expect(kept).toEqual([]);
  });
});

describe('a provider of Microsoft', () => {
  const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47';
  const open = async (microsoft: object): Promise<{ prepare(): Promise<Loose> }> => {
    const { id } = await create({ clientId: 'lies', microsoft });
    const { reviewId, taskIds } = await test.openSigned({ stepUpProviderId: id });
    return { prepare: () => test.prepare(reviewId, decide(taskIds.slice(0, 1))) };
  };
  const comeBack = async (signature: Loose, claims: Record<string, unknown>): Promise<string> => {
    liar.claims = claims;
    await test.stepUp(signature.redirectUrl);
    const { transaction } = (await test.send('GET', `/api/v1/step-up/transactions/${signature.stepUpTransactionId}`)).body;
    return transaction.errorMessage;
  };

  it('asks for an authentication context, and holds the token to it', async () => {
    const { prepare } = await open({ validationMode: acrs, conditionalAccessIds: ['c1', 'c2'] });
    expect(await comeBack(await prepare(), { acrs: ['c2'] })).toBe('');
    expect(JSON.parse(liar.asked.get('claims') ?? '')).toEqual({ id_token: { acrs: { essential: true, values: ['c1', 'c2'] } } });
    expect([liar.asked.get('acr_values'), liar.asked.get('max_age')]).toEqual([null, '0']);
    expect(await comeBack(await prepare(), { acrs: ['c3'] })).toContain('in the way that is asked for');
  });

  it('asks for it as well where contexts are named, and no way of asking', async () => {
    const { prepare } = await open({ conditionalAccessIds: ['c1'] });
    expect(await comeBack(await prepare(), {})).toContain('in the way that is asked for');
    expect(await comeBack(await prepare(), { acrs: ['c1'] })).toBe('');
  });

  it('asks for a fresh sign-in alone by OpenID Connect', async () => {
    const { prepare } = await open({ validationMode: 'MICROSOFT_VALIDATION_MODE_OIDC' });
    expect(await comeBack(await prepare(), {})).toBe('');
    expect([liar.asked.get('claims'), liar.asked.get('max_age'), liar.asked.get('prompt')]).toEqual([null, '0', 'login']);
  });

  it('believes tokens of its own directory alone, where that is named', async () => {
    const { prepare } = await open({ validationMode: 'MICROSOFT_VALIDATION_MODE_OIDC', tenant });
    expect(await comeBack(await prepare(), {})).toBe('The token is of another directory.');
    expect(await comeBack(await prepare(), { tid: '11111111-86f1-41af-91ab-2d7cd011db47' })).toBe('The token is of another directory.');
    expect(await comeBack(await prepare(), { tid: tenant.toUpperCase() })).toBe('');
  });
});

describe('a step-up', () => {
  it('that nobody came back from in time is an error, and found as one', async () => {
    const { reviewId, taskIds } = await test.openSigned();
    const [one, other] = [
      await test.prepare(reviewId, decide(taskIds.slice(0, 1))),
      await test.prepare(reviewId, decide(taskIds.slice(1, 2))),
    ];
    const { db, tenantId } = test.server.system();
    await db.run('UPDATE step_up_transactions SET expires_at = now() WHERE tenant_id = $1 AND id = $2', [
      tenantId,
      one.stepUpTransactionId,
    ]);
    const search = async (state: string): Promise<string[]> => {
      const filter = { state: `STEP_UP_TRANSACTION_STATE_${state}`, providerId: test.providerId, pageSize: 100 };
      const { list } = (await test.send('POST', '/api/v1/search/step-up/transactions', filter)).body;
      expect(new Set(list.map((row: Loose) => row.state))).toEqual(new Set([filter.state]));
      return list.map(({ id }: Loose) => id);
    };
    expect(await search('ERROR')).toEqual([one.stepUpTransactionId]);
    expect(await search('PENDING')).toEqual([other.stepUpTransactionId]);
  });
});
