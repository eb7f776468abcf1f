/** Time stamp servers that are down, slow or lying: what the signer reads, and that nothing is lost and nothing counts that is not stamped. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import { decide, type SigningTest, startSigning } from '../support/signing.ts';

const policy = '1.3.6.1.4.1.99999.1.1';
let test: SigningTest;
let host: string;
let reviewId: string;
let taskIds: string[];

beforeAll(async () => {
  test = await startSigning({ timeStampPolicies: [policy] });
  host = new URL(test.tsa.url).host;
  ({ reviewId, taskIds } = await test.openSigned());
});
afterAll(() => test.stop());

const sign = ({ id, stepUpTransactionId }: Loose): Promise<Answer> =>
  test.send('POST', `/api/v1/signatures/${id}/sign`, { stepUpTransactionId });
/** Lets a signature that waits ask another server. */
async function askAt(signature: Loose, url: string): Promise<void> {
  const { db, tenantId } = test.server.system();
  await db.run('UPDATE signatures SET tsp_url = $3 WHERE tenant_id = $1 AND id = $2', [tenantId, signature.id, url]);
}
const eventsOf = (signature: Loose) => {
  const { db, tenantId } = test.server.system();
  return db.rows<{ kind: string; data: Loose }>(
    "SELECT e.kind, e.data FROM events e WHERE e.tenant_id = $1 AND e.target_id = $2 AND e.kind LIKE 'signature.timestamp%' ORDER BY e.seq",
    [tenantId, signature.id],
  );
};

const sentence = {
  unavailable: (words: string) => `The time stamp server HOST ${words}`,
  refused: (words: string) => `The time stamp of HOST was refused. ${words}`,
};
const notAlone = (name: string) => `The certificate of Server that is ${name}`;
/** What the signer reads at each path, before what is kept until when. */
const unavailable: readonly (readonly [path: string, words: string])[] = [
  ['/away', 'cannot be used: the answer is a redirect, which is not followed.'],
  ['/inside', 'cannot be used: the answer is a redirect, which is not followed.'],
  ['/round', 'cannot be used: the answer is a redirect, which is not followed.'],
  ['/broken', 'answered with status 500.'],
  ['/page', 'answered with something else than a time stamp.'],
  ['/endless', 'cannot be used: the answer has more than 65536 bytes.'],
  ['/chunked', 'cannot be used: the answer has more than 65536 bytes.'],
  ['/half', 'could not be reached (ECONNRESET).'],
  ['/hangs-up', 'could not be reached (ECONNRESET).'],
];
const refused: readonly (readonly [path: string, words: string | RegExp])[] = [
  ['/text', 'The reply is not exactly one DER object.'],
  ['/trailing', 'The reply is not exactly one DER object.'],
  ['/other-nonce', 'The time stamp has another nonce than the request.'],
  ['/other-data', 'The time stamp is for other data.'],
  ['/another-record', 'The time stamp is for other data.'],
  ['/without-certificate', "The signer's certificate is not in the token."],
  ['/policy', `The time stamp was made under policy 1.3.6.1.4.1.99999.1.2, which is not among those listed.`],
  ['/expired', /^The certificate of Server that is expired, or one above it, was not valid at \S+Z\.$/],
  ['/early', /^The certificate of Server that is early, or one above it, was not valid at \S+Z\.$/],
  ['/no-purpose', `${notAlone('no-purpose')} does not have one extended key usage.`],
  ['/two-purposes', `${notAlone('two-purposes')} is not for time stamps alone.`],
  ['/not-critical', 'The extended key usage of Server that is not-critical is not critical.'],
  ['/weak', 'The key of Server that is weak has 1024 bits; RSA needs 2048.'],
  ['/strange', `${notAlone('strange')} does not lead to a configured root.`],
  ['/gap', `${notAlone('below')} does not lead to a configured root.`],
  ['/sha1', 'The token is signed with digest 1.3.14.3.2.26; SHA-256, SHA-384 and SHA-512 are accepted.'],
  ['/day-ahead', /^The time stamp says \S+Z, more than 300 s from when it was asked for\.$/],
  // Its certificate is of today.
  ['/day-behind', /^The certificate of Server of tests, or one above it, was not valid at \S+Z\.$/],
  ['/301-ahead', /^The time stamp says \S+Z, more than 300 s from when it was asked for\.$/],
  ['/refuses', `The server did not grant it (status 2: policy   b not /b   known ${'x'.repeat(174)}).`],
  ['/without-clock', 'The server did not grant it (status 2: its clock is not available).'],
  ['/waits', 'The server did not grant it (status 3).'],
  ['/revoked', 'The server did not grant it (status 5).'],
];

describe('a time stamp server', () => {
  let signature: Loose;
  beforeAll(async () => {
    signature = await test.prepare(reviewId, decide(taskIds.splice(0, 3)));
    await test.stepUp(signature.redirectUrl);
  });
  /** Signs in vain; says why, without what is the same each time. */
  async function fail(url: string, kind: string): Promise<string> {
    await askAt(signature, url);
    const { status, body } = await sign(signature);
    const kept = ` Nothing was submitted; your decisions are kept until ${String(signature.expiresAt).slice(0, 10)}.`;
    expect([status, body.message]).toEqual([503, expect.stringContaining(kept)]);
    const reason = body.message.slice(0, -kept.length);
    const told = (await eventsOf(signature)).at(-1);
    expect(told).toMatchObject({ kind, data: { reviewId, reason, server: new URL(url).host } });
    expect(typeof told?.data.reply).toBe(kind === 'signature.timestamp_refused' ? 'string' : 'undefined');
    const { body: now } = await test.send('GET', `/api/v1/signatures/${signature.id}`);
    expect(now.signature).toMatchObject({ state: 'SIGNATURE_STATE_PREPARED', timeStampServer: '' });
    expect(now.signature.signedAt ?? '').toBe('');
    return reason.replaceAll(host, 'HOST');
  }

  it.each(unavailable)('that answers as %s does is said to be unusable', async (path, words) => {
    expect(await fail(`${test.tsa.url}${path}`, 'signature.timestamp_unavailable')).toBe(sentence.unavailable(words));
  });
  it('where nothing listens cannot be reached', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    expect(await fail(url, 'signature.timestamp_unavailable')).toBe(
      `The time stamp server ${new URL(url).host} could not be reached (ECONNREFUSED).`,
    );
  });
  it.each([
    ['http://169.254.169.254/', '169.254.169.254 is not an address on the internet; --allow-outbound can name it'],
    ['http://[::ffff:a9fe:a9fe]/', '::ffff:a9fe:a9fe is not an address on the internet; --allow-outbound can name it'],
    ['http://tsa.example:318/', 'tsa.example:318 is not https at port 443 or http at port 80; --allow-outbound can name it'],
    ['https://me:secret@tsa.example/', 'only http and https without a user may be asked'],
  ])('at %s is not asked', async (url, words) => {
    expect(await fail(url, 'signature.timestamp_unavailable')).toBe(
      `The time stamp server ${new URL(url).host} may not be asked: ${words}.`,
    );
  });
  it.each(refused)('that answers as %s does is told which rule it broke, and its answer is kept', async (path, words) => {
    const reason = await fail(`${test.tsa.url}${path}`, 'signature.timestamp_refused');
    const before = sentence.refused('');
    expect(reason.slice(0, before.length)).toBe(before);
    expect(reason.slice(before.length)).toEqual(typeof words === 'string' ? words : expect.stringMatching(words));
  });

  it('leaves the tasks open and the step-up good, and the command line says the same', async () => {
    const { list } = await test.admin('GET', `/api/v1/access_review/${reviewId}/submissions`);
    expect(list).toEqual([]);
    const env = environmentFor(test.server.url, test.world.assignee.credential);
    const plain = await test.openSigned({ stepUpProviderId: '' });
    const own = await test.prepare(plain.reviewId, decide(plain.taskIds.slice(0, 1)));
    await askAt(own, `${test.tsa.url}/expired`);
    const left = await runInProcess(['task', 'sign', own.id], { env });
    expect(left).toMatchObject({ code: 1, stderr: expect.stringContaining('or one above it, was not valid at') });
    expect(left.stderr).toContain('Nothing was submitted; your decisions are kept until');

    await askAt(signature, `${test.tsa.url}/stamp`);
    const signed = await sign(signature);
    expect([signed.status, signed.body.submission.submitted]).toEqual([200, '3']);
  });

  it.each(['/below', '/299-ahead'])('that answers as %s does is believed', async (path) => {
    const other = await test.prepare(reviewId, decide(taskIds.splice(0, 1)));
    await test.stepUp(other.redirectUrl);
    await askAt(other, `${test.tsa.url}${path}`);
    expect((await sign(other)).body.signature).toMatchObject({ state: 'SIGNATURE_STATE_SIGNED', timeStampServer: host });
  });
});

describe('the address of a time stamp server', () => {
  const change = (tspUrl: string) => ({ accessReview: { signatureConfig: { tspUrl } } });
  let draftId: string;
  beforeAll(async () => {
    draftId = await test.world.makeDraft();
  });
  it.each([
    ['ftp://tsa.example/', 'must be an http or https address of at most 2000 characters'],
    ['tsa.example', 'must be an http or https address of at most 2000 characters'],
    ['http://', 'must be an http or https address of at most 2000 characters'],
    ['http:///tsa', 'must be an http or https address of at most 2000 characters'],
    ['http:tsa.example', 'must be an http or https address of at most 2000 characters'],
    [' http://tsa.example', 'must be an http or https address of at most 2000 characters'],
    ['http://tsa.example/a b', 'must be an http or https address of at most 2000 characters'],
    ['http://tsa\n.example/', 'must be an http or https address of at most 2000 characters'],
    ['http://1.2.3.4.5/', 'must be an http or https address of at most 2000 characters'],
    ['http://[::1%25eth0]/', 'must be an http or https address of at most 2000 characters'],
    [`https://tsa.example/${'a'.repeat(5_000)}`, 'must be an http or https address of at most 2000 characters'],
    ['https://me@tsa.example/', 'must not hold a user, a password or a fragment'],
    ['https://:secret@tsa.example/', 'must not hold a user, a password or a fragment'],
  ])('is refused where it is %j', async (tspUrl, description) => {
    const answer = await request(test.server, test.server.admin, 'POST', `/api/v1/access_review/${draftId}`, change(tspUrl));
    expect([answer.status, violatedFields(answer)]).toEqual([400, ['accessReview.signatureConfig.tspUrl']]);
    expect(answer.body.message).toContain(description);
  });
  it.each(['https://Zeitstempel.Grüße.example/x', 'http://[2606:4700::1111]/', 'http://tsa.example:318/tsr?a=b'])(
    'may be %s',
    async (tspUrl) => {
      const { accessReview } = await test.admin('POST', `/api/v1/access_review/${draftId}`, change(tspUrl));
      expect(accessReview.accessReview.signatureConfig.tspUrl).toBe(tspUrl);
    },
  );
});

describe('trying one out', () => {
  const tryOut = (url: string) => test.admin('POST', '/api/v1/time-stamp-servers/test', { url });

  it('says who stamps, by which policy and when', async () => {
    expect(await tryOut(`${test.tsa.url}/stamp`)).toEqual({
      ...{ problem: '', mayPass: false, server: 'Server of tests', policy },
      stampedAt: expect.any(String),
    });
  });
  it.each([
    ['/broken', true, 'The time stamp server HOST answered with status 500.'],
    ['/page', false, 'The time stamp server HOST answered with something else than a time stamp.'],
    ['/other-nonce', false, 'The time stamp of HOST was refused. The time stamp has another nonce than the request.'],
  ])('says what is wrong with one that answers as %s does, and whether it may pass: %s', async (path, mayPass, problem) => {
    const answer = await tryOut(`${test.tsa.url}${path}`);
    expect([answer.mayPass, answer.problem.replace(host, 'HOST')]).toEqual([mayPass, problem]);
  });
  it.each([
    [
      'http://169.254.169.254/',
      'The time stamp server 169.254.169.254 may not be asked: 169.254.169.254 is not an address on the internet',
    ],
    ['', 'The address must be an http or https address'],
  ])('asks nobody at "%s"', async (url, words) => {
    expect(await tryOut(url)).toMatchObject({ mayPass: false, problem: expect.stringContaining(words) });
  });
  it('is for those who set reviews up', async () => {
    const answer = await request(test.server, test.world.assignee, 'POST', '/api/v1/time-stamp-servers/test', { url: test.tsa.url });
    expect(answer.status).toBe(403);
  });
});

describe('a review', () => {
  /** Prepares one whose server answers as it does at a path, and says what its owner is warned of. */
  async function prepare(path: string): Promise<{ id: string; warnings: string[] }> {
    const signatureConfig = { requireSignature: true, meaningOfSignature: 'I looked.', tspUrl: `${test.tsa.url}${path}` };
    const id = await test.world.makeDraft();
    await test.admin('POST', `/api/v1/access_review/${id}`, { accessReview: { signatureConfig } });
    const { warnings = [] } = await test.admin('POST', `/api/v1/access_review/${id}/action/prepare`, {});
    await test.world.until(id, 'REVIEW');
    return { id, warnings: warnings.filter((one: string) => one.includes(host)) };
  }
  const start = (id: string) => request(test.server, test.server.admin, 'POST', `/api/v1/access_review/${id}/action/start`, {});

  it('does not start where the time stamps of its server do not count: nobody could sign', async () => {
    const { id, warnings } = await prepare('/policy');
    expect(warnings).toEqual([expect.stringContaining('which is not among those listed.')]);
    const answer = await start(id);
    expect([answer.status, violatedFields(answer)]).toEqual([400, ['accessReview.signatureConfig.tspUrl']]);
    expect(answer.body.message).toContain('was made under policy 1.3.6.1.4.1.99999.1.2, which is not among those listed.');
    expect((await test.admin('GET', `/api/v1/access_review/${id}`)).accessReview.accessReview.state).toBe('ACCESS_REVIEW_STATE_REVIEW');
  });
  it('warns of a server that is down, when it is prepared and when it starts', async () => {
    const { id, warnings } = await prepare('/broken');
    const env = environmentFor(test.server.url, test.server.admin.credential);
    const words = `The time stamp server ${host} answered with status 500. Nobody can sign in this review until it gives time stamps.`;
    expect(warnings).toEqual([words]);
    expect(await runInProcess(['review', 'start', id, '--yes'], { env })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(words),
    });
    await test.world.until(id, 'OPEN');
    const again = await start(id);
    expect([again.status, again.body.warnings.filter((one: string) => one.includes(host))]).toEqual([200, []]);
  });
});
