/** Step-ups over HTTP, as somebody uses them who means to get by: in another session, twice, late, and after something changed. */
import { createPrivateKey, sign as makeSignature } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
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
    // It waits no longer, and nobody is reminded of it.
    expect(await stateOf(one)).toBe('SIGNATURE_STATE_ENDED');
    expect(await sign(one)).toMatchObject({ status: 409, body: { message: expect.stringContaining('Nothing was decided by it') } });
  });
});

describe('a step-up proves what the provider is asked for when it signs:', () => {
  const path = (): string => `/api/v1/step-up/providers/${test.providerId}`;
  const change = (stepUpProvider: object, updateMask: string): Promise<Loose> => test.admin('POST', path(), { stepUpProvider, updateMask });
  const asBefore = async (): Promise<void> => {
    await change({ oauth2: { acrValues: [acr] }, enabled: true }, 'oauth2.acrValues,enabled');
  };
  afterEach(asBefore);

  it('one of a weaker way does not count once a stronger one is asked for', async () => {
    await change({ oauth2: { acrValues: ['urn:example:password'] } }, 'oauth2.acrValues');
    test.idp.acr = 'urn:example:password';
    const signature = await begin();
    await test.stepUp(signature.redirectUrl);
    await change({ oauth2: { acrValues: [acr] } }, 'oauth2.acrValues');
    expect(await sign(signature)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('settings of the provider were changed') },
    });
    expect(await stateOf(signature)).toBe('SIGNATURE_STATE_PREPARED');
    // Back from there, and signed: what is asked for now was proven.
    await change({ oauth2: { acrValues: [acr, 'urn:example:password'] } }, 'oauth2.acrValues');
    expect((await sign(signature)).status).toBe(200);
  });

  it('and the stronger way is asked for when somebody comes back', async () => {
    await change({ oauth2: { acrValues: ['urn:example:password'] } }, 'oauth2.acrValues');
    test.idp.acr = 'urn:example:password';
    const signature = await begin();
    await asBefore();
    await test.stepUp(signature.redirectUrl);
    expect(await errorOf(signature)).toContain('in the way that is asked for');
  });

  it('a provider that is disabled proves nothing, before and after somebody comes back', async () => {
    const [before, after] = [await begin(), await begin()];
    await test.stepUp(before.redirectUrl);
    await change({ enabled: false }, 'enabled');
    await test.stepUp(after.redirectUrl);
    expect(await errorOf(after)).toBe('The provider was removed or disabled meanwhile.');
    expect(await sign(before)).toMatchObject({ status: 400, body: { message: expect.stringContaining('removed or disabled meanwhile') } });
    const anew = await test.send('POST', `/api/v1/signatures/${before.id}/step-up`, {});
    expect([anew.status, anew.body.message]).toEqual([400, 'The step-up provider Company is disabled. Ask an administrator.']);
    await asBefore();
    expect((await sign(before)).status).toBe(200);
  });

  it('that of another issuer or client proves nothing', async () => {
    const { clientId, issuer, clientSecret } = test.idp;
    for (const [changed, mask] of [
      [{ clientId: 'another' }, 'clientId'],
      [{ issuerUrl: `${issuer}/other` }, 'issuerUrl'],
    ] as const) {
      const signature = await begin();
      await test.stepUp(signature.redirectUrl);
      await change(changed, mask);
      expect(await sign(signature)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('settings of the provider were changed') },
      });
      await change({ clientId, issuerUrl: issuer }, 'clientId,issuerUrl');
      await test.admin('POST', `${path()}/secret`, { clientSecret });
      expect((await sign(signature)).status).toBe(200);
    }
  });
});

describe('what is signed is what was prepared:', () => {
  const stage = (decisions: readonly object[]): Promise<Answer> =>
    test.send('PUT', `/api/v1/access_review/${reviewId}/pending_decisions`, { decisions });
  const submitStaged = async (): Promise<Loose> =>
    (await test.send('POST', `/api/v1/access_review/${reviewId}/submissions`, { all: true })).body.signature;
  const openTask = async (id: string | undefined): Promise<boolean> =>
    (await test.send('GET', `/api/v1/tasks/${id}`)).body.taskView.task.state === 'TASK_STATE_OPEN';
  const certify = (taskId = '', comment = ''): object => ({ taskId, decision: 'REVIEW_DECISION_CERTIFY', comment });
  const deny = (taskId = '', comment = 'Left.'): object => ({ taskId, decision: 'REVIEW_DECISION_DENY', comment });
  /** Nothing was decided, and the signature is no longer to be had. */
  const expectChanged = async (signature: Loose, taskIds: readonly string[], answer: Answer): Promise<void> => {
    expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining('Nothing was decided') } });
    const { body } = await test.send('GET', `/api/v1/signatures/${signature.id}`);
    expect(body.signature).toMatchObject({ state: 'SIGNATURE_STATE_ENDED', endedBy: 'CHANGED' });
    expect(await Promise.all(taskIds.map(openTask))).toEqual(taskIds.map(() => true));
  };

  it('what is staged afterwards is no part of it, and stays staged', async () => {
    const [one, other] = tasks.splice(0, 2);
    await stage([certify(one)]);
    const signature = await submitStaged();
    await stage([certify(one), deny(other)]);
    await test.stepUp(signature.redirectUrl);
    await stage([certify(one), deny(other, 'Grown since.')]);
    expect((await sign(signature)).body.submission).toMatchObject({ submitted: '1', certified: '1' });
    expect([await openTask(one), await openTask(other)]).toEqual([false, true]);
    const { list } = (await test.send('GET', `/api/v1/access_review/${reviewId}/pending_decisions`)).body;
    expect(list.map(({ pendingDecision }: Loose) => pendingDecision.taskId)).toEqual([other]);
    await stage([]);
  });

  it.each<[string, (taskId: string) => object[]]>([
    ['meant otherwise', (taskId) => [deny(taskId)]],
    ['commented otherwise', (taskId) => [certify(taskId, 'Needed for the audit.')]],
    ['certified until a day', (taskId) => [{ ...certify(taskId), certifyUntil: new Date(Date.now() + 40 * 86_400_000).toISOString() }]],
    ['taken back', () => []],
  ])('nothing, where a decision is %s before it is signed', async (_, after) => {
    const taskIds = tasks.splice(0, 2);
    await stage(taskIds.map((id) => certify(id)));
    const signature = await submitStaged();
    await test.stepUp(signature.redirectUrl);
    expect((await stage([...after(taskIds[0] ?? ''), certify(taskIds[1])])).status).toBe(200);
    await expectChanged(signature, taskIds, await sign(signature));
    await stage([]);
  });

  it('nothing, where something is staged about an item that was sent by itself', async () => {
    const taskIds = tasks.splice(0, 2);
    const signature = await test.prepare(reviewId, decide(taskIds));
    await test.stepUp(signature.redirectUrl);
    await stage([certify(taskIds[0])]);
    await expectChanged(signature, taskIds, await sign(signature));
    await stage([]);
  });

  it.each<[string, (taskId: string) => Promise<unknown>]>([
    ['reassigned', (id) => reassign(id, [test.world.owner.id])],
    // To the same person: another step of theirs.
    [
      'reassigned and given back',
      async (id) => {
        await reassign(id, [test.world.owner.id]);
        await reassign(id, [test.world.assignee.id]);
      },
    ],
    ['reset', (id) => test.admin('POST', `/api/v1/tasks/${id}/action/reset`, { comment: 'Anew' })],
    ['closed', (id) => test.admin('POST', `/api/v1/tasks/${id}/action/close`, { comment: 'Not needed' })],
  ])('nothing, where an item is %s before it is signed', async (_, change) => {
    const taskIds = tasks.splice(0, 2);
    const signature = await test.prepare(reviewId, decide(taskIds));
    await test.stepUp(signature.redirectUrl);
    await change(taskIds[1] ?? '');
    await expectChanged(signature, taskIds.slice(0, 1), await sign(signature));
  });
  const reassign = (id: string, newStepUserIds: string[]): Promise<Loose> =>
    test.admin('POST', `/api/v1/tasks/${id}/action/reassign`, { newStepUserIds, comment: 'Yours' });

  it('nothing of a delegate whose time is over, or of somebody who was disabled', async () => {
    const { server } = test;
    const taskIds = tasks.splice(0, 2);
    const delegate = await server.makePerson('stands-in@world.example');
    expect((await test.send('PUT', '/api/v1/my/delegation', { delegatedUserId: delegate.id })).status).toBe(200);
    test.idp.account = { sub: 'stands-in', email: delegate.email, email_verified: true };
    const browser = await browse(server, delegate);
    const asDelegate = (method: string, path: string, body?: unknown): Promise<Answer> =>
      requestWith(server, browser.header(server), method, path, body);
    const prepare = async (decisions: object[]): Promise<Loose> => {
      const { signature } = (await asDelegate('POST', `/api/v1/access_review/${reviewId}/submissions`, { decisions })).body;
      browser.cookies.delete(new URL(test.idp.issuer).origin);
      await browser.visit(signature.redirectUrl, /\/signatures\//);
      return signature;
    };
    const [ended, disabled] = [await prepare(decide(taskIds)), await prepare(decide(taskIds))];
    expect((await test.send('PUT', '/api/v1/my/delegation', {})).status).toBe(200);
    expect(await signIn(browser, ended)).toMatchObject({ status: 409, body: { message: expect.stringContaining('Nothing was decided') } });
    await test.send('PUT', '/api/v1/my/delegation', { delegatedUserId: delegate.id });
    await server.test.admin("UPDATE countersign.users SET status = 'DISABLED', updated_at = now() WHERE id = $1", [delegate.id]);
    expect((await signIn(browser, disabled)).status).toBe(401);
    expect(await Promise.all(taskIds.map(openTask))).toEqual([true, true]);
    await test.send('PUT', '/api/v1/my/delegation', {});
  });

  it('nothing of a review that was closed, and its step-up is good for nothing else', async () => {
    const own = await test.openSigned();
    const signature = await test.prepare(own.reviewId, decide(own.taskIds.slice(0, 1)));
    await test.stepUp(signature.redirectUrl);
    await test.admin('POST', `/api/v1/access_review/${own.reviewId}/action/close`, {});
    await test.world.until(own.reviewId, 'CLOSED');
    expect(await sign(signature)).toMatchObject({ status: 409, body: { message: expect.stringContaining('no longer be signed') } });
    const other = await begin();
    expect((await sign({ ...other, stepUpTransactionId: signature.stepUpTransactionId })).status).toBe(400);
    const anew = await test.send('POST', `/api/v1/signatures/${signature.id}/step-up`, {});
    expect([anew.status, anew.body.message]).toEqual([409, expect.stringContaining('no longer be signed')]);
  });
});

describe('approve-with-step-up', () => {
  const pathOf = (taskId: string): string => `/api/v1/tasks/${taskId}/action/approve-with-step-up`;
  const lastOf = async (taskId: string): Promise<string> =>
    (await test.send('POST', '/api/v1/search/step-up/transactions', { taskId })).body.list[0].id;

  it('through a credential is signed by the token of the provider, which the operation has room for alone', async () => {
    const { server, world } = test;
    const [taskId = ''] = tasks.splice(0, 1);
    const send = (body: object): Promise<Answer> => request(server, world.assignee, 'POST', pathOf(taskId), body);
    const { redirectUrl, taskView } = (await send({ comment: 'Needed.' })).body;
    expect(taskView.task.state).toBe('TASK_STATE_OPEN');
    await openBrowser(server).visit(redirectUrl);
    const stepUpTransactionId = await lastOf(taskId);
    expect((await test.send('POST', pathOf(taskId), { stepUpTransactionId })).body.message).toContain('through another credential');
    const signed = await send({ stepUpTransactionId });
    expect(signed).toMatchObject({ status: 200, body: { redirectUrl: '', taskView: { task: { state: 'TASK_STATE_CLOSED' } } } });
    const { list } = (await test.admin('GET', `/api/v1/access_review/${reviewId}/signatures?task_id=${taskId}`)) as Loose;
    expect(list).toMatchObject([{ state: 'SIGNATURE_STATE_SIGNED', issuerUrl: test.idp.issuer }]);
    expect((await send({ stepUpTransactionId })).status).toBe(409);
    // Elsewhere the key of the credential signs as well.
    const { signature } = (
      await request(server, world.assignee, 'POST', `/api/v1/access_review/${reviewId}/submissions`, {
        decisions: decide(tasks.splice(0, 1)),
      })
    ).body;
    await openBrowser(server).visit(signature.redirectUrl);
    const unsigned = { stepUpTransactionId: signature.stepUpTransactionId };
    expect((await request(server, world.assignee, 'POST', `/api/v1/signatures/${signature.id}/sign`, unsigned)).status).toBe(400);
  });

  it('decides what was proven, and nothing that the second request says otherwise', async () => {
    const [taskId = '', other = ''] = tasks.splice(0, 2);
    const { body } = await test.send('POST', pathOf(taskId), { comment: 'Needed.' });
    await test.stepUp(body.redirectUrl);
    const stepUpTransactionId = await lastOf(taskId);
    for (const [changed, field] of [
      [{ comment: 'Not that one.' }, 'comment'],
      [{ policyStepId: 'x' }, 'policyStepId'],
    ] as const) {
      const answer = await test.send('POST', pathOf(taskId), { stepUpTransactionId, ...changed });
      expect([answer.status, violatedFields(answer)]).toEqual([400, [field]]);
    }
    const elsewhere = await test.send('POST', pathOf(other), { stepUpTransactionId });
    expect([elsewhere.status, violatedFields(elsewhere)]).toEqual([400, ['stepUpTransactionId']]);
    const { policyStepId = '' } = body.taskView.task.policy.current ?? {};
    const signed = await test.send('POST', pathOf(taskId), { stepUpTransactionId, comment: 'Needed.', policyStepId });
    expect([signed.status, signed.body.taskView.task.state]).toEqual([200, 'TASK_STATE_CLOSED']);
  });
});
