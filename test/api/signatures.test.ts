/** Signing decisions: the whole way to a real provider and back, a real time stamp, and everything that stops it. */
import { createHash, createPrivateKey, sign as makeSignature } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkLog } from '../../src/foundation/log-proofs/index.ts';
import { type Loose, request, violatedFields } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { openBrowser } from '../support/identity-provider.ts';
import { acr, browse, decide, meaning, type SigningTest, startSigning } from '../support/signing.ts';

import { requestWith } from '../support/sign-in.ts';
import { until } from '../support/until.ts';

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
  test.idp.provenAt = undefined;
});
afterAll(() => test.stop());

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const sign = (id: string, stepUpTransactionId: string) => test.send('POST', `/api/v1/signatures/${id}/sign`, { stepUpTransactionId });
const submissionsOf = async (): Promise<number> =>
  (await test.admin('GET', `/api/v1/access_review/${reviewId}/submissions?page_size=100`)).list.length;

describe('signing', () => {
  it('decides once the signer proved who they are and the record was stamped', async () => {
    const taskIds = tasks.splice(0, 3);
    const signature = await test.prepare(reviewId, decide(taskIds));
    expect(signature).toMatchObject({
      state: 'SIGNATURE_STATE_PREPARED',
      meaning,
      printedName: 'Person 01',
      certified: '2',
      denied: '1',
      recordSha256: sha256(signature.record),
      redirectUrl: expect.stringContaining(test.idp.issuer),
    });
    const record: Loose = JSON.parse(signature.record);
    expect(record).toMatchObject({
      type: 'countersign.submission',
      meaning,
      v: 1,
      review: { id: reviewId },
      signer: { id: test.world.assignee.id },
    });
    expect(record.decisions.map(({ item }: Loose) => item)).toEqual(taskIds);
    expect(signature.record).not.toContain('Left the team');
    expect(await submissionsOf()).toBe(0);

    const at = await test.stepUp(signature.redirectUrl);
    expect(`${at.pathname}${at.search}`).toBe(`/signatures/${signature.id}?transaction=${signature.stepUpTransactionId}`);
    const { body: shown } = await test.send('GET', `/api/v1/step-up/transactions/${signature.stepUpTransactionId}`);
    expect(shown.transaction).toMatchObject({
      state: 'STEP_UP_TRANSACTION_STATE_VERIFIED',
      errorMessage: '',
      signatureId: signature.id,
      claims: { acr },
    });

    const signed = await sign(signature.id, signature.stepUpTransactionId);
    expect(signed.body).toMatchObject({
      signature: { state: 'SIGNATURE_STATE_SIGNED', printedName: 'Person 01', issuerUrl: test.idp.issuer, signedAt: expect.any(String) },
      submission: { id: record.submission, submitted: '3', certified: '2', denied: '1', refused: '0' },
    });
    const task = await test.send('GET', `/api/v1/tasks/${taskIds[1]}`);
    expect(task.body.taskView.task.state).toBe('TASK_STATE_CLOSED');
    expect((await sign(signature.id, signature.stepUpTransactionId)).status).toBe(409);
  });
});

describe('whoever signs', () => {
  const begin = async (count = 1): Promise<Loose> => test.prepare(reviewId, decide(tasks.splice(0, count)));
  /** Goes to the provider and says what came of it, and that nothing can be signed by it. */
  const fail = async (signature: Loose, redirectUrl: string = signature.redirectUrl): Promise<string> => {
    await test.stepUp(redirectUrl);
    const { body } = await test.send('GET', `/api/v1/step-up/transactions/${signature.stepUpTransactionId}`);
    expect(body.transaction.state).toBe('STEP_UP_TRANSACTION_STATE_ERROR');
    const before = await submissionsOf();
    expect((await sign(signature.id, signature.stepUpTransactionId)).status).toBe(400);
    expect(await submissionsOf()).toBe(before);
    return body.transaction.errorMessage;
  };

  it('proves it in the way that is asked for', async () => {
    test.idp.acr = 'urn:example:password';
    expect(await fail(await begin())).toContain('in the way that is asked for');
  });
  it('is themselves', async () => {
    test.idp.account = { sub: 'p02', email: 'p02@world.example', email_verified: true };
    expect(await fail(await begin())).toBe('The provider says that you are somebody else.');
  });
  it('has an address that the provider verified, if they are not known there yet', async () => {
    test.idp.account = { sub: 'new', email: 'p01@world.example', email_verified: false };
    expect(await fail(await begin())).toBe('The provider has not verified your mail address.');
  });
  it('does not refuse', async () => {
    test.idp.account = undefined;
    expect(await fail(await begin())).toBe('You did not prove who you are.');
  });
  it('signs this record and no other', async () => {
    const signature = await begin();
    const url = new URL(signature.redirectUrl);
    url.searchParams.set('nonce', 'other');
    expect(await fail(signature, url.href)).toContain('does not count');
  });
  it('comes back once, in the browser in which they are signed in', async () => {
    const signature = await begin();
    const stranger = await browse(test.server, test.world.basic);
    const visited = await stranger.visit(signature.redirectUrl, /\/signatures\//);
    const { body } = await test.send('GET', `/api/v1/step-up/transactions/${signature.stepUpTransactionId}`);
    expect(body.transaction.errorMessage).toContain('another browser');
    const again = visited.find((url) => url.includes('/auth/step-up/callback')) ?? '';
    expect((await test.browser.visit(again, /sign-in/)).at(-1)).toContain('/sign-in?error=state');
  });
  it('has proven it for this signature, and not before', async () => {
    const [one, other] = [await begin(), await begin()];
    await test.stepUp(one.redirectUrl);
    expect((await sign(other.id, one.stepUpTransactionId)).status).toBe(400);
    expect((await sign(other.id, other.stepUpTransactionId)).body.message).toContain('have not come back');
    expect((await sign(other.id, '')).status).toBe(400);
    // Another step-up for the same record, since the first was left.
    const anew = await test.send('POST', `/api/v1/signatures/${other.id}/step-up`, {});
    await test.stepUp(anew.body.signature.redirectUrl);
    expect((await sign(other.id, anew.body.signature.stepUpTransactionId)).status).toBe(200);
  });
  it('has 15 minutes', async () => {
    const signature = await begin();
    await test.stepUp(signature.redirectUrl);
    const { db, tenantId } = test.server.system();
    await db.run('UPDATE step_up_transactions SET expires_at = now() WHERE tenant_id = $1 AND id = $2', [
      tenantId,
      signature.stepUpTransactionId,
    ]);
    expect((await sign(signature.id, signature.stepUpTransactionId)).body.message).toContain('older than 15 minutes');
  });
  it('acts themselves, and not through what somebody else issued', async () => {
    const { server, world } = test;
    const issued = await server.issueClient(world.assignee.id);
    const { db, tenantId } = server.system();
    await db.run("UPDATE tenants SET issued_answers = 'ALWAYS' WHERE tenant_id = $1", [tenantId]);
    const answer = await request(server, issued, 'POST', `/api/v1/access_review/${reviewId}/submissions`, {
      decisions: decide(tasks.slice(0, 1)),
    });
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('nobody signs through what somebody else issued')]);
  });
  it('with a credential of their own adds its signature', async () => {
    const { server, world } = test;
    const send = (method: string, path: string, body?: unknown) => request(server, world.assignee, method, path, body);
    const decisions = decide(tasks.splice(0, 1));
    const { signature } = (await send('POST', `/api/v1/access_review/${reviewId}/submissions`, { decisions })).body;
    const visited = await openBrowser(server).visit(signature.redirectUrl);
    expect(visited.at(-1)).toContain('/auth/step-up/callback');
    const path = `/api/v1/signatures/${signature.id}/sign`;
    const { stepUpTransactionId } = signature;
    expect((await send('POST', path, { stepUpTransactionId })).status).toBe(400);
    const jwk = JSON.parse(Buffer.from(world.assignee.credential.clientSecret.split(':').at(-1) ?? '', 'base64url').toString());
    const by = (text: string) =>
      makeSignature(null, Buffer.from(text), createPrivateKey({ key: jwk, format: 'jwk' })).toString('base64url');
    expect((await send('POST', path, { stepUpTransactionId, credentialSignature: by('other') })).status).toBe(400);
    expect((await send('POST', path, { stepUpTransactionId, credentialSignature: by(signature.record) })).status).toBe(200);
  });
});

describe('a signature', () => {
  it('is for the signer; owners and readers see it, others do not', async () => {
    const { server, world } = test;
    const signature = await test.prepare(reviewId, decide(tasks.splice(0, 1)));
    const path = `/api/v1/signatures/${signature.id}`;
    const other = await server.makeTenant('signatures.example');
    const asked = await Promise.all(
      [server.admin, world.owner, world.reader, world.basic].map(async (person) => [
        (await request(server, person, 'GET', path)).status,
        (await request(server, person, 'POST', `${path}/sign`, {})).status,
      ]),
    );
    expect(asked).toEqual([
      [200, 403],
      [200, 403],
      [200, 403],
      [404, 404],
    ]);
    expect((await request(other, other.admin, 'GET', path)).status).toBe(404);
    expect((await request(other, other.admin, 'GET', `/api/v1/step-up/transactions/${signature.stepUpTransactionId}`)).status).toBe(404);
    const list = await request(server, world.owner, 'GET', `/api/v1/access_review/${reviewId}/signatures?page_size=100`);
    expect(list.body.list.map(({ id }: Loose) => id)).toContain(signature.id);
  });

  it('is not given once a task has changed: nothing is decided', async () => {
    const taskIds = tasks.splice(0, 2);
    const signature = await test.prepare(reviewId, decide(taskIds));
    await test.stepUp(signature.redirectUrl);
    await test.admin('POST', `/api/v1/tasks/${taskIds[1]}/action/restart`, { comment: 'Look again' });
    const answer = await sign(signature.id, signature.stepUpTransactionId);
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('Nothing was decided')]);
    const { body } = await test.send('GET', `/api/v1/signatures/${signature.id}`);
    expect(body.signature).toMatchObject({ state: 'SIGNATURE_STATE_ENDED', endedBy: 'CHANGED' });
    const task = await test.send('GET', `/api/v1/tasks/${taskIds[0]}`);
    expect(task.body.taskView.task.state).toBe('TASK_STATE_OPEN');
  });

  it('is the only way to decide there', async () => {
    const [taskId] = tasks;
    for (const action of ['approve', 'deny']) {
      const answer = await test.send('POST', `/api/v1/tasks/${taskId}/action/${action}`, { comment: 'no' });
      expect([action, answer.status, answer.body.message]).toEqual([action, 400, expect.stringContaining('asks for signatures')]);
    }
  });

  it('of one task is given by approve-with-step-up', async () => {
    const [taskId = ''] = tasks.splice(0, 1);
    const path = `/api/v1/tasks/${taskId}/action/approve-with-step-up`;
    const { body } = await test.send('POST', path, { comment: 'fine' });
    const at = await test.stepUp(body.redirectUrl);
    const stepUpTransactionId = at.searchParams.get('transaction');
    const found = await test.send('POST', '/api/v1/search/step-up/transactions', { taskId });
    expect(found.body.list).toMatchObject([{ id: stepUpTransactionId, approveTask: { taskId } }]);
    const signed = await test.send('POST', path, { stepUpTransactionId });
    expect([signed.status, signed.body.taskView.task.state]).toEqual([200, 'TASK_STATE_CLOSED']);
    expect(JSON.stringify(signed.body.taskView.task.policy)).toContain(`"stepUpTransactionId":"${stepUpTransactionId}"`);
  });

  it('is prepared once for a key, and its submission is answered again once it is signed', async () => {
    const path = `/api/v1/access_review/${reviewId}/submissions`;
    const body = { decisions: decide(tasks.splice(0, 1)), idempotencyKey: 'one' };
    const [first, again] = [await test.send('POST', path, body), await test.send('POST', path, body)];
    expect(again.body.signature.id).toBe(first.body.signature.id);
    expect((await test.send('POST', path, { ...body, decisions: decide(tasks.slice(0, 1)) })).status).toBe(409);
    await test.stepUp(again.body.signature.redirectUrl);
    const signed = await sign(again.body.signature.id, again.body.signature.stepUpTransactionId);
    expect((await test.send('POST', path, body)).body.submission).toEqual(signed.body.submission);
  });

  it('needs neither provider nor server where the review names none', async () => {
    const plain = await test.openSigned({ stepUpProviderId: '', tspUrl: '' });
    const signature = await test.prepare(plain.reviewId, decide(plain.taskIds.slice(0, 1)));
    expect(signature.redirectUrl ?? '').toBe('');
    const { body } = await sign(signature.id, '');
    expect(body.signature).toMatchObject({ state: 'SIGNATURE_STATE_SIGNED', timeStampServer: '', issuerUrl: '' });
  });
});

describe('an acknowledgement', () => {
  it('counts once it is signed, and is signed anew after another decision', async () => {
    const { reviewId: id, taskIds } = await test.openSigned();
    const at = `/api/v1/access_review/${id}`;
    const decideOne = async (taskId = ''): Promise<void> => {
      test.idp.account = { sub: 'p01', email: 'p01@world.example', email_verified: true };
      const signature = await test.prepare(id, decide([taskId]));
      await test.stepUp(signature.redirectUrl);
      expect((await sign(signature.id, signature.stepUpTransactionId)).status).toBe(200);
    };
    await decideOne(taskIds[0]);
    await test.admin('PUT', `${at}/acknowledgement`, { required: true, userIds: [test.world.basic.id] });
    const chief = await browse(test.server, test.world.basic);
    const send = (method: string, path: string, body?: object) => requestWith(test.server, chief.header(test.server), method, path, body);
    const account = test.world.basic;
    test.idp.account = { sub: 'chief', email: account.email, email_verified: true };
    const prepare = async (): Promise<Loose> => (await send('POST', `${at}/action/acknowledge`, { comment: 'Looks right.' })).body;
    /** Comes back from the provider, and signs. */
    const give = async ({ id: signatureId, redirectUrl, stepUpTransactionId }: Loose) => {
      chief.cookies.delete(new URL(test.idp.issuer).origin);
      await chief.visit(redirectUrl, /\/signatures\//);
      return send('POST', `/api/v1/signatures/${signatureId}/sign`, { stepUpTransactionId });
    };
    const { acknowledgement, signature } = await prepare();
    expect(acknowledgement).toMatchObject({ valid: false, acknowledgedById: '', signatureId: '' });
    expect(signature).toMatchObject({ kind: 'SIGNATURE_KIND_ACKNOWLEDGEMENT', state: 'SIGNATURE_STATE_PREPARED', denied: '1', meaning });
    const record: Loose = JSON.parse(signature.record);
    expect(record).toMatchObject({
      type: 'countersign.acknowledgement',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      counts: { revoked: 1 },
    });
    expect(signature.record).not.toContain('Looks right');
    expect(await request(test.server, test.server.admin, 'POST', `${at}/action/close`, {})).toMatchObject({
      ...{ status: 400, body: { message: expect.stringContaining('nobody did') } },
    });
    // A decision in between: what was prepared cannot be given any more.
    await decideOne(taskIds[1]);
    test.idp.account = { sub: 'chief', email: account.email, email_verified: true };
    expect((await give(signature)).status).toBe(409);
    expect((await send('GET', `/api/v1/signatures/${signature.id}`)).body.signature.endedBy).toBe('CHANGED');

    const left = await prepare();
    const anew = await prepare();
    expect((await send('GET', `/api/v1/signatures/${left.signature.id}`)).body.signature.endedBy).toBe('REPLACED');
    expect(await give(anew.signature)).toMatchObject({
      status: 200,
      body: { signature: { state: 'SIGNATURE_STATE_SIGNED', timeStampServer: expect.any(String) }, results: [] },
    });
    expect((await send('GET', `${at}/acknowledgement`)).body.acknowledgement).toMatchObject({
      ...{ valid: true, acknowledgedById: account.id, comment: 'Looks right.', signatureId: anew.signature.id },
      digest: JSON.parse(anew.signature.record).digest,
    });
    expect((await send('POST', `${at}/action/acknowledge`, {})).body).toMatchObject({ acknowledgement: { valid: true } });
    await test.admin('POST', `${at}/action/close`, {});
    await test.world.until(id, 'CLOSED');
    const { sentences } = await checkLog(test.server.system(), { outside: [] });
    expect(sentences.filter((sentence) => sentence.includes(anew.signature.id))).toEqual([]);
  });
});

describe('a time stamp server', () => {
  it.each([
    ['/other-nonce', 'another nonce', 'signature.timestamp_refused'],
    ['/broken', 'answered with status 500', 'signature.timestamp_unavailable'],
  ])('that answers as %s does stops the signature, and nothing is lost', async (path, words, kind) => {
    const taskIds = tasks.splice(0, 1);
    const signature = await test.prepare(reviewId, decide(taskIds));
    await test.stepUp(signature.redirectUrl);
    const { db, tenantId } = test.server.system();
    const ask = (url: string) =>
      db.run('UPDATE signatures SET tsp_url = $3 WHERE tenant_id = $1 AND id = $2', [tenantId, signature.id, url]);
    await ask(`${test.tsa.url}${path}`);
    const refused = await sign(signature.id, signature.stepUpTransactionId);
    expect(refused.status).toBe(503);
    expect(refused.body.message).toContain(words);
    expect(refused.body.message).toMatch(/Nothing was submitted; your decisions are kept until \d{4}-\d\d-\d\d\.$/);
    const told = await db.rows('SELECT e.data FROM events e WHERE e.tenant_id = $1 AND e.kind = $2', [tenantId, kind]);
    expect(told).toMatchObject([{ data: { reason: expect.stringContaining(words) } }]);
    // The step-up stays good.
    await ask(`${test.tsa.url}/stamp`);
    expect((await sign(signature.id, signature.stepUpTransactionId)).status).toBe(200);
  });
});

describe('what was signed', () => {
  it('holds against the log, and what was changed since is named', async () => {
    const { db, tenantId } = test.server.system();
    const own = await db.rows<{ id: string }>('SELECT t.id FROM tasks t WHERE t.tenant_id = $1 AND t.review_id = $2', [tenantId, reviewId]);
    // The samples of the world wrote some rows without events.
    const check = async (): Promise<string[]> =>
      (await checkLog(test.server.system(), { outside: [] })).sentences.filter(
        (sentence) => sentence.startsWith('signatures') || own.some((task) => sentence.includes(task.id)),
      );
    expect(await check()).toEqual([]);
    const [{ id = '' } = {}] = await db.rows<{ id: string }>(
      `UPDATE signatures SET time_stamp = time_stamp || '\\x00' WHERE tenant_id = $1 AND state = 'SIGNED' AND id =
        (SELECT min(id) FROM signatures WHERE tenant_id = $1 AND state = 'SIGNED') RETURNING id`,
      [tenantId],
    );
    expect((await check()).join('\n')).toContain(`signatures ${id}`);
  });

  it('waits no longer once the review is closed, and counts as undecided', async () => {
    const signature = await test.prepare(reviewId, decide(tasks.splice(0, 1)));
    await test.stepUp(signature.redirectUrl);
    await test.admin('POST', `/api/v1/access_review/${reviewId}/action/close`, {});
    const review = await test.world.until(reviewId, 'CLOSED');
    expect(JSON.stringify(review)).toContain('Waited unsigned');
    const { body } = await test.send('GET', `/api/v1/signatures/${signature.id}`);
    expect(body.signature).toMatchObject({ state: 'SIGNATURE_STATE_ENDED', endedBy: 'CLOSED' });
    expect((await sign(signature.id, signature.stepUpTransactionId)).status).toBe(409);
  });
});

describe('the command line', () => {
  it('submits, waits for the browser, and signs with the key of the credential', async () => {
    const { server, world } = test;
    const own = await test.openSigned();
    const [taskId] = own.taskIds;
    const env = environmentFor(server.url, world.assignee.credential);
    const run = (...args: string[]) => runInProcess(['task', ...args], { env });

    expect(await run('stage', taskId ?? '', '--decision', 'approve')).toMatchObject({ code: 0 });
    const submitting = run('submit', own.reviewId);
    const list = async () => (await test.admin('GET', `/api/v1/access_review/${own.reviewId}/signatures`)).list;
    const signature = await until(async () => {
      const [found] = await list();
      return (found?.stepUpTransactionId ?? '') === '' ? Promise.reject(new Error('nothing has begun')) : found;
    });
    // The address is shown to the signer alone; another step-up stands in for it here, which is signed by below.
    const { body } = await request(server, world.assignee, 'POST', `/api/v1/signatures/${signature.id}/step-up`, {});
    await openBrowser(server).visit(body.signature.redirectUrl);
    const { db, tenantId } = server.system();
    await db.run("UPDATE step_up_transactions SET state = 'ERROR', error_message = 'Left.' WHERE tenant_id = $1 AND id = $2", [
      tenantId,
      signature.stepUpTransactionId,
    ]);
    const left = await submitting;
    expect(left).toMatchObject({ code: 1, stderr: expect.stringContaining('"I have reviewed this access') });
    expect(left.stderr).toContain(`not signed: Left. countersign task sign ${signature.id} tries again`);

    // By the step-up that was begun last, and is good still.
    expect(await run('sign', signature.id)).toMatchObject({ code: 0, stdout: 'submitted 1: 1 approved, 0 denied, 0 refused\n' });
    expect((await list())[0]).toMatchObject({ state: 'SIGNATURE_STATE_SIGNED', certified: '1' });
    await test.admin('POST', `/api/v1/access_review/${own.reviewId}/action/close`, {});
    await test.world.until(own.reviewId, 'CLOSED');
  });
});

describe('a step-up provider', () => {
  it('is tested by whoever administers it', async () => {
    const admins = await browse(test.server, test.server.admin);
    test.idp.account = { sub: 'admin', email: test.server.admin.email, email_verified: true };
    const { redirectUrl } = await test.admin('POST', `/api/v1/step-up/providers/${test.providerId}/test`, {});
    await admins.visit(redirectUrl);
    const { stepUpProvider } = await test.admin('GET', `/api/v1/step-up/providers/${test.providerId}`);
    expect(stepUpProvider.lastTestedAt).toEqual(expect.any(String));
    expect(JSON.stringify(stepUpProvider)).not.toContain(test.idp.clientSecret);
  });

  it('keeps its secret for its own issuer and client alone, and stays while a review asks for it', async () => {
    const { reviewId: open } = await test.openSigned();
    const path = `/api/v1/step-up/providers/${test.providerId}`;
    expect((await request(test.server, test.server.admin, 'DELETE', path, {})).status).toBe(409);
    await test.admin('POST', path, { stepUpProvider: { clientId: 'another' }, updateMask: 'clientId' });
    const { db, tenantId } = test.server.system();
    const { client_secret: secret } = await db.one<{ client_secret: string }>(
      'SELECT client_secret FROM step_up_providers WHERE tenant_id = $1 AND id = $2',
      [tenantId, test.providerId],
    );
    expect(secret).toBe('');
    await test.admin('POST', `/api/v1/access_review/${open}/action/close`, {});
    await test.world.until(open, 'CLOSED');
    expect((await request(test.server, test.server.admin, 'DELETE', path, {})).status).toBe(200);
  });

  it.each([
    [{ issuerUrl: 'http://idp.example' }, 'issuerUrl'],
    [{ clientId: '' }, 'clientId'],
    [{ displayName: ' ' }, 'displayName'],
    [{ oauth2: undefined }, 'oauth2'],
    [{ oauth2: { acrValues: ['a b'] } }, 'oauth2.acrValues'],
    [{ oauth2: undefined, microsoft: { validationMode: 'MICROSOFT_VALIDATION_MODE_ACRS' } }, 'microsoft.conditionalAccessIds'],
  ])('is refused with %j', async (wrong, field) => {
    const fields = { displayName: 'One', clientId: 'one', issuerUrl: 'https://idp.example', oauth2: {}, ...wrong };
    const answer = await request(test.server, test.server.admin, 'POST', '/api/v1/step-up/providers', fields);
    expect([answer.status, violatedFields(answer)]).toEqual([400, [field]]);
  });
});
