/** Checkpoints against the vectors, with and without a policy; every change of a byte is found. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readVector, readVectorJson } from '../../../test/support/evidence-vectors.ts';
import { createWitness } from '../../../test/support/witness.ts';
import { deriveLogSeed, openCheckpoint, signCheckpoint, writeCheckpointText } from './checkpoint.ts';
import { readLogPolicy, trustLogs } from './log-policy.ts';
import { computeRoot } from './merkle.ts';
import { verifyConsistency } from './merkle-proof.ts';
import { createNoteSigner, readVkey, signNote } from './signed-note.ts';

const { origin, secretHex, generations } = readVectorJson<{
  origin: string;
  secretHex: string;
  generations: { generation: number; seedHex: string; vkey: string }[];
}>('keys.json');
const { tenant, leaves } = readVectorJson<{ tenant: string; leaves: { leafHash: string }[] }>('leaves.json');
const leafHashes = leaves.map(({ leafHash }) => Buffer.from(leafHash, 'hex'));
const signers = generations.map(({ seedHex }) => createNoteSigner(origin, Buffer.from(seedHex, 'hex')));
const [first, second] = generations.map(({ vkey }) => readVkey(vkey)) as [ReturnType<typeof readVkey>, ReturnType<typeof readVkey>];
const ours = trustLogs([first]);
const policy = readLogPolicy(readVector('checkpoints/policy.txt'));
const readNote = (name: string) => readVector(`checkpoints/${name}`);
const wholeTree = { origin, size: 8, root: computeRoot(leafHashes) };

/** A note of any text, signed as if it were a checkpoint. */
const signed = (text: string) => Buffer.from(signNote([signers[0]!], text));

describe('the seeds of a log', () => {
  it.each(generations)('of generation $generation follow from its secret', ({ generation, seedHex }) => {
    expect(deriveLogSeed(Buffer.from(secretHex, 'hex'), tenant, generation).toString('hex')).toBe(seedHex);
  });
});

describe('a checkpoint', () => {
  it.each([
    ['good.txt', 8],
    ['good-size-5.txt', 5],
  ])('%s is what the log signs of its first %d events', (name, size) => {
    const checkpoint = { origin, size, root: computeRoot(leafHashes.slice(0, size)) };
    expect(signCheckpoint([signers[0]!], checkpoint)).toBe(readNote(name).toString());
    expect(openCheckpoint(ours, readNote(name))).toEqual({
      ...checkpoint,
      text: writeCheckpointText(checkpoint),
      signers: [first],
      cosignatures: [],
    });
  });

  it('is signed by two keys while one replaces the other', () => {
    expect(signCheckpoint(signers, wholeTree)).toBe(readNote('good-rotated.txt').toString());
    expect(openCheckpoint(trustLogs([second, first]), readNote('good-rotated.txt')).signers).toEqual([first, second]);
    for (const key of [first, second]) {
      expect(openCheckpoint(trustLogs([key]), readNote('good-rotated.txt'))).toMatchObject({ ...wholeTree, signers: [key] });
    }
  });

  it('is cosigned as the policy demands', () => {
    expect(openCheckpoint(policy, readNote('good-cosigned.txt'))).toMatchObject({
      ...wholeTree,
      signers: policy.logs,
      cosignatures: [{ key: policy.witnesses[0], cosignedAt: expect.any(Number) }],
    });
    expect(() => openCheckpoint(policy, readNote('good.txt'))).toThrow('Fewer witnesses cosigned the checkpoint than the policy demands.');
    expect(openCheckpoint(ours, readNote('good-cosigned.txt')).cosignatures).toEqual([]);
  });

  it('is consistent with the one before', () => {
    const { proof, ...sizes } = readVectorJson<{ first: number; second: number; proof: string[] }>('checkpoints/consistency-5-8.json');
    const before = openCheckpoint(ours, readNote('good-size-5.txt'));
    const after = openCheckpoint(ours, readNote('good.txt'));
    const hashes = proof.map((hash) => Buffer.from(hash, 'base64'));
    expect(sizes).toEqual({ first: before.size, second: after.size });
    expect(verifyConsistency(before.size, after.size, before.root, after.root, hashes)).toBe(true);
  });

  const reasons: Readonly<Record<string, RegExp>> = {
    'bad-cosignature.txt': /^The cosignature of witness.example.org\/w1 is wrong/,
    'bad-crlf.txt': /control characters/,
    'bad-key-id.txt': /^No known key signed/,
    'bad-leading-zero.txt': /size of a checkpoint/,
    'bad-origin.txt': /^No known key signed/,
    'bad-other-key.txt': /^No known key signed/,
    'bad-root.txt': /^The signature of reviews.example.com\/log\/.* is wrong/,
    'bad-signature.txt': /^The signature of .* is wrong/,
    'bad-size.txt': /^The signature of .* is wrong/,
    'bad-unsigned.txt': /has 0 signatures/,
  };
  const bad = readdirSync(join(import.meta.dirname, '../../../test/vectors/evidence/checkpoints')).filter((name) => name.startsWith('bad'));

  it('has a reason for each bad vector', () => {
    expect(bad.sort()).toEqual(Object.keys(reasons).sort());
  });

  it.each(bad)('%s is refused', (name) => {
    const refused = expect.objectContaining({ name: 'NoteError', message: expect.stringMatching(reasons[name]!) });
    expect(() => openCheckpoint(policy, readNote(name))).toThrow(refused);
    // A cosignature counts for nothing where its witness is unknown.
    if (name !== 'bad-cosignature.txt') {
      expect(() => openCheckpoint(ours, readNote(name))).toThrow(refused);
    }
  });

  it.each([
    ['good.txt', ours],
    ['good-cosigned.txt', policy],
  ])('%s is refused once any byte of it is changed', (name, known) => {
    const note = readNote(name);
    for (let at = 0; at < note.length; at++) {
      const changed = Buffer.from(note);
      changed[at] = changed[at]! ^ 1;
      expect(() => openCheckpoint(known, changed)).toThrow(expect.objectContaining({ name: 'NoteError' }));
    }
  });

  const root = wholeTree.root.toString('base64');
  it.each([
    ['a fourth line', `${origin}\n8\n${root}\nmore\n`, /exactly three lines/],
    ['two lines', `${origin}\n8\n`, /exactly three lines/],
    ['an empty line', `${origin}\n8\n\n${root}\n`, /exactly three lines/],
    ['no origin', `\n8\n${root}\n`, /exactly three lines/],
    ['no size', `${origin}\n\n${root}\n`, /size of a checkpoint/],
    ['a sign', `${origin}\n+8\n${root}\n`, /size of a checkpoint/],
    ['a fraction', `${origin}\n8.0\n${root}\n`, /size of a checkpoint/],
    ['2^53 leaves', `${origin}\n9007199254740992\n${root}\n`, /size of a checkpoint/],
    ['half a root', `${origin}\n8\n${root.slice(0, 20)}\n`, /root of a checkpoint/],
    ['base64 that is odd', `${origin}\n8\n${root.replace('=', '')}\n`, /root of a checkpoint/],
    ['another log', `other.example\n8\n${root}\n`, /one of other.example, but signed by a key of reviews.example.com/],
  ])('with %s is refused, though signed', (_, text, reason) => {
    expect(() => openCheckpoint(ours, signed(text))).toThrow(expect.objectContaining({ message: expect.stringMatching(reason) }));
  });

  it('is not signed by nobody, by a key of another name, or for what cannot be read back', () => {
    const other = createNoteSigner('other.example', Buffer.alloc(32));
    expect(() => signCheckpoint([], wholeTree)).toThrow(/name of the log/);
    expect(() => signCheckpoint([signers[0]!, other], wholeTree)).toThrow(/name of the log/);
    expect(() => writeCheckpointText({ ...wholeTree, size: 1.5 })).toThrow(/size of a checkpoint/);
    expect(() => writeCheckpointText({ ...wholeTree, root: Buffer.alloc(31) })).toThrow(/root of a checkpoint/);
    expect(() => writeCheckpointText({ ...wholeTree, origin: 'a\nb' })).toThrow(/three lines/);
  });

  it('needs its log, however many witnesses know it', () => {
    const witness = createWitness('w.example', 9);
    const text = writeCheckpointText(wholeTree);
    const line = witness.cosign(text, 1_700_000_000);
    const known = { ...ours, witnesses: [witness.key] };
    expect(() => openCheckpoint(known, Buffer.from(`${text}\n${line}`))).toThrow('No known log signed the checkpoint.');
    expect(openCheckpoint(known, Buffer.concat([signed(text), Buffer.from(line)])).cosignatures).toEqual([
      { key: witness.key, cosignedAt: 1_700_000_000 },
    ]);
  });
});
