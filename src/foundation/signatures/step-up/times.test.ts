/** Times of step-ups to the millisecond: until when one comes back and signs, and when the next may begin after many. */
import { generateKeyPairSync, sign as makeSignature } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import type { ProviderClient } from '../../sessions/index.ts';
import { findProvider, type StepUpProviderRow } from '../providers/index.ts';
import { insertProvider } from '../providers/store-providers.ts';
import { sha256Of } from '../record.ts';
import { collectComponents } from '../sign.ts';
import type { SignatureRow } from '../store.ts';
import { beginStepUp } from './begin-step-up.ts';
import { finishStepUp } from './finish-step-up.ts';
import { nonceOf } from './nonce.ts';
import { findTransaction, updateTransaction } from './store-transactions.ts';

const begun = new Date('2026-11-30T09:00:00Z');
const minute = 60_000;
const record = '{"v":1}';
const settings = { issuerUrl: 'https://idp.example', clientId: 'one', oauth2: { acrValues: [] } };
let two: TwoTenants;
let provider: StepUpProviderRow;
/** The state of the step-up that was begun last. */
let state: string;
const client: ProviderClient = {
  begin: (_provider, _uri, expected) => {
    state = expected.state;
    return Promise.resolve('https://idp.example/authorize');
  },
  finish: () => Promise.reject(new Error('not asked')),
  listKeys: () => Promise.resolve([]),
};
/** A person in a session, at this moment. */
const at = (time: number): Context => {
  const { basic, basicId } = two.ours;
  return {
    ...basic,
    now: new Date(time),
    actor: { ...basic.actor, kind: 'session', userId: basicId, credentialId: 'session', issuerId: '' },
  };
};
const begin = (time: number, signatureId = '') =>
  beginStepUp(at(time), client, provider, { signatureId, recordSha256: sha256Of(record) }, 'https://ours.example');

beforeAll(async () => {
  two = await openTwoTenants();
  const context = at(begun.getTime());
  const id = newId(begun);
  await insertProvider(context, { id, document: { displayName: 'One', ...settings }, clientSecret: '' });
  const row = await findProvider(context, id);
  if (row === undefined) {
    throw new Error('the provider was not kept');
  }
  provider = row;
});
beforeEach(() => two.admin('TRUNCATE step_up_transactions'));
afterAll(() => two.close());

it.each([
  [15 * minute - 1, 'The answer of the provider does not count.'],
  [15 * minute, 'You came back after more than 15 minutes.'],
])('whoever comes back after %s ms reads "%s"', async (after, words) => {
  await begin(begun.getTime());
  const returnedTo = new URL(`https://ours.example/auth/step-up/callback?code=c&state=${state}`);
  const returning = { returnedTo, userId: two.ours.basicId, sessionId: 'session' };
  expect((await finishStepUp(at(begun.getTime() + after), client, returning))?.errorMessage).toBe(words);
});

it('signs to the last millisecond of 15 minutes, and not after it', async () => {
  const { transactionId } = await begin(begun.getTime(), 'signature');
  const context = at(begun.getTime());
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const nonce = nonceOf(transactionId, sha256Of(record));
  const signed = [{ alg: 'ES256' }, { sub: 'one', nonce }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const proof = makeSignature('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  const token = `${signed}.${proof}`;
  const used = { issuer: settings.issuerUrl, audience: settings.clientId, acrValues: [], key: publicKey.export({ format: 'jwk' }) };
  await updateTransaction(context, transactionId, { state: 'VERIFIED', errorMessage: '', idToken: token, claims: {}, provider: used });
  const prepared = {
    ...{ id: 'signature', userId: two.ours.basicId, state: 'PREPARED', providerId: provider.id, tspUrl: '', record },
    expiresAt: new Date(begun.getTime() + 7 * 86_400_000),
  } as unknown as SignatureRow;
  const sign = (after: number) => {
    const moment = at(begun.getTime() + after);
    const sent = { stepUpTransactionId: transactionId, credentialSignature: '' };
    return collectComponents(moment, prepared, sent, { client, outgoing: { allowed: [], allowsLocal: false }, clock: () => moment.now });
  };
  expect((await sign(15 * minute - 1)).stepUp?.idToken).toBe(token);
  await expect(sign(15 * minute)).rejects.toThrow('It is older than 15 minutes.');
  expect((await findTransaction(context, transactionId))?.expiresAt).toEqual(new Date(begun.getTime() + 15 * minute));
});

it('begins sixty times in 15 minutes, and once more when the first of them is that old', async () => {
  for (let count = 0; count < 60; count++) {
    await begin(begun.getTime() + count * 10_000);
  }
  const refusal = (message: string, retryAfterSeconds: number) =>
    expect.objectContaining({ code: 'RATE_LIMITED', message, retryAfterSeconds });
  const tooOften = 'You were sent to the provider too often. Try again in';
  await expect(begin(begun.getTime() + 10 * minute)).rejects.toEqual(refusal(`${tooOften} 5 minutes.`, 300));
  await expect(begin(begun.getTime() + 15 * minute - 1)).rejects.toEqual(refusal(`${tooOften} a minute.`, 1));
  await begin(begun.getTime() + 15 * minute);
  await expect(begin(begun.getTime() + 15 * minute)).rejects.toEqual(refusal(`${tooOften} a minute.`, 10));
});
