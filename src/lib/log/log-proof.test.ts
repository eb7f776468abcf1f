/** Proof files against the vector; every change of a byte is found. */
import { describe, expect, it } from 'vitest';
import { readVector, readVectorJson } from '../../../test/support/evidence-vectors.ts';
import { readLogPolicy, trustLogs } from './log-policy.ts';
import { openLogProof, readLogProof, writeLogProof } from './log-proof.ts';
import { appendLeaves, emptyFrontier, computeRoot } from './merkle.ts';
import { assembleProof, inclusionParts } from './merkle-proof.ts';
import { readVkey } from './signed-note.ts';

const { generations } = readVectorJson<{ generations: { vkey: string }[] }>('keys.json');
const { leaves } = readVectorJson<{ leaves: { leafHash: string }[] }>('leaves.json');
const leafHashes = leaves.map(({ leafHash }) => Buffer.from(leafHash, 'hex'));
const ours = trustLogs([readVkey(generations[0]!.vkey)]);
const file = readVector('checkpoints/good.tlog-proof');
const note = readVector('checkpoints/good.txt');
const text = file.toString();

describe('a proof file', () => {
  it('says where an event is, and holds for that event alone', () => {
    const opened = openLogProof(ours, file, leafHashes[5]!);
    expect(opened).toMatchObject({ index: 5, checkpoint: { size: 8, root: appendLeaves(emptyFrontier, leafHashes).root } });
    for (const other of leafHashes.filter((_, index) => index !== 5)) {
      expect(() => openLogProof(ours, file, other)).toThrow('The proof does not show that leaf 5 is in the tree of 8 leaves.');
    }
  });

  it('is written byte for byte from a proof', () => {
    const proof = assembleProof(inclusionParts(5, 8), ({ height, index }) =>
      computeRoot(leafHashes.slice(index * 2 ** height, (index + 1) * 2 ** height)),
    );
    expect(writeLogProof({ index: 5, proof, note })).toBe(text);
    expect(readLogProof(file)).toEqual({ index: 5, proof, note });
  });

  it('holds no more once any byte of it is changed', () => {
    for (let at = 0; at < file.length; at++) {
      const changed = Buffer.from(file);
      changed[at] = changed[at]! ^ 1;
      expect(() => openLogProof(ours, changed, leafHashes[5]!)).toThrow(expect.objectContaining({ name: 'NoteError' }));
    }
  });

  it('is held to the policy', () => {
    const policy = readLogPolicy(readVector('checkpoints/policy.txt'));
    expect(() => openLogProof(policy, file, leafHashes[5]!)).toThrow(/Fewer witnesses/);
    const cosigned = writeLogProof({ ...readLogProof(file), note: readVector('checkpoints/good-cosigned.txt') });
    expect(openLogProof(policy, Buffer.from(cosigned), leafHashes[5]!).checkpoint.cosignatures).toHaveLength(1);
  });

  it('may carry extra data, which counts for nothing', () => {
    const withExtra = text.replace('index', 'extra AAAA\nindex');
    expect(openLogProof(ours, Buffer.from(withExtra), leafHashes[5]!).index).toBe(5);
  });

  it.each([
    ['nothing', '', /head, an empty line/],
    ['no checkpoint', text.split('\n\n')[0]!, /head, an empty line/],
    ['another first line', text.replace('@v1', '@v2'), /begins with/],
    ['extra data that is odd', text.replace('index', 'extra A\nindex'), /says "index"/],
    ['extra data twice', text.replace('index', 'extra AAAA\nextra AAAA\nindex'), /says "index"/],
    ['a zero before the index', text.replace('index 5', 'index 05'), /says "index"/],
    ['no index', text.replace('index 5\n', ''), /says "index"/],
    ['an index beyond 2^53 - 1', text.replace('index 5', 'index 9007199254740992'), /says "index"/],
    ['a short hash', text.replace('u6by', ''), /hashes of a proof/],
    ['odd base64', text.replace('E88=', 'E89='), /hashes of a proof/],
    ['too many hashes', text.replace('index 5\n', `index 5\n${`${leafHashes[0]!.toString('base64')}\n`.repeat(60)}`), /hashes of a proof/],
    ['a bad checkpoint', text.replace('\n8\n', '\n9\n'), /signature of .* is wrong/],
  ])('with %s is refused', (_, odd, reason) => {
    expect(() => openLogProof(ours, Buffer.from(odd), leafHashes[5]!)).toThrow(
      expect.objectContaining({ name: 'NoteError', message: expect.stringMatching(reason) }),
    );
  });

  it('is UTF-8', () => {
    expect(() => readLogProof(Buffer.concat([Buffer.of(0xff), file]))).toThrow(/UTF-8/);
  });
});
