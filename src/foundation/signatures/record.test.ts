/** Records: byte for byte those of the examples, and the nonce by which a provider signs one. */
import { verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { readVector } from '../../../test/support/evidence-vectors.ts';
import { isSignedBy, parseIdToken } from '../../lib/id-token.ts';
import { commitment } from '../../lib/log/commitment.ts';
import { importPublicKey } from '../credentials/index.ts';
import { sha256Of, writeRecord } from './record.ts';
import { nonceOf } from './step-up/index.ts';
import { findBrokenRule } from './step-up/check-claims.ts';

const recordText = readVector('signature/record.json').toString();
const token = readVector('signature/id-token.jwt').toString().trim();
const expected = JSON.parse(readVector('signature/expected.json').toString());

it('is written as the example is', () => {
  const example = JSON.parse(recordText);
  const salts = JSON.parse(readVector('signature/salts.json').toString());
  const record = writeRecord(
    {
      tenantId: example.tenant,
      origin: example.origin,
      review: example.review,
      submissionId: example.submission,
      at: new Date(example.at),
      signerId: example.signer.id,
      person: salts.person,
      meaning: example.meaning,
      subject: {
        decisions: example.decisions.map((one: Record<string, string>) => ({
          itemId: one.item,
          actionId: one.action,
          decision: one.decision,
          step: one.step,
          comment: one.comment === null ? '' : salts.comment,
        })),
      },
    },
    { person: Buffer.from(salts.personSalt, 'hex'), comment: () => Buffer.from(salts.commentSalt, 'hex') },
  );
  expect(record).toBe(recordText);
  expect(sha256Of(record)).toBe(expected.recordSha256);
});

it('says until when something was certified, and what amends', () => {
  const record = writeRecord(
    {
      ...{ tenantId: 't', origin: 'o', review: { id: 'r', name: '' }, submissionId: 's', at: new Date(0), signerId: 'p', meaning: 'm' },
      person: { ...JSON.parse(readVector('signature/salts.json').toString()).person },
      subject: {
        decisions: [{ itemId: 'i', actionId: 'a', decision: 'CERTIFY', step: 0, comment: '', until: new Date(86_400_000), amends: true }],
      },
    },
    { person: Buffer.alloc(16), comment: () => Buffer.alloc(16) },
  );
  expect(JSON.parse(record).decisions).toEqual([
    { item: 'i', action: 'a', decision: 'CERTIFY', step: 0, comment: null, until: '1970-01-02T00:00:00.000Z', amends: true },
  ]);
});

it('of an acknowledgement has counts and the digest of all decisions, and commits to its comment', () => {
  const record = writeRecord(
    {
      ...{ tenantId: 't', origin: 'o', review: { id: 'r', name: '' }, submissionId: 's', at: new Date(0), signerId: 'p', meaning: 'm' },
      person: { ...JSON.parse(readVector('signature/salts.json').toString()).person },
      subject: { acknowledgement: { counts: { certified: 2, revoked: 1 }, digest: 'd', comment: 'Seen' } },
    },
    { person: Buffer.alloc(16), comment: (id) => Buffer.alloc(16, id) },
  );
  expect(JSON.parse(record)).toMatchObject({
    type: 'countersign.acknowledgement',
    submission: 's',
    counts: { certified: 2, revoked: 1 },
    digest: 'd',
    comment: commitment(Buffer.alloc(16, 's'), 'Seen').toString('hex'),
  });
});

it('is signed by the provider through its nonce, and by the key of the credential', () => {
  expect(nonceOf(expected.transaction, expected.recordSha256)).toBe(expected.nonce);
  const parsed = parseIdToken(token);
  if (parsed === undefined) {
    throw new Error('the example is no token');
  }
  expect(isSignedBy(parsed, expected.idpKey)).toBe(true);
  const { issuer, audience: clientId, acrValues } = expected.provider;
  const begunAt = new Date((Number(parsed.claims.auth_time) - 30) * 1000);
  const now = new Date((Number(parsed.claims.iat) + 5) * 1000);
  expect(
    findBrokenRule(parsed.claims, { issuer, clientId, acrValues, claim: 'acr', directory: '', nonce: expected.nonce, begunAt, now }),
  ).toBeUndefined();
  const signature = Buffer.from(expected.credentialSignature, 'base64url');
  expect(verify(null, Buffer.from(recordText), importPublicKey(expected.credentialKey).key, signature)).toBe(true);
});
