/** Proofs against the vectors; all proofs of many trees hold, and none with anything changed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectorJson } from '../../../test/support/evidence-vectors.ts';
import { appendLeaves, emptyFrontier, emptyRoot, hashLeaf, computeRoot } from './merkle.ts';
import {
  assembleProof,
  consistencyParts,
  inclusionParts,
  type ProofPart,
  rootPart,
  type StoredRange,
  storedRange,
  verifyConsistency,
  verifyInclusion,
} from './merkle-proof.ts';

const { numbered } = readVectorJson<{
  numbered: {
    inclusion: { index: number; size: number; proof: string[] }[];
    consistency: { first: number; second: number; proof: string[] }[];
  };
}>('tree.json');
const leafHashes = [...Array(1100).keys()].map((number) => hashLeaf(Buffer.from(`leaf-${number}`)));
const levels = [leafHashes, appendLeaves(emptyFrontier, leafHashes).completed.map(({ hash }) => hash)];

/** As a store would: whole stored ranges, full ones alone. */
function readRange({ level, first, count }: StoredRange): Buffer[] {
  const found = levels[level]?.slice(first, first + count) ?? [];
  expect(found.length).toBe(count);
  return found;
}
const assemble = (parts: ProofPart[]) => assembleProof(parts, (subtree) => computeRoot(readRange(storedRange(subtree))));
const proveInclusion = (index: number, size: number) => assemble(inclusionParts(index, size));
const proveConsistency = (first: number, second: number) => assemble(consistencyParts(first, second));
const roots = new Map<number, Buffer>();
const rootAt = (size: number): Buffer => {
  const root = roots.get(size) ?? computeRoot(leafHashes.slice(0, size));
  roots.set(size, root);
  return root;
};

/** Every way to change one bit of one hash, to leave one hash out, to add one or to swap two, as proofs; the bits are picked by `seed`. */
function changesOf(proof: readonly Buffer[], seed: number): Buffer[][] {
  const flip = (hash: Buffer, bit: number) => Buffer.from(hash.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)));
  const flipped = proof.map((hash, at) => proof.with(at, flip(hash, (seed + at * 37) % 256)));
  const without = proof.map((_, at) => proof.toSpliced(at, 1));
  const swapped = proof.slice(1).map((hash, at) => proof.with(at, hash).with(at + 1, proof[at]!));
  const cut = proof.map((hash, at) => proof.with(at, hash.subarray(1)));
  return [...flipped, ...without, ...swapped, ...cut, [...proof, leafHashes[seed % 1000]!], [leafHashes[seed % 1000]!, ...proof]];
}

describe('an inclusion proof', () => {
  it.each(numbered.inclusion)('of leaf $index of $size is as published', ({ index, size, proof }) => {
    expect(proveInclusion(index, size).map((hash) => hash.toString('base64'))).toEqual(proof);
    const hashes = proof.map((hash) => Buffer.from(hash, 'base64'));
    expect(verifyInclusion(leafHashes[index]!, index, size, rootAt(size), hashes)).toBe(true);
  });

  it('holds for every leaf of every small tree, and of one leaf alone', () => {
    for (let size = 1; size <= 20; size++) {
      for (let index = 0; index < size; index++) {
        const proof = proveInclusion(index, size);
        for (let other = 0; other < size; other++) {
          expect(verifyInclusion(leafHashes[other]!, index, size, rootAt(size), proof)).toBe(other === index);
          expect(verifyInclusion(leafHashes[index]!, other, size, rootAt(size), proof)).toBe(other === index);
        }
      }
    }
  });

  it('holds in trees of any size, and not once anything is changed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1100 }), fc.nat(), fc.nat(), (size, pick, seed) => {
        const index = pick % size;
        const leaf = leafHashes[index]!;
        const proof = proveInclusion(index, size);
        expect(verifyInclusion(leaf, index, size, rootAt(size), proof)).toBe(true);
        for (const changed of changesOf(proof, seed)) {
          expect(verifyInclusion(leaf, index, size, rootAt(size), changed)).toBe(false);
        }
        expect(verifyInclusion(leaf, index, size, leafHashes[0]!, proof)).toBe(size === 1);
      }),
    );
  });

  it('is not accepted for what is no leaf of a tree', () => {
    const root = rootAt(5);
    for (const [index, size] of [
      [5, 5],
      [-1, 5],
      [0.5, 5],
      [0, 0],
      [0, 2 ** 53],
      [Number.NaN, 5],
    ] as const) {
      expect(verifyInclusion(leafHashes[0]!, index, size, root, [])).toBe(false);
      expect(() => inclusionParts(index, size)).toThrow(RangeError);
    }
    expect(verifyInclusion(root.subarray(1), 0, 1, root.subarray(1), [])).toBe(false);
  });
});

describe('a consistency proof', () => {
  it.each(numbered.consistency)('from $first to $second is as published', ({ first, second, proof }) => {
    expect(proveConsistency(first, second).map((hash) => hash.toString('base64'))).toEqual(proof);
    const hashes = proof.map((hash) => Buffer.from(hash, 'base64'));
    expect(verifyConsistency(first, second, rootAt(first), rootAt(second), hashes)).toBe(true);
  });

  it('holds between all small trees, and between no others', () => {
    for (let second = 0; second <= 24; second++) {
      for (let first = 0; first <= second; first++) {
        const proof = proveConsistency(first, second);
        expect(verifyConsistency(first, second, rootAt(first), rootAt(second), proof)).toBe(true);
        expect(verifyConsistency(first, second, leafHashes[50]!, rootAt(second), proof)).toBe(false);
        if (first > 0) {
          expect(verifyConsistency(first, second, rootAt(first), leafHashes[50]!, proof)).toBe(false);
        }
      }
    }
  });

  it('holds between trees of any size, and not once anything is changed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1100 }), fc.nat(), fc.nat(), (second, pick, seed) => {
        const first = 1 + (pick % second);
        const proof = proveConsistency(first, second);
        expect(verifyConsistency(first, second, rootAt(first), rootAt(second), proof)).toBe(true);
        for (const changed of changesOf(proof, seed)) {
          expect(verifyConsistency(first, second, rootAt(first), rootAt(second), changed)).toBe(false);
        }
      }),
    );
  });

  it('is not accepted backwards, for odd sizes, or from an empty tree with a root', () => {
    for (const [first, second] of [
      [5, 4],
      [-1, 4],
      [0.5, 4],
      [1, 2 ** 53],
    ] as const) {
      expect(verifyConsistency(first, second, rootAt(4), rootAt(4), [])).toBe(false);
      expect(() => consistencyParts(first, second)).toThrow(RangeError);
    }
    expect(verifyConsistency(0, 4, emptyRoot, rootAt(4), [])).toBe(true);
    expect(verifyConsistency(0, 4, rootAt(4), rootAt(4), [])).toBe(false);
    expect(verifyConsistency(0, 4, emptyRoot, rootAt(4), [emptyRoot])).toBe(false);
    expect(verifyConsistency(3, 4, rootAt(3), rootAt(4), [])).toBe(false);
  });
});

describe('the parts of a proof', () => {
  it('give the root of any earlier size', () => {
    for (const size of [0, 1, 255, 256, 257, 1100]) {
      expect(assemble([rootPart(size)])).toEqual([rootAt(size)]);
    }
    expect(() => rootPart(-1)).toThrow(RangeError);
  });

  it('stay few and small in a tree of 2^53 - 1 leaves', () => {
    const size = 2 ** 53 - 1;
    for (const parts of [inclusionParts(size - 1, size), inclusionParts(2 ** 40, size), consistencyParts(2 ** 45 + 1, size)]) {
      expect(parts.length).toBeLessThanOrEqual(54);
      for (const { level, first, count } of parts.flat().map(storedRange)) {
        expect(count).toBeLessThanOrEqual(128);
        expect((first + count) * 256 ** level).toBeLessThanOrEqual(size);
      }
    }
  });
});
