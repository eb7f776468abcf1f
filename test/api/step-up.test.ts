/** Step-ups over HTTP, as somebody uses them who means to get by: in another session, twice, late, and after something changed. */
import { createPrivateKey, sign as makeSignature } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { type Browser, openBrowser } from '../support/identity-provider.ts';
import type { TestPerson } from '../support/server.ts';
import { requestWith } from '../support/sign-in.ts';
import { acr, browse, decide, type SigningTest, startSigning } from '../support/signing.ts';

let test: SigningTest;
let reviewId: string;
let tasks: string[];

beforeAll(async () => {
  test = await startSigning();
  ({ reviewId, taskIds: tasks } = await test.openSigned());
});
beforeEach(() => {
  test.idp.account = { sub: 'p01', email: 'p01@world.example', email_verified: true };
  test.idp.acr = acr;
});
afterAll(() => test.stop());

const begin = async (count = 1): Promise<Loose> => test.prepare(reviewId, decide(tasks.splice(0, count)));
const sign = ({ id, stepUpTransactionId }: Loose): Promise<Answer> =>
  test.send('POST', `/api/v1/signatures/${id}/sign`, { stepUpTransactionId });
const signIn = (browser: Browser, { id, stepUpTransactionId }: Loose): Promise<Answer> =>
  requestWith(test.server, browser.header(test.server), 'POST', `/api/v1/signatures/${id}/sign`, { stepUpTransactionId });
const stateOf = async ({ id }: Loose): Promise<string> => (await test.send('GET', `/api/v1/signatures/${id}`)).body.signature.state;
const errorOf = async ({ stepUpTransactionId }: Loose): Promise<string> =>
  (await test.send('GET', `/api/v1/step-up/transactions/${stepUpTransactionId}`)).body.transaction.errorMessage;

/** The signature of a record by the key of a credential. */
function bySecret({ credential }: TestPerson, record: string): string {
  const key = JSON.parse(Buffer.from(credential.clientSecret.split(':').at(-1) ?? '', 'base64url').toString());
  return makeSignature(null, Buffer.from(record), createPrivateKey({ key, format: 'jwk' })).toString('base64url');
}
const signBy = (person: TestPerson, { id, stepUpTransactionId, record }: Loose): Promise<Answer> =>
  request(test.server, person, 'POST', `/api/v1/signatures/${id}/sign`, {
    stepUpTransactionId,
    credentialSignature: bySecret(person, record),
  });
const refusedElsewhere = {
  status: 400,
  body: { message: expect.stringContaining('It was begun in another session or through another credential.') },
};

/** Signs a program in from a terminal; returns what sends with its token. */
async function deviceOf(person: TestPerson): Promise<(method: string, path: string, body: object) => Promise<Answer>> {
  const { server } = test;
  const post = async (path: string, form: Record<string, string>): Promise<Loose> =>
    (await (await server.fetch(path, { method: 'POST', body: new URLSearchParams(form) })).json()) as Loose;
  const clientId = '2RGdOS94VDferT9e80mdgntl36K';
  const begun = await post('/auth/v1/device_authorization', { client_id: clientId });
  const cookie = (await browse(server, person)).header(server);
  await requestWith(server, cookie, 'POST', '/auth/device', { code: begun['user_code'], answer: 'APPROVE' });
  const got = await post('/auth/v1/token', {
    ...{ client_id: clientId, device_code: begun['device_code'] },
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
  });
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${got['access_token']}`, 'content-type': 'application/json' };
    const response = await server.fetch(path, { method, headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Loose };
  };
}

/** A time stamp server that answers once it is told to. */
async function holdStamps(): Promise<{ url: string; asked: Promise<void>; answer(): Promise<void> }> {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const server = createServer(async (incoming, response) => {
    const body = new Uint8Array(await buffer(incoming));
    arrived.resolve();
    await released.promise;
    const answer = await fetch(`${test.tsa.url}/stamp`, { method: 'POST', body });
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: arrived.promise,
    async answer() {
      released.resolve();
      await new Promise((closed) => server.close(closed));
    },
  };
}

describe('a step-up counts in the session that began it alone:', () => {
  it('another session of the same person does not bring it back', async () => {
    const signature = await begin();
    const other = await browse(test.server, test.world.assignee);
    const at = (await other.visit(signature.redirectUrl, /\/signatures\//)).at(-1);
    expect(at).toContain(`/signatures/${signature.id}?transaction=`);
    expect(await errorOf(signature)).toContain('another browser');
    expect((await sign(signature)).status).toBe(400);
    expect((await signIn(other, signature)).status).toBe(400);
    expect(await stateOf(signature)).toBe('SIGNATURE_STATE_PREPARED');
  });

  it('another session of the same person does not sign by it, and the one that began it does', async () => {
    const signature = await begin();
    await test.stepUp(signature.redirectUrl);
    const other = await browse(test.server, test.world.assignee);
    expect(await signIn(other, signature)).toMatchObject(refusedElsewhere);
    expect(await signBy(test.world.assignee, signature)).toMatchObject(refusedElsewhere);
    expect((await sign(signature)).status).toBe(200);
  });

  it('whoever signed out and in again proves anew who they are', async () => {
    const browser = await browse(test.server, test.world.assignee);
    const send = (method: string, path: string, body?: unknown) =>
      requestWith(test.server, browser.header(test.server), method, path, body);
    const { signature } = (await send('POST', `/api/v1/access_review/${reviewId}/submissions`, { decisions: decide(tasks.splice(0, 1)) }))
      .body;
    await browser.visit(signature.redirectUrl, /\/signatures\//);
    const out = await test.server.fetch('/auth/sign-out', {
      method: 'POST',
      headers: { cookie: browser.header(test.server), origin: new URL(test.server.url).origin, 'sec-fetch-site': 'same-origin' },
    });
    expect(out.status).toBeLessThan(400);
    expect((await signIn(browser, signature)).status).toBe(401);
    const again = await browse(test.server, test.world.assignee);
    expect(await signIn(again, signature)).toMatchObject(refusedElsewhere);
    const anew = await requestWith(test.server, again.header(test.server), 'POST', `/api/v1/signatures/${signature.id}/step-up`, {});
    await again.visit(anew.body.signature.redirectUrl, /\/signatures\//);
    expect((await signIn(again, anew.body.signature)).status).toBe(200);
  });

  it('what a credential began counts for that credential', async () => {
    const { server, world } = test;
    const own = world.assignee;
    const decisions = decide(tasks.splice(0, 1));
    const { signature } = (await request(server, own, 'POST', `/api/v1/access_review/${reviewId}/submissions`, { decisions })).body;
    await openBrowser(server).visit(signature.redirectUrl);
    expect(await sign(signature)).toMatchObject(refusedElsewhere);
    expect(await signBy(await server.ownClient(own.id), signature)).toMatchObject(refusedElsewhere);
    expect((await signBy(own, signature)).status).toBe(200);
  });

  it('what a program began that signed in from a terminal comes back where its person is signed in', async () => {
    const { server, world } = test;
    const device = await deviceOf(world.assignee);
    const path = `/api/v1/access_review/${reviewId}/submissions`;
    const [one, other] = [
      (await device('POST', path, { decisions: decide(tasks.splice(0, 1)) })).body.signature,
      (await device('POST', path, { decisions: decide(tasks.splice(0, 1)) })).body.signature,
    ];
    await (await browse(server, world.basic)).visit(one.redirectUrl, /\/signatures\//);
    expect(await errorOf(one)).toContain('another browser');
    await test.stepUp(other.redirectUrl);
    expect(await sign(other)).toMatchObject(refusedElsewhere);
    const { id, stepUpTransactionId } = other;
    expect((await device('POST', `/api/v1/signatures/${id}/sign`, { stepUpTransactionId })).status).toBe(200);
  });

  it('a session that ends while the time stamp is fetched signs nothing', async () => {
    const { db, tenantId } = test.server.system();
    const browser = await browse(test.server, test.world.assignee);
    const { signature } = (
      await requestWith(test.server, browser.header(test.server), 'POST', `/api/v1/access_review/${reviewId}/submissions`, {
        decisions: decide(tasks.splice(0, 1)),
      })
    ).body;
    await browser.visit(signature.redirectUrl, /\/signatures\//);
    const held = await holdStamps();
    await db.run('UPDATE signatures SET tsp_url = $3 WHERE tenant_id = $1 AND id = $2', [tenantId, signature.id, held.url]);
    const signing = signIn(browser, signature);
    await held.asked;
    await db.run(
      'UPDATE sessions s SET ended_at = now() FROM step_up_transactions t WHERE s.tenant_id = $1 AND t.tenant_id = $1 AND t.id = $2 AND s.id = t.session_id',
      [tenantId, signature.stepUpTransactionId],
    );
    await held.answer();
    expect(await signing).toMatchObject({ status: 401, body: { message: 'Your session has ended. Sign in again.' } });
    expect(await stateOf(signature)).toBe('SIGNATURE_STATE_PREPARED');
  });
});

describe('a step-up is used once:', () => {
  it('of two who sign at once one decides, and the other reads why not', async () => {
    const signature = await begin(2);
    await test.stepUp(signature.redirectUrl);
    const answers = await Promise.all([1, 2, 3].map(() => sign(signature)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    for (const { status, body } of answers) {
      expect(status === 200 ? '' : body.message).toMatch(/^$|signed|ended/);
    }
    const { list } = (await test.send('GET', `/api/v1/access_review/${reviewId}/submissions?page_size=100`)).body;
    expect(list.filter(({ submission }: Loose) => submission.id === signature.submissionId)).toHaveLength(1);
  });

  it('its answer does not come back twice', async () => {
    const signature = await begin();
    test.browser.cookies.delete(new URL(test.idp.issuer).origin);
    const visited = await test.browser.visit(signature.redirectUrl, /\/signatures\//);
    const callback = visited.find((url) => url.includes('/auth/step-up/callback')) ?? '';
    const again = await Promise.all([test.browser.visit(callback, /sign-in/), test.browser.visit(callback, /sign-in/)]);
    expect(again.map((urls) => urls.at(-1))).toEqual([expect.stringContaining('error=state'), expect.stringContaining('error=state')]);
    // The first answer still counts.
    expect((await sign(signature)).status).toBe(200);
  });

  it('two tabs each sign their own, in whatever order they come back', async () => {
    const [one, other] = [await begin(), await begin()];
    await test.stepUp(other.redirectUrl);
    await test.stepUp(one.redirectUrl);
    expect(await sign({ ...one, stepUpTransactionId: other.stepUpTransactionId })).toMatchObject({ status: 400 });
    expect(await sign({ ...other, stepUpTransactionId: one.stepUpTransactionId })).toMatchObject({ status: 400 });
    expect((await sign(one)).status).toBe(200);
    expect((await sign(other)).status).toBe(200);
  });

  it('two tabs with the same items: the first that signs decides, the other decides nothing', async () => {
    const taskIds = tasks.splice(0, 2);
    const [one, other] = [await test.prepare(reviewId, decide(taskIds)), await test.prepare(reviewId, decide([...taskIds].reverse()))];
    await test.stepUp(one.redirectUrl);
    await test.stepUp(other.redirectUrl);
    expect((await sign(other)).status).toBe(200);
    expect(await sign(one)).toMatchObject({ status: 409, body: { message: expect.stringContaining('Nothing was decided') } });
    expect(await stateOf(one)).toBe('SIGNATURE_STATE_ENDED');
    expect(await sign(one)).toMatchObject({ status: 409, body: { message: expect.stringContaining('no longer be signed') } });
  });
});
