/** Trees that grow by their frontier, against the vectors and the recursive definition of RFC 9162, 2.1.1. */
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVectorJson } from '../../../test/support/evidence-vectors.ts';
import { appendLeaves, emptyFrontier, emptyRoot, type Frontier, hashLeaf, hashNode, readFrontier, computeRoot } from './merkle.ts';

const vectors = readVectorJson<{
  wellKnown: { leavesHex: string[]; roots: string[] };
  numbered: { emptyRoot: string; roots: Record<string, string>; nodesOf256: string[] };
}>('tree.json');
const leafHashes = [...Array(1100).keys()].map((number) => hashLeaf(Buffer.from(`leaf-${number}`)));

/** The definition word for word, with hashes of its own. */
function naiveRoot(leaves: readonly Buffer[]): Buffer {
  const sha256 = (...pieces: Buffer[]) => hash('sha256', Buffer.concat(pieces), 'buffer');
  if (leaves.length <= 1) {
    return leaves[0] ?? sha256();
  }
  const middle = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1);
  return sha256(Buffer.of(1), naiveRoot(leaves.slice(0, middle)), naiveRoot(leaves.slice(middle)));
}

const hex = (hash: Buffer) => hash.toString('hex');

describe('a tree', () => {
  it('has the published roots', () => {
    const hashes = vectors.wellKnown.leavesHex.map((leaf) => hashLeaf(Buffer.from(leaf, 'hex')));
    expect(hashes.map((_, last) => hex(computeRoot(hashes.slice(0, last + 1))))).toEqual(vectors.wellKnown.roots);
  });

  it.each(Object.entries(vectors.numbered.roots))('of %s leaves has root %s', (size, root) => {
    expect(hex(computeRoot(leafHashes.slice(0, Number(size))))).toBe(root);
  });

  it('without leaves has the hash of nothing as its root', () => {
    expect(hex(emptyRoot)).toBe(vectors.numbered.emptyRoot);
    expect(computeRoot([])).toEqual(emptyRoot);
  });

  it('hashes whole hashes alone', () => {
    expect(() => hashNode(emptyRoot, emptyRoot.subarray(1))).toThrow(RangeError);
  });

  it('does not change a frontier it grew from', () => {
    const { frontier } = appendLeaves(emptyFrontier, leafHashes.slice(0, 3));
    const before = frontier.hashes.map(hex);
    appendLeaves(frontier, leafHashes.slice(3, 9));
    expect(frontier.hashes.map(hex)).toEqual(before);
    expect(emptyFrontier).toEqual({ size: 0, hashes: [] });
  });

  it('grows to the recursive definition of each size, however its leaves come', () => {
    let grown: Frontier = emptyFrontier;
    for (let size = 1; size <= leafHashes.length; size++) {
      const { frontier, root } = appendLeaves(grown, [leafHashes[size - 1]!]);
      expect(root.equals(naiveRoot(leafHashes.slice(0, size)))).toBe(true);
      grown = frontier;
    }
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1100 }), fc.array(fc.integer({ min: 0, max: 1100 }), { maxLength: 12 }), (size, cuts) => {
        let frontier: Frontier = emptyFrontier;
        const completed: string[] = [];
        const ends = [...cuts.filter((cut) => cut < size), size].sort((a, b) => a - b);
        for (const end of ends) {
          // As a store keeps it: bytes between one append and the next.
          const kept = readFrontier(frontier.size, Buffer.concat(frontier.hashes));
          const growth = appendLeaves(kept, leafHashes.slice(kept.size, end));
          expect(growth.root).toEqual(naiveRoot(leafHashes.slice(0, end)));
          completed.push(...growth.completed.map((node) => `${node.level}/${node.index} ${hex(node.hash)}`));
          frontier = growth.frontier;
        }
        const full = [...Array(Math.floor(size / 256)).keys()];
        expect(completed).toEqual(full.map((index) => `1/${index} ${hex(naiveRoot(leafHashes.slice(index * 256, (index + 1) * 256)))}`));
      }),
      { numRuns: 50 },
    );
  });

  it('gives the roots of each 256 leaves', () => {
    const { completed } = appendLeaves(emptyFrontier, leafHashes.slice(0, 1000));
    expect(completed.map(({ level, index, hash }) => [level, index, hex(hash)])).toEqual(
      vectors.numbered.nodesOf256.map((hash, index) => [1, index, hash]),
    );
  });

  it('gives the roots of 65,536 leaves too, after the last of their 256', () => {
    const nodes = [...Array(65_536).keys()].map(() => leafHashes[0]!);
    const { completed, root } = appendLeaves(emptyFrontier, nodes);
    expect(completed.length).toBe(257);
    expect(completed.slice(-2).map(({ level, index }) => [level, index])).toEqual([
      [1, 255],
      [2, 0],
    ]);
    expect(completed.at(-1)?.hash).toEqual(root);
    expect(computeRoot(completed.slice(0, 256).map(({ hash }) => hash))).toEqual(root);
  });

  it('goes on beyond sizes of 32 bits', () => {
    const size = 2 ** 40 - 1;
    const frontier: Frontier = { size, hashes: leafHashes.slice(0, 40) };
    const { completed, ...grown } = appendLeaves(frontier, [leafHashes[40]!]);
    expect(grown.frontier).toEqual({ size: 2 ** 40, hashes: [grown.root] });
    expect(completed.map(({ level, index }) => [level, index])).toEqual([
      [1, 2 ** 32 - 1],
      [2, 2 ** 24 - 1],
      [3, 2 ** 16 - 1],
      [4, 2 ** 8 - 1],
      [5, 0],
    ]);
    expect(() => appendLeaves({ size: 2 ** 53 - 1, hashes: [] }, [leafHashes[0]!])).toThrow(RangeError);
  });

  it.each([
    [3, 1],
    [3, 3],
    [0, 1],
    [-1, 0],
    [0.5, 0],
    [2 ** 53, 1],
  ])('is not read as %d leaves from %d hashes', (size, count) => {
    expect(() => readFrontier(size, Buffer.alloc(count * 32))).toThrow(RangeError);
    expect(() => readFrontier(3, Buffer.alloc(63))).toThrow(RangeError);
  });
});
