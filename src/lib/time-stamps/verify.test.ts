/** Time stamps: the examples, good and bad, what else is refused, and that no byte of a reply can be changed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVector, readVectorJson } from '../../../test/support/evidence-vectors.ts';
import { tries } from '../../../test/support/runs.ts';
import { createTimeStampRequest } from './request.ts';
import { type Exchange, readRoots, type TimeStampTrust, verifyTimeStamp } from './verify.ts';

const expected = readVectorJson<{
  policies: string[];
  sentAt: string;
  receivedAt: string;
  cases: { file: string; verdict: 'good' | 'bad' }[];
}>('tsa/expected.json');
const nonce = Buffer.from('1a1ea1c4f7f29f79', 'hex');
const request = createTimeStampRequest(readVector('tsa/data.bin'), nonce);
const exchange: Exchange = { request, sentAt: new Date(expected.sentAt), receivedAt: new Date(expected.receivedAt) };
const trust: TimeStampTrust = { roots: await readRoots(readVector('tsa/root.crt').toString()), policies: expected.policies };
const good = readVector('tsa/good.tsr');
const at = new Date('2026-11-22T00:12:54Z');

/** The sentence of each bad example. */
const sentences: Readonly<Record<string, string>> = {
  'eku-none.tsr': 'The certificate of TSA without EKU does not have one extended key usage.',
  'eku-not-critical.tsr': 'The extended key usage of TSA, EKU not critical is not critical.',
  'eku-with-more.tsr': 'The certificate of TSA, EKU with more is not for time stamps alone.',
  'expired-at-gentime.tsr': 'The certificate of TSA, expired, or one above it, was not valid at 2026-11-22T00:12:54.000Z.',
  'gentime-2031.tsr': 'The time stamp says 2031-11-22T00:12:54.000Z, more than 300 s from when it was asked for.',
  'gentime-day-early.tsr': 'The certificate of Test TSA, or one above it, was not valid at 2026-11-21T00:12:54.000Z.',
  'html.tsr': 'The reply is not exactly one DER object.',
  'imprint-bit.tsr': 'The time stamp is for other data.',
  'no-certificate.tsr': "The signer's certificate is not in the token.",
  'no-nonce.tsr': 'The time stamp does not repeat the nonce of the request.',
  'other-data.tsr': 'The time stamp is for other data.',
  'other-nonce.tsr': 'The time stamp has another nonce than the request.',
  'other-policy.tsr': 'The time stamp has another nonce than the request.',
  'rejected.tsr': 'The server did not grant it (status 2: unaccepted policy).',
  'rsa-1024.tsr': 'The key of TSA RSA 1024 has 1024 bits; RSA needs 2048.',
  'sha1-imprint.tsr': 'The time stamp is over a hash of algorithm 1.3.14.3.2.26 instead of SHA-256.',
  'sha1-signature.tsr': 'The token is signed with digest 1.3.14.3.2.26; SHA-256, SHA-384 and SHA-512 are accepted.',
  'signature-bit.tsr': 'The signature of the token is wrong.',
  'trailing-byte.tsr': 'The reply is not exactly one DER object.',
  'truncated.tsr': 'The reply is not exactly one DER object.',
};
const refused = (message: unknown) => expect.objectContaining({ name: 'TimeStampRefusal', message });

describe('an example', () => {
  it('has the request that openssl makes', () => {
    expect(request.bytes).toEqual(readVector('tsa/good.tsq'));
  });

  it.each(expected.cases.filter(({ verdict }) => verdict === 'good'))('$file is accepted', async ({ file }) => {
    const stamp = await verifyTimeStamp(readVector(`tsa/${file}`), exchange, trust);
    expect(stamp).toMatchObject({ at, policy: '1.3.6.1.4.1.99999.1.1', serialNumber: expect.stringMatching(/^0[234]$/) });
  });

  it.each(expected.cases.filter(({ verdict }) => verdict === 'bad'))('$file is refused with its sentence', async ({ file }) => {
    await expect(verifyTimeStamp(readVector(`tsa/${file}`), exchange, trust)).rejects.toEqual(refused(sentences[file]));
  });

  it.each(expected.cases)('$file is refused under another root', async ({ file }) => {
    const roots = await readRoots(readVector('tsa/other-root.crt').toString());
    await expect(verifyTimeStamp(readVector(`tsa/${file}`), exchange, { ...trust, roots })).rejects.toEqual(refused(expect.any(String)));
  });
});

describe('a time stamp', () => {
  it('is refused under a policy that is not listed, and accepted under any where none is', async () => {
    await expect(verifyTimeStamp(good, exchange, { ...trust, policies: ['1.2.3'] })).rejects.toEqual(
      refused('The time stamp was made under policy 1.3.6.1.4.1.99999.1.1, which is not among those listed.'),
    );
    expect((await verifyTimeStamp(good, exchange, { ...trust, policies: [] })).at).toEqual(at);
  });

  it.each([
    ['301 s before it was asked for', 301_000, false],
    ['300 s before it was asked for', 300_000, true],
    ['300 s after it was received', -300_000, true],
    ['301 s after it was received', -301_000, false],
  ])('made %s counts: %s', async (_, ahead, counts) => {
    const asked = new Date(at.getTime() + ahead);
    const verified = verifyTimeStamp(good, { request, sentAt: asked, receivedAt: asked }, trust);
    await (counts
      ? expect(verified).resolves.toMatchObject({ at })
      : expect(verified).rejects.toEqual(refused(expect.stringContaining('more than 300 s'))));
  });
});

describe('a changed reply', () => {
  /** The status, which nothing signs: granted, or granted with modifications. */
  const place = 8;
  const change = fc.oneof(
    fc.record({ at: fc.nat(), bits: fc.integer({ min: 1, max: 255 }) }),
    fc.record({ at: fc.nat(), drop: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ at: fc.nat(), add: fc.uint8Array({ minLength: 1, maxLength: 8 }) }),
  );
  const originals = ['good.tsr', 'good-ec.tsr', 'good-since-expired.tsr'].map((file) => readVector(`tsa/${file}`));

  it('is refused, and nothing but a refusal is thrown', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...originals), change, async (original, { at: anywhere, ...how }) => {
        const spot = anywhere % original.length;
        const rest = original.subarray(spot);
        const middle =
          'bits' in how
            ? [Buffer.of(rest[0]! ^ how.bits), rest.subarray(1)]
            : 'drop' in how
              ? [rest.subarray(how.drop)]
              : [Buffer.from(how.add), rest];
        fc.pre(spot !== place);
        const changed = Buffer.concat([original.subarray(0, spot), ...middle]);
        fc.pre(!changed.equals(original));
        await expect(verifyTimeStamp(changed, exchange, trust)).rejects.toEqual(refused(expect.any(String)));
      }),
      { numRuns: tries(300, 5_000) },
    );
  });

  it('is refused where the parameters of an algorithm change that nothing signs', async () => {
    const parameters = 50;
    for (const original of originals) {
      const changed = Buffer.from(original);
      // The tag of NULL becomes that of an empty text.
      expect(changed[parameters]).toBe(0x05);
      changed[parameters] = 0x04;
      await expect(verifyTimeStamp(changed, exchange, trust)).rejects.toEqual(refused('Algorithm 2.16.840.1.101.3.4.2.1 has parameters.'));
    }
  });

  it.each([0, 1, 2, 3, 4, 5])('with status %i', async (status) => {
    const changed = Buffer.from(good);
    changed[place] = status;
    const verified = verifyTimeStamp(changed, exchange, trust);
    await (status < 2
      ? expect(verified).resolves.toMatchObject({ at })
      : expect(verified).rejects.toEqual(refused(`The server did not grant it (status ${status}).`)));
  });
});
