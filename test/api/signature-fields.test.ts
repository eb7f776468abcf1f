/** Each of the four fields of signatureConfig, changed alone, changes something that can be seen; and wherever a review comes from, it has them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { acr, decide, meaning, type SigningTest, startSigning } from '../support/signing.ts';

let test: SigningTest;
let other: IdentityProvider;
let otherProviderId: string;

const post = (path: string, body: object = {}): Promise<Answer> => request(test.server, test.server.admin, 'POST', path, body);
const at = (id: string): string => `/api/v1/access_review/${id}`;

beforeAll(async () => {
  test = await startSigning();
  other = await startIdentityProvider();
  const { clientId, clientSecret, issuer: issuerUrl } = other;
  const oauth2 = { acrValues: [acr] };
  const made = await test.admin('POST', '/api/v1/step-up/providers', { displayName: 'Other', clientId, clientSecret, issuerUrl, oauth2 });
  otherProviderId = made.stepUpProvider.id;
  other.allow(`${test.server.url}/auth/step-up/callback`);
  other.account = { sub: 'p01', email: 'p01@world.example', email_verified: true };
  other.acr = acr;
}, 60_000);
afterAll(async () => {
  await test.stop();
  await other.stop();
});

/** All that can be seen of how a review is signed. */
interface Seen {
  /** Where the signer is sent. */
  readonly provider: string;
  readonly meaning: string;
  readonly stampedBy: string;
  /** Whether a single approval is refused. */
  readonly refusesSingle: boolean;
}

const asked = (): Loose => ({
  requireSignature: true,
  meaningOfSignature: meaning,
  stepUpProviderId: test.providerId,
  tspUrl: `${test.tsa.url}/stamp`,
});
const hostOf = (url: string): string => (url === '' ? '' : new URL(url).host);
const seenFirst = (): Seen => ({ provider: hostOf(test.idp.issuer), meaning, stampedBy: hostOf(test.tsa.url), refusesSingle: true });

/** What each field comes to where it alone is another. */
const changes = (): readonly (readonly [field: string, value: unknown, seen: Partial<Seen>])[] => [
  ['meaningOfSignature', 'Ich habe jedes Recht geprüft. 確認済み <b>', { meaning: 'Ich habe jedes Recht geprüft. 確認済み <b>' }],
  ['requireSignature', false, { provider: '', meaning: '', stampedBy: '', refusesSingle: false }],
  ['stepUpProviderId', otherProviderId, { provider: hostOf(other.issuer) }],
  ['stepUpProviderId', '', { provider: '' }],
  [
    'tspUrl',
    `${test.tsa.url.replace('127.0.0.1', 'localhost')}/stamp`,
    { stampedBy: hostOf(test.tsa.url).replace('127.0.0.1', 'localhost') },
  ],
  ['tspUrl', '', { stampedBy: '' }],
];

async function open(id: string): Promise<void> {
  expect((await post(`${at(id)}/action/prepare`)).status).toBe(200);
  await test.world.until(id, 'REVIEW');
  const started = await post(`${at(id)}/action/start`);
  expect([started.status, started.body.message]).toEqual([200, undefined]);
  await test.world.until(id, 'OPEN');
}

/** Decides in an open review in both ways, and says what is seen of it. */
async function see(id: string): Promise<Seen> {
  const mine = { accessReviewIds: [id], taskStates: ['TASK_STATE_OPEN'], pageSize: 10 };
  const { list } = (await test.send('POST', '/api/v1/search/tasks', mine)).body;
  const [first, second] = list.map(({ task }: Loose) => task.id);
  const single = await test.send('POST', `/api/v1/tasks/${first}/action/approve`, {});
  const { body } = await test.send('POST', `${at(id)}/submissions`, { decisions: decide([second]) });
  if (body.signature === undefined) {
    expect(body.submission).toMatchObject({ denied: '1' });
    return { provider: '', meaning: '', stampedBy: '', refusesSingle: single.status === 400 };
  }
  const { signature } = body;
  if ((signature.redirectUrl ?? '') !== '') {
    await test.stepUp(signature.redirectUrl);
  }
  const path = `/api/v1/signatures/${signature.id}`;
  const given = await test.send('POST', `${path}/sign`, { stepUpTransactionId: signature.stepUpTransactionId ?? '' });
  expect([given.status, given.body.message]).toEqual([200, undefined]);
  const shown = (await test.send('GET', path)).body.signature;
  expect(JSON.parse(shown.record).meaning).toBe(shown.meaning);
  return {
    provider: hostOf(signature.redirectUrl ?? ''),
    meaning: shown.meaning,
    stampedBy: shown.timeStampServer,
    refusesSingle: single.status === 400,
  };
}

describe('a field of signatureConfig', () => {
  it('changed alone, by the whole object or by its own mask, changes what is seen of a signature', async () => {
    const first = await test.world.makeDraft();
    await post(at(first), { accessReview: { signatureConfig: asked() } });
    await open(first);
    expect(await see(first)).toEqual(seenFirst());
    for (const [index, [field, value, seen]] of changes().entries()) {
      const id = await test.world.makeDraft();
      if (index % 2 === 0) {
        await post(at(id), { accessReview: { signatureConfig: { ...asked(), [field]: value } } });
      } else {
        await post(at(id), { accessReview: { signatureConfig: asked() } });
        const change = { accessReview: { signatureConfig: { [field]: value } }, updateMask: `signatureConfig.${field}` };
        expect((await post(at(id), change)).status).toBe(200);
      }
      await open(id);
      expect([field, await see(id)]).toEqual([field, { ...seenFirst(), ...seen }]);
    }
  }, 120_000);

  it('goes with a copy, a template and the reviews made of it', async () => {
    const signatureConfig = { ...asked(), meaningOfSignature: 'Mine.', stepUpProviderId: '' };
    const first = await test.world.makeDraft();
    await post(at(first), { accessReview: { signatureConfig } });
    const configOf = async (id: string): Promise<Loose> => (await test.admin('GET', at(id))).accessReview.accessReview.signatureConfig;
    const copy = await test.admin('POST', '/api/v1/access_review', { displayName: 'Copy', duplicateFrom: first });
    expect(await configOf(copy.accessReview.accessReview.id)).toEqual(signatureConfig);
    const kept = await test.admin('POST', `${at(first)}/action/create_template`, { displayName: 'Kept' });
    const templateId: string = kept.accessReviewTemplate.id;
    const templates = `/api/v1/access_review_template/${templateId}`;
    const template = (await test.admin('GET', templates)).accessReviewTemplate;
    expect(template.signatureConfig).toEqual(signatureConfig);
    for (const [field, value] of [
      ['meaningOfSignature', 'Ours.'],
      ['tspUrl', ''],
    ]) {
      const change = { accessReviewTemplate: { signatureConfig: { [field as string]: value } }, updateMask: `signatureConfig.${field}` };
      await test.admin('POST', templates, change);
    }
    const wrong = { accessReviewTemplate: { signatureConfig: { meaningOfSignature: 'm'.repeat(1_001), tspUrl: 'ftp://tsa.example' } } };
    expect(violatedFields(await post(templates, wrong))).toEqual(
      ['meaningOfSignature', 'tspUrl'].map((name) => `accessReviewTemplate.signatureConfig.${name}`),
    );
    const made = await test.admin('POST', `${templates}/action/create_review`, {});
    const id: string = made.accessReview.accessReview.id;
    expect(await configOf(id)).toEqual({ ...signatureConfig, meaningOfSignature: 'Ours.', tspUrl: '' });
  });

  it('that is wrong is named, all of them at once', async () => {
    const id = await test.world.makeDraft();
    const set = async (signatureConfig: object) => violatedFields(await post(at(id), { accessReview: { signatureConfig } }));
    const [meaningPath, tspPath] = ['meaningOfSignature', 'tspUrl'].map((name) => `accessReview.signatureConfig.${name}`);
    expect(await set({ meaningOfSignature: 'm'.repeat(10_000), tspUrl: 'ftp://tsa.example' })).toEqual([meaningPath, tspPath]);
    for (const wrong of ['a\u0000b', 'a\u0007b', '\u202Edetacol', '\ud800']) {
      expect([wrong, await set({ meaningOfSignature: wrong })]).toEqual([wrong, [meaningPath]]);
    }
    const long = `https://tsa.example/${'x'.repeat(2_000)}`;
    for (const wrong of ['nonsense', 'https://me:secret@tsa.example', 'https://tsa.example/#part', long]) {
      expect([wrong, await set({ tspUrl: wrong })]).toEqual([wrong, [tspPath]]);
    }
    for (const right of ['Line one.\nLine two.', '<script>alert(1)</script>', '=1+1', 'Überprüft 確認 مراجعة']) {
      expect([right, await set({ meaningOfSignature: right })]).toEqual([right, []]);
    }
  });

  it('that keeps the review from starting is named before, and where it is refused', async () => {
    const disabled = await test.admin('POST', '/api/v1/step-up/providers', {
      displayName: 'Off',
      issuerUrl: other.issuer,
      clientId: 'off',
      clientSecret: 'off',
      oauth2: { acrValues: [acr] },
    });
    await test.admin('POST', `/api/v1/step-up/providers/${disabled.stepUpProvider.id}`, {
      stepUpProvider: { enabled: false },
      updateMask: 'enabled',
    });
    for (const [config, fields] of [
      [{ meaningOfSignature: '' }, ['meaningOfSignature']],
      [{ meaningOfSignature: ' \n' }, ['meaningOfSignature']],
      [{ meaningOfSignature: '\u3164\u200b' }, ['meaningOfSignature']],
      [{ meaningOfSignature: '', stepUpProviderId: 'nobody' }, ['meaningOfSignature', 'stepUpProviderId']],
      [{ stepUpProviderId: disabled.stepUpProvider.id }, ['stepUpProviderId']],
    ] as const) {
      const id = await test.world.makeDraft();
      await post(at(id), { accessReview: { signatureConfig: { ...asked(), ...config } } });
      const paths = fields.map((name) => `accessReview.signatureConfig.${name}`);
      const says = paths.map((path) => expect.stringContaining(`cannot start as it is: ${path} `));
      expect((await post(`${at(id)}/preview`)).body.warnings).toEqual(says);
      expect((await post(`${at(id)}/action/prepare`)).body.warnings).toEqual(says);
      await test.world.until(id, 'REVIEW');
      const start = await post(`${at(id)}/action/start`);
      expect([start.status, violatedFields(start)]).toEqual([400, paths]);
    }
  }, 60_000);

  it('that does nothing, since nothing is signed, is said', async () => {
    const id = await test.world.makeDraft();
    await post(at(id), { accessReview: { signatureConfig: { ...asked(), requireSignature: false, tspUrl: '' } } });
    const says = [expect.stringContaining('requireSignature is false: meaningOfSignature, stepUpProviderId of signatureConfig do nothing')];
    expect((await post(`${at(id)}/preview`)).body.warnings).toEqual(says);
    expect((await post(`${at(id)}/action/prepare`)).body.warnings).toEqual(says);
    await test.world.until(id, 'REVIEW');
    expect((await post(`${at(id)}/action/start`)).body.warnings).toEqual(says);
  });

  it('is told by the command line, before the start and after it', async () => {
    const id = await test.world.makeDraft();
    await post(at(id), { accessReview: { signatureConfig: asked() } });
    const env = environmentFor(test.server.url, test.server.admin.credential);
    const run = (...args: string[]) => runInProcess(['review', ...args], { env });
    const how = `each submission, with a sign-in at the step-up provider ${test.providerId}, stamped by ${hostOf(test.tsa.url)}: “${meaning}”`;
    expect(await run('prepare', id)).toMatchObject({ code: 0 });
    expect(await run('start', id)).toMatchObject({ code: 0, stderr: expect.stringContaining(`It asks for a signature of ${how}`) });
    expect((await run('show', id)).stdout).toContain(`signing    ${how}`);
  });

  it('stays as it is from the start on', async () => {
    const { reviewId } = await test.openSigned();
    for (const [field, value] of changes()) {
      const answer = await post(at(reviewId), {
        accessReview: { signatureConfig: { [field]: value } },
        updateMask: `signatureConfig.${field}`,
      });
      expect([field, answer.status, answer.body.message]).toEqual([
        field,
        400,
        expect.stringContaining('cannot be changed while the review is'),
      ]);
    }
    const { db, tenantId } = test.server.system();
    // Whoever changes the record of the review in the database does not change what is signed.
    await db.run(
      `UPDATE reviews SET document = document || '{"signatureConfig": {"requireSignature": false}}' WHERE tenant_id = $1 AND id = $2`,
      [tenantId, reviewId],
    );
    expect(await see(reviewId)).toEqual(seenFirst());
  });
});
