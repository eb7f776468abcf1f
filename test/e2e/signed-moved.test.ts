/** Signatures moved in the database, row by row and part by part: the check of the log names each, and says what is wrong with it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLog, sealFirst } from '../../src/foundation/log-proofs/index.ts';
import { makeSignedReview, type SignedReview } from '../support/signed-review.ts';
import { decide, type SigningTest, startSigning } from '../support/signing.ts';

let test: SigningTest;
let signed: SignedReview;
let since: number;

const check = async (): Promise<readonly string[]> => (await checkLog(test.server.system(), { outside: [] }, since)).sentences;

/** Runs a statement of a superuser with the triggers off. */
async function tamper(statement: string): Promise<void> {
  await test.server.test.admin('SET session_replication_role = replica');
  try {
    await test.server.test.admin(statement);
  } finally {
    await test.server.test.admin('SET session_replication_role = origin');
  }
}

beforeAll(async () => {
  test = await startSigning();
  const { db, tenantId } = test.server.system();
  ({ size: since } = await db.one<{ size: number }>('SELECT max(size) AS size FROM logs WHERE tenant_id = $1', [tenantId]));
  signed = await makeSignedReview(test);
  await sealFirst(test.server.system());
  await tamper('CREATE TABLE countersign.kept_signatures AS SELECT * FROM countersign.signatures');
  await tamper('CREATE TABLE countersign.kept_step_ups AS SELECT * FROM countersign.step_up_transactions');
});
afterAll(() => test.stop());

/** Exchanges columns between two signatures, or between their step-ups. */
const swapSigned = (columns: string) => (one: string, other: string) =>
  `UPDATE countersign.signatures a SET (${columns}) = (SELECT ${columns} FROM countersign.signatures b
    WHERE b.id IN ('${one}', '${other}') AND b.id <> a.id) WHERE a.id IN ('${one}', '${other}')`;
const swapProven = (columns: string) => (one: string, other: string) =>
  `UPDATE countersign.step_up_transactions a SET (${columns}) = (SELECT ${columns} FROM countersign.step_up_transactions b
    WHERE b.signature_id IN ('${one}', '${other}') AND b.signature_id <> a.signature_id) WHERE a.signature_id IN ('${one}', '${other}')`;

const moved: Readonly<Record<string, readonly [statement: (one: string, other: string) => string, sentence: string]>> = {
  'to another submission': [swapSigned('submission_id'), 'its record is of another submission'],
  'to another review': [
    (one) => `UPDATE countersign.signatures SET review_id = 'other' WHERE id = '${one}'`,
    'its record is of another review',
  ],
  'to another person': [swapSigned('user_id'), 'its record is of another signer'],
  'to the event of another': [swapSigned('event_id'), 'its step-up was used at another time'],
  'under the step-up of another': [swapSigned('transaction_id'), 'its step-up is for another signature, or by another person'],
  'with the record of another': [swapSigned('record, record_sha256'), 'its step-up is over another record'],
  'with the time stamp of another': [swapSigned('time_stamp'), 'its time stamp does not hold: The time stamp is for other data'],
  'with the name and the details of another': [
    swapSigned('printed_name, person, person_salt'),
    'what it says of its signer is not what was signed',
  ],
  'with the ID token of another': [
    swapProven('id_token, claims, provider'),
    'its ID token does not hold: The token is for another signature',
  ],
  'with all that another proved': [
    swapProven('id_token, claims, provider, nonce, created_at, expires_at, used_at, updated_at, user_id'),
    'its step-up is over another record',
  ],
  'without its step-up': [
    (one) => `DELETE FROM countersign.step_up_transactions WHERE signature_id = '${one}'`,
    'its step-up is gone, or was not asked for',
  ],
};

describe('a signature moved', () => {
  it.each(Object.entries(moved))('%s is named', async (_, [statement, sentence]) => {
    const { submission: one, acknowledgement: other } = signed;
    const before = await check();
    await tamper(statement(one, other));
    const found = (await check()).filter((said) => !before.includes(said));
    for (const [table, kept] of [
      ['signatures', 'kept_signatures'],
      ['step_up_transactions', 'kept_step_ups'],
    ]) {
      await tamper(`DELETE FROM countersign.${table}`);
      await tamper(`INSERT INTO countersign.${table} SELECT * FROM countersign.${kept}`);
    }
    expect(found).toContain(`signatures ${one}: ${sentence}.`);
    expect(await check()).toEqual(before);
  });
});

describe('what waits to be signed', () => {
  it.each([
    ['another decision', '{decisions,0,decision}', '"APPROVE"'],
    ['another comment', '{decisions,0,comment}', '"Never mind."'],
    ['another end', '{decisions,1,certifyUntil}', '"2027-06-01T00:00:00.000Z"'],
    ['fewer decisions', '{decisions}', '[]'],
  ])('is not decided with %s than its record has', async (_, path, value) => {
    test.idp.account = { sub: 'p01', email: 'p01@world.example', email_verified: true };
    const { reviewId, taskIds } = await test.openSigned();
    const signature = await test.prepare(reviewId, decide(taskIds.slice(0, 2)));
    await test.stepUp(signature.redirectUrl);
    await tamper(`UPDATE countersign.signatures SET request = jsonb_set(request, '${path}', '${value}') WHERE id = '${signature.id}'`);
    const { stepUpTransactionId } = signature;
    const answer = await test.send('POST', `/api/v1/signatures/${signature.id}/sign`, { stepUpTransactionId });
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('Nothing was decided')]);
    const { body } = await test.send('GET', `/api/v1/tasks/${taskIds[0]}`);
    expect(body.taskView.task.state).toBe('TASK_STATE_OPEN');
  });
});

describe('an acknowledgement', () => {
  it.each([
    ['another person', '{signature,userId}', '"other"'],
    ['another comment', '{signature,comment}', '"Not seen"'],
    ['another time', '{signature,at}', '"2026-01-01T00:00:00.000Z"'],
    ['other counts', '{signature,counts,revoked}', '9'],
    ['another digest', '{signature,digest}', '"00"'],
    ['another signature', '{signature,signatureId}', '"other"'],
  ])('with %s is named', async (_, path, value) => {
    const before = await check();
    const [kept] = await test.server.test.admin(
      `SELECT acknowledgement::text AS text FROM countersign.reviews WHERE id = '${signed.reviewId}'`,
    );
    const set = (to: string) => tamper(`UPDATE countersign.reviews SET acknowledgement = ${to} WHERE id = '${signed.reviewId}'`);
    await set(`jsonb_set(acknowledgement, '${path}', '${value}')`);
    const found = (await check()).filter((said) => !before.includes(said));
    await set(`'${String(kept?.['text'])}'`);
    expect(found).toEqual([expect.stringMatching(/^reviews \w{27}: its acknowledgement is not what event \w{27} recorded\.$/)]);
    expect(await check()).toEqual(before);
  });
});
