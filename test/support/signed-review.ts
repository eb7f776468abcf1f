/** A review with every kind of signature: of decisions with a comment, an end and a denial, of an amendment, through a credential, of an acknowledgement. */
import { createPrivateKey, sign } from 'node:crypto';
import { type Loose, request } from './api.ts';
import { openBrowser } from './identity-provider.ts';
import { requestWith } from './sign-in.ts';
import { browse, type SigningTest } from './signing.ts';

/** The review, and the ids of its signatures. */
export interface SignedReview {
  readonly reviewId: string;
  readonly taskIds: readonly string[];
  readonly submission: string;
  readonly amendment: string;
  readonly byCredential: string;
  readonly acknowledgement: string;
}

const day = 86_400_000;

/** Signs what was prepared by the session of the assignee. */
async function give(test: SigningTest, { id, redirectUrl, stepUpTransactionId }: Loose): Promise<string> {
  await test.stepUp(redirectUrl);
  const answer = await test.send('POST', `/api/v1/signatures/${id}/sign`, { stepUpTransactionId });
  if (answer.status !== 200) {
    throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return id;
}

async function signByCredential({ server, world }: SigningTest, reviewId: string, decisions: readonly object[]): Promise<string> {
  const send = async (path: string, body: object): Promise<Loose> => {
    const answer = await request(server, world.assignee, 'POST', path, body);
    if (answer.status !== 200) {
      throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  };
  const { signature } = await send(`/api/v1/access_review/${reviewId}/submissions`, { decisions });
  await openBrowser(server).visit(signature.redirectUrl);
  const jwk = JSON.parse(Buffer.from(world.assignee.credential.clientSecret.split(':').at(-1) ?? '', 'base64url').toString());
  const credentialSignature = sign(null, Buffer.from(signature.record), createPrivateKey({ key: jwk, format: 'jwk' }));
  await send(`/api/v1/signatures/${signature.id}/sign`, {
    stepUpTransactionId: signature.stepUpTransactionId,
    credentialSignature: credentialSignature.toString('base64url'),
  });
  return signature.id;
}

async function acknowledge({ server, world, idp, admin }: SigningTest, reviewId: string): Promise<string> {
  await admin('PUT', `/api/v1/access_review/${reviewId}/acknowledgement`, { required: true, userIds: [world.basic.id] });
  idp.account = { sub: 'chief', email: world.basic.email, email_verified: true };
  const chief = await browse(server, world.basic);
  const send = (path: string, body: object) => requestWith(server, chief.header(server), 'POST', path, body);
  const { body } = await send(`/api/v1/access_review/${reviewId}/action/acknowledge`, { comment: 'Seen whole' });
  await chief.visit(body.signature.redirectUrl, /\/signatures\//);
  const { id, stepUpTransactionId } = body.signature;
  const answer = await send(`/api/v1/signatures/${id}/sign`, { stepUpTransactionId });
  if (answer.status !== 200) {
    throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return id;
}

/** Opens a review, and has it decided and acknowledged by signatures. `config` says what is different about its signatures. */
export async function makeSignedReview(test: SigningTest, config: object = {}): Promise<SignedReview> {
  const { reviewId, taskIds } = await test.openSigned(config);
  const [denied = '', limited = '', kept = '', amended = '', other = ''] = taskIds;
  test.idp.account = { sub: 'p01', email: 'p01@world.example', email_verified: true };
  const certifyUntil = new Date(Math.trunc(Date.now() / 1000 + (90 * day) / 1000) * 1000).toISOString();
  const submission = await give(
    test,
    await test.prepare(reviewId, [
      { taskId: denied, decision: 'REVIEW_DECISION_DENY', comment: 'Left the team.' },
      { taskId: limited, decision: 'REVIEW_DECISION_CERTIFY', comment: 'Until the audit', certifyUntil },
      { taskId: kept, decision: 'REVIEW_DECISION_CERTIFY', comment: '' },
      { taskId: amended, decision: 'REVIEW_DECISION_CERTIFY', comment: '' },
    ]),
  );
  const amendment = await give(
    test,
    await test.prepare(reviewId, [
      { taskId: amended, decision: 'REVIEW_DECISION_DENY', comment: 'Looked again', amend: true },
      { taskId: kept, decision: 'REVIEW_DECISION_CERTIFY', comment: 'For a while', amend: true, certifyUntil },
    ]),
  );
  const byCredential = await signByCredential(test, reviewId, [{ taskId: other, decision: 'REVIEW_DECISION_CERTIFY', comment: 'Fine' }]);
  return { reviewId, taskIds, submission, amendment, byCredential, acknowledgement: await acknowledge(test, reviewId) };
}
