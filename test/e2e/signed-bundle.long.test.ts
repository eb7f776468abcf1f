/** Signatures of a bundle, altered and moved: openssl, our verifier and the second one say the same of each, and name the line. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyBundle } from '../../src/verify/index.ts';
import type { Loose } from '../support/api.ts';
import { createOpenSsl } from '../support/ask-openssl.ts';
import { linesOf, putTogether, takeApart } from '../support/bundle.ts';
import { environmentFor, runInProcess } from '../support/command-line.ts';
import { createRandom } from '../support/random.ts';
import { askSecondVerifier } from '../support/second-verifier.ts';
import { seedOfRun } from '../support/seed.ts';
import { makeSignedReview } from '../support/signed-review.ts';
import { startSigning } from '../support/signing.ts';

const file = 'signatures.jsonl';
let folder: string;
let files: ReturnType<typeof takeApart>;
let lines: Loose[];
let openssl: ReturnType<typeof createOpenSsl>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signed-bundle-'));
  openssl = createOpenSsl(folder);
  const test = await startSigning();
  const { reviewId } = await makeSignedReview(test);
  const env = environmentFor(test.server.url, test.server.admin.credential);
  const bundle = join(folder, 'signed.evidence.zip');
  expect(await runInProcess(['review', 'close', reviewId, '--decision', 'skip', '--yes'], { env })).toMatchObject({ code: 0 });
  expect(await runInProcess(['review', 'evidence', reviewId, '--output', bundle], { env })).toMatchObject({ code: 0 });
  await test.stop();
  files = takeApart(readFileSync(bundle));
  lines = linesOf<Loose>(files, file);
});
afterAll(() => rmSync(folder, { recursive: true }));

const contentOf = (name: string): string => files.find((one) => one.name === name)?.content.toString() ?? '';

/** A bundle with other signatures, all hashes made to fit. */
function write(changed: readonly Loose[]): string {
  const path = join(folder, 'changed.zip');
  const content = Buffer.from(changed.map((line) => `${JSON.stringify(line)}\n`).join(''));
  writeFileSync(path, putTogether(files.map((one) => (one.name === file ? { name: file, content } : one))));
  return path;
}

/** Sentences of our verifier about a line of the signatures. */
async function askOurs(path: string, line: number): Promise<string[]> {
  const { findings } = await verifyBundle(path);
  return findings.filter((one) => one.file === file && one.line === line).map(({ sentence }) => sentence);
}

describe('openssl', () => {
  interface Verdict {
    readonly stamp: boolean;
    readonly token: boolean;
    readonly credential: boolean;
  }

  function askOpenSsl(line: Loose): Verdict {
    const [head = ''] = line.idToken.split('.');
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString());
    const key = JSON.parse(contentOf('keys/idp.json')).keys.find((one: Loose) => one.kid === kid);
    return {
      stamp: openssl.isStamp(Buffer.from(line.timestamp, 'base64'), line.record, contentOf('keys/tsa-roots.pem')),
      token: openssl.isToken(line.idToken, key),
      credential: openssl.isSignature(line.credentialKey, line.record, line.credentialSignature),
    };
  }

  async function askVerifier(changed: Loose): Promise<Verdict> {
    const path = write(lines.map((line) => (line.id === changed.id ? changed : line)));
    const said = await askOurs(path, lines.findIndex(({ id }) => id === changed.id) + 1);
    const own = said.filter(
      (sentence) => !/logged|recorded submission|of another submission|another meaning|at which it was signed/.test(sentence),
    );
    const [ofCredential, ofToken] = [/credential of the signer is wrong/, /ID token/];
    return {
      credential: !own.some((sentence) => ofCredential.test(sentence)),
      // That the token is for another record is in its claims, which openssl does not read.
      token: !own.some((sentence) => ofToken.test(sentence) && !sentence.includes('signed another record')),
      stamp: !own.some((sentence) => !ofCredential.test(sentence) && !ofToken.test(sentence)),
    };
  }

  /** The same text with one character of it another, between two places. */
  function alter(random: () => number, text: string, from = 0, to = text.length): string {
    const at = from + Math.floor(random() * (to - from));
    return /[A-Za-z0-9]/.test(text[at] ?? '')
      ? text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
      : alter(random, text, from, to);
  }

  function flip(random: () => number, base64: string): string {
    const bytes = Buffer.from(base64, 'base64');
    // What the server signed, or its signature, which is the last of it; of the rest openssl lets much pass that we refuse.
    const at = bytes.length - 1 - Math.floor(random() * 60);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
    return bytes.toString('base64');
  }

  it('and our verifier accept what is good, and refuse the same of what is altered', async () => {
    const random = createRandom(seedOfRun);
    const good = lines.find(({ credentialSignature }) => credentialSignature !== '')!;
    expect(askOpenSsl(good)).toEqual({ stamp: true, token: true, credential: true });
    expect(await askVerifier(good)).toEqual({ stamp: true, token: true, credential: true });
    const bad: Readonly<Record<string, readonly [change: () => Loose, verdict: Verdict]>> = {
      record: [
        () => ({ ...good, record: alter(random, good.record, good.record.indexOf('"at":"') + 6, good.record.indexOf('"at":"') + 10) }),
        { stamp: false, token: true, credential: false },
      ],
      credential: [
        () => ({ ...good, credentialSignature: alter(random, good.credentialSignature, 0, 80) }),
        { stamp: true, token: true, credential: false },
      ],
      token: [
        () => ({ ...good, idToken: alter(random, good.idToken, good.idToken.lastIndexOf('.') + 1, good.idToken.length - 2) }),
        { stamp: true, token: false, credential: true },
      ],
      stamp: [() => ({ ...good, timestamp: flip(random, good.timestamp) }), { stamp: false, token: true, credential: true }],
    };
    for (let round = 0; round < 8; round++) {
      for (const [what, [change, verdict]] of Object.entries(bad)) {
        const changed = change();
        expect([what, askOpenSsl(changed)]).toEqual([what, verdict]);
        expect([what, await askVerifier(changed)]).toEqual([what, verdict]);
      }
    }
  });
});

describe('a signature of a bundle', () => {
  const others: Readonly<Record<string, readonly [change: (one: Loose, other: Loose) => object, sentence: RegExp]>> = {
    'with the record of another submission': [(_, { record }) => ({ record }), /^Its record is one of another submission/],
    'moved to another submission': [(_, { submission }) => ({ submission }), /^Its record is one of another submission/],
    'of another review': [
      ({ record }) => ({ record: record.replace(/"review":\{"id":"./, '"review":{"id":"x') }),
      /^Its record is one of another submission than \w+ of this review\.$/,
    ],
    'of another person': [
      ({ record, signer = JSON.parse(record).signer.id }, other) => ({
        record: record.replace(signer, JSON.parse(other.record).signer.id),
      }),
      /^The identity provider signed another record/,
    ],
    'with the time stamp of another': [(_, { timestamp }) => ({ timestamp }), /^The time stamp is for other data\.$/],
    'with the token of another': [
      (_, { idToken, transaction, provider }) => ({ idToken, transaction, provider }),
      /^The identity provider signed another record/,
    ],
    'with the step-up of another': [(_, { stepUp }) => ({ stepUp }), /^Its step-up is not the one that was logged at position \d+\.$/],
    'that shows another name': [() => ({ printedName: 'Person 02' }), /^Its printed name Person 02 is not that of its signer, .+\.$/],
    'that shows another meaning': [() => ({ meaning: 'I was there.' }), /^It shows another meaning than the one that was signed\.$/],
    'that shows another time': [
      () => ({ signedAt: '2026-01-01T00:00:00.000Z' }),
      /^The time at which it was signed is not that of its time stamp\.$/,
    ],
    'given through another session': [() => ({ credential: 'x' }), /^Its event, or the session or credential through which it was given/],
    'that names another event': [(_, { event }) => ({ event }), /^Its event, or the session or credential through which it was given/],
    'asked for with less strength': [({ provider }) => ({ provider: { ...provider, acrValues: [] } }), /^Its step-up is not the one/],
    'with another time stamp server': [
      () => ({ timestampServer: 'tsa.example.com' }),
      /^It is not the row that was logged at position \d+\.$/,
    ],
  };
  it.each(Object.entries(others))('%s is named by both verifiers', async (_, [change, sentence]) => {
    const { kind } = { kind: 'countersign.acknowledgement' };
    const at = lines.findIndex(({ record }) => JSON.parse(record).type !== kind);
    const other = lines.find(({ record }) => JSON.parse(record).type === kind)!;
    const path = write(lines.map((line, place) => (place === at ? { ...line, ...change(line, other) } : line)));
    expect(await askOurs(path, at + 1)).toContainEqual(expect.stringMatching(sentence));
    expect(askSecondVerifier(path).stdout).toContain(`DOES NOT HOLD: ${file}, line ${at + 1}: `);
  });

  it('exchanged whole with another is named by both verifiers', async () => {
    const [first, second, ...rest] = lines as [Loose, Loose, ...Loose[]];
    const ids = ({ submission, event, id }: Loose) => ({ submission, event, id });
    const path = write([{ ...second, ...ids(first) }, { ...first, ...ids(second) }, ...rest]);
    for (const line of [1, 2]) {
      expect(await askOurs(path, line)).toContainEqual(expect.stringMatching(/^Its record is one of another submission/));
      expect(askSecondVerifier(path).stdout).toContain(`DOES NOT HOLD: ${file}, line ${line}: `);
    }
  });
});
