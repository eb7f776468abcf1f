/**
 * 21 CFR Part 11, subparts B (signatures) and C, point by point as docs/compliance.md lists them: the part of the product, tried from outside. A test is
 * named by the point it holds.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkLog } from '../../src/foundation/log-proofs/index.ts';
import { nonceOf } from '../../src/foundation/signatures/step-up/index.ts';
import { type Loose, request } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { readPdf } from '../support/read-pdf.ts';
import { acr, browse, decide, meaning, type SigningTest, startSigning } from '../support/signing.ts';
import { requestWith } from '../support/sign-in.ts';

let test: SigningTest;
let reviewId: string;
let tasks: string[];
/** A signature that was given. */
let signed: Loose;

beforeAll(async () => {
  test = await startSigning();
  ({ reviewId, taskIds: tasks } = await test.openSigned());
  signed = await signAs(await begin(3));
});
beforeEach(() => {
  test.idp.account = { sub: 'p01', email: 'p01@world.example', email_verified: true };
  test.idp.acr = acr;
  test.idp.provenAt = undefined;
});
afterAll(() => test.stop());

const begin = (count = 1): Promise<Loose> => test.prepare(reviewId, decide(tasks.splice(0, count)));
const sign = ({ id, stepUpTransactionId }: Loose) => test.send('POST', `/api/v1/signatures/${id}/sign`, { stepUpTransactionId });
const stateOf = async ({ id }: Loose): Promise<string> => (await test.send('GET', `/api/v1/signatures/${id}`)).body.signature.state;

/** Goes to the provider and signs. */
async function signAs(signature: Loose): Promise<Loose> {
  await test.stepUp(signature.redirectUrl);
  const answer = await sign(signature);
  expect([answer.status, answer.body.message]).toEqual([200, undefined]);
  return answer.body.signature;
}

/** Sentences of a check of the log about signatures. */
const check = async (): Promise<string[]> =>
  (await checkLog(test.server.system(), { outside: [] })).sentences.filter((sentence) => sentence.includes(signed.id));

/** Changes a row of the signature behind the service's back, and undoes it once `look` has looked. */
async function changed(column: string, value: string, look: () => Promise<void>): Promise<void> {
  const { db, tenantId } = test.server.system();
  const { before } = await db.one<{ before: string }>(`SELECT ${column}::text AS before FROM signatures WHERE tenant_id = $1 AND id = $2`, [
    tenantId,
    signed.id,
  ]);
  const set = (text: string) =>
    db.run(`UPDATE signatures SET ${column} = $3 WHERE tenant_id = $1 AND id = $2`, [tenantId, signed.id, text]);
  await set(value);
  await look();
  await set(before);
}

/** Text of the review's report as a PDF file. */
async function printReport(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'part-11-'));
  try {
    const [file, env] = [join(folder, 'report.pdf'), environmentFor(test.server.url, test.server.admin.credential)];
    expect(await runInProcess(['review', 'report', reviewId, '--format', 'pdf', '--output', file], { env })).toMatchObject({ code: 0 });
    return readPdf(readFileSync(file)).flat().join('');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('11.50(a)(1): the signed record has the printed name of the signer', () => {
  expect(signed).toMatchObject({ state: 'SIGNATURE_STATE_SIGNED', printedName: 'Person 01' });
  expect(JSON.parse(signed.record).signer).toEqual({ id: test.world.assignee.id, person: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

it('11.50(a)(2): it has the date and time when it was signed, by a clock that is not ours', () => {
  expect(Math.abs(Date.parse(signed.signedAt) - Date.now())).toBeLessThan(300_000);
  expect(signed.timeStampServer).toBe(new URL(test.tsa.url).host);
});

it('11.50(a)(3): it has what the signature means', () => {
  expect([signed.meaning, JSON.parse(signed.record).meaning]).toEqual([meaning, meaning]);
});

it('11.50(b): name, time and meaning are kept as the record is, and stand in what people read', async () => {
  expect(await check()).toEqual([]);
  await changed('signed_at', '2020-01-01T00:00:00Z', async () => expect(await check()).not.toEqual([]));
  await changed('record', signed.record.replace(meaning, 'I was asked to press this.'), async () => expect(await check()).not.toEqual([]));
  expect(await check()).toEqual([]);
  const text = await printReport();
  for (const part of ['Person 01', meaning.slice(0, 20), signed.signedAt.slice(0, 10), signed.recordSha256.slice(0, 16)]) {
    expect(text).toContain(part);
  }
});

it('11.70: a signature beside another record holds neither for us nor for OpenSSL', async () => {
  const { db, tenantId } = test.server.system();
  const { stamp, token } = await db.one<{ stamp: Buffer; token: string }>(
    `SELECT s.time_stamp AS stamp, t.id_token AS token FROM signatures s JOIN step_up_transactions t ON t.id = s.transaction_id
      WHERE s.tenant_id = $1 AND s.id = $2`,
    [tenantId, signed.id],
  );
  const other = await begin();
  const claims: Loose = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(claims.nonce).toBe(nonceOf(signed.stepUpTransactionId, signed.recordSha256));
  expect(claims.nonce).not.toBe(nonceOf(signed.stepUpTransactionId, other.recordSha256));
  const folder = mkdtempSync(join(tmpdir(), 'part-11-'));
  const verify = (record: string): string => {
    writeFileSync(join(folder, 'record'), record);
    writeFileSync(join(folder, 'stamp'), stamp);
    try {
      const args = ['-verify', '-data', join(folder, 'record'), '-in', join(folder, 'stamp'), '-CAfile', test.tsa.rootFile];
      return execFileSync('openssl', ['ts', ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
    } catch {
      return 'refused';
    }
  };
  try {
    expect([verify(signed.record), verify(other.record)]).toEqual(['Verification: OK', 'refused']);
  } finally {
    rmSync(folder, { recursive: true });
  }
  await changed('submission_id', JSON.parse(other.record).submission, async () => expect(await check()).not.toEqual([]));
});

it('11.100(a), 11.300(a): an account of the provider signs for one person, and for no other, whatever address it says', async () => {
  const { server } = test;
  const browser = await browse(server, server.admin);
  const send = (method: string, path: string, body?: unknown) => requestWith(server, browser.header(server), method, path, body);
  test.idp.account = { sub: 'p01', email: server.admin.email, email_verified: true };
  const { redirectUrl } = (await send('POST', `/api/v1/step-up/providers/${test.providerId}/test`, {})).body;
  await browser.visit(redirectUrl, /\/settings\//);
  const { list } = (await send('POST', '/api/v1/search/step-up/transactions', { userId: server.admin.id })).body;
  expect(list[0]).toMatchObject({
    state: 'STEP_UP_TRANSACTION_STATE_ERROR',
    errorMessage: 'The provider says that you are somebody else.',
  });
  // And who has signed by one account signs by no other.
  test.idp.account = { sub: 'p02', email: 'p02@world.example', email_verified: true };
  const signature = await begin();
  await test.stepUp(signature.redirectUrl);
  expect([(await sign(signature)).status, await stateOf(signature)]).toEqual([400, 'SIGNATURE_STATE_PREPARED']);
});

it('11.200(a)(1)(i): the first signing of a session is a full sign-in at the provider, of the strength that is asked for', async () => {
  const signature = await begin();
  const asked = new URL(signature.redirectUrl).searchParams;
  expect([asked.get('prompt'), asked.get('max_age'), asked.get('acr_values')]).toEqual(['login', '0', acr]);
  test.idp.acr = 'urn:example:password';
  await test.stepUp(signature.redirectUrl);
  expect([(await sign(signature)).status, await stateOf(signature)]).toEqual([400, 'SIGNATURE_STATE_PREPARED']);
});

it('11.200(a)(1)(ii): so is every other one: what proved who somebody is counts once', async () => {
  const [one, other] = [await begin(), await begin()];
  await signAs(one);
  expect((await sign({ ...other, stepUpTransactionId: one.stepUpTransactionId })).status).toBe(400);
  test.idp.provenAt = Math.floor(Date.now() / 1000) - 600;
  await test.stepUp(other.redirectUrl);
  expect([(await sign(other)).status, await stateOf(other)]).toEqual([400, 'SIGNATURE_STATE_PREPARED']);
});

it('11.200(a)(2): nobody signs for its owner, and nothing that somebody else issued does', async () => {
  const { server, world } = test;
  const signature = await begin();
  await test.stepUp(signature.redirectUrl);
  const { id, stepUpTransactionId } = signature;
  for (const person of [server.admin, world.owner, await server.issueClient(world.assignee.id)]) {
    expect((await request(server, person, 'POST', `/api/v1/signatures/${id}/sign`, { stepUpTransactionId })).status).toBe(403);
  }
  expect(await stateOf(signature)).toBe('SIGNATURE_STATE_PREPARED');
});

it('11.200(a)(3): whoever can write to the database proves for nobody who they are without the provider', async () => {
  const { db, tenantId } = test.server.system();
  const signature = await begin();
  // A step-up that was never made, said to be verified with what an earlier one of the same person brought.
  await db.run(
    `UPDATE step_up_transactions t SET state = 'VERIFIED', id_token = f.id_token, claims = f.claims, provider = f.provider
      FROM step_up_transactions f WHERE t.tenant_id = $1 AND t.id = $2 AND f.tenant_id = $1 AND f.id = $3`,
    [tenantId, signature.stepUpTransactionId, signed.stepUpTransactionId],
  );
  const answer = await sign(signature);
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('not what the provider said')]);
  expect(await stateOf(signature)).toBe('SIGNATURE_STATE_PREPARED');
});

it('11.300(b): a session in which somebody signs ends by itself, and so does what was begun in it', async () => {
  const { db, tenantId } = test.server.system();
  const signature = await begin();
  await test.stepUp(signature.redirectUrl);
  await db.run('UPDATE step_up_transactions SET expires_at = now() WHERE tenant_id = $1 AND id = $2', [
    tenantId,
    signature.stepUpTransactionId,
  ]);
  expect([(await sign(signature)).status, await stateOf(signature)]).toEqual([400, 'SIGNATURE_STATE_PREPARED']);
});

it('11.300(d): an attempt to sign as somebody else is recorded when it is made, for whoever watches the log', async () => {
  const signature = await begin();
  test.idp.account = { sub: 'p02', email: 'p02@world.example', email_verified: true };
  await test.stepUp(signature.redirectUrl);
  const { list } = await test.admin('POST', '/api/v1/systemlog/events', { pageSize: 100, sortDirection: 'SORT_DIRECTION_DESC' });
  const said = list.find((event: Loose) => JSON.stringify(event).includes(signature.stepUpTransactionId));
  expect(JSON.stringify(said)).toContain('step_up.failed');
  expect(JSON.stringify(said)).toContain('somebody else');
});

it('11.300(e): an administrator tries the provider out, and when that was is shown', async () => {
  const browser = await browse(test.server, test.server.admin);
  test.idp.account = { sub: 'admin', email: test.server.admin.email, email_verified: true };
  const path = `/api/v1/step-up/providers/${test.providerId}`;
  const begun = await requestWith(test.server, browser.header(test.server), 'POST', `${path}/test`, {});
  await browser.visit(begun.body.redirectUrl, /\/settings\//);
  const { stepUpProvider } = await test.admin('GET', path);
  expect(Date.parse(stepUpProvider.lastTestedAt)).toBeGreaterThan(Date.parse(signed.signedAt));
});

// The last: it signs the assignee out.
it('11.300(c): what is lost is taken away at once: the sessions of a person end, and nothing is signed in them', async () => {
  const { server, world } = test;
  const browser = await browse(server, world.assignee);
  const send = (method: string, path: string, body?: unknown) => requestWith(server, browser.header(server), method, path, body);
  const decisions = decide(tasks.splice(0, 1));
  const { signature } = (await send('POST', `/api/v1/access_review/${reviewId}/submissions`, { decisions })).body;
  await browser.visit(signature.redirectUrl, /\/signatures\//);
  await test.admin('POST', `/api/v1/users/${world.assignee.id}/sessions/action/end_all`, {});
  const { id, stepUpTransactionId } = signature;
  expect((await send('POST', `/api/v1/signatures/${id}/sign`, { stepUpTransactionId })).status).toBe(401);
  expect((await request(server, server.admin, 'GET', `/api/v1/signatures/${id}`)).body.signature.state).toBe('SIGNATURE_STATE_PREPARED');
});
