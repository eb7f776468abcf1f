/**
 * Inclusion and consistency proofs (RFC 9162, 2.1.3 and 2.1.4). A proof is made in three steps, so that a store is asked once: the parts
 * say which subtrees make each hash of the proof, `storedRange` where their hashes are kept, `assembleProof` puts them together.
 */
import { emptyRoot, hashLength, hashNode, joinSubtrees, storedHeight } from './merkle.ts';

/** The full subtree of 2^height leaves that begins with leaf index x 2^height. */
export interface Subtree {
  readonly height: number;
  readonly index: number;
}

/** The subtrees under one hash of a proof, from left to right. */
export type ProofPart = readonly Subtree[];

/** Neighbouring hashes of one stored level: 0 are the leaf hashes, 1 the roots of 256 leaves, 2 those of 65,536. */
export interface StoredRange {
  readonly level: number;
  readonly first: number;
  /** A power of two, at most 128. */
  readonly count: number;
}

/** The parts of the proof that leaf `index` is in the tree of the first `size` leaves, the sibling of the leaf first. */
export function inclusionParts(index: number, size: number): ProofPart[] {
  if (!isSize(size) || !isSize(index) || index >= size) {
    throw new RangeError(`there is no leaf ${index} in a tree of ${size} leaves`);
  }
  const parts: ProofPart[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const middle = start + largestPowerBelow(end - start);
    if (index < middle) {
      parts.push(subtreesOf(middle, end));
      end = middle;
    } else {
      parts.push(subtreesOf(start, middle));
      start = middle;
    }
  }
  return parts.reverse();
}

/** The parts of the proof that the tree of `second` leaves begins with the tree of `first`; none where one is empty or both are equal. */
export function consistencyParts(first: number, second: number): ProofPart[] {
  if (!isSize(first) || !isSize(second) || first > second) {
    throw new RangeError(`a tree of ${second} leaves cannot begin with one of ${first}`);
  }
  if (first === 0) {
    return [];
  }
  const parts: ProofPart[] = [];
  let start = 0;
  let end = second;
  while (end !== first) {
    const middle = start + largestPowerBelow(end - start);
    if (first <= middle) {
      parts.push(subtreesOf(middle, end));
      end = middle;
    } else {
      parts.push(subtreesOf(start, middle));
      start = middle;
    }
  }
  // Where the first tree is itself a subtree of the second, the verifier has its root already.
  if (start > 0) {
    parts.push(subtreesOf(start, first));
  }
  return parts.reverse();
}

/** The part whose hash is the root of the tree of the first `size` leaves; empty for none, as its root needs no subtree. */
export function rootPart(size: number): ProofPart {
  if (!isSize(size)) {
    throw new RangeError(`${size} is not the size of a tree`);
  }
  return subtreesOf(0, size);
}

/** Stored range of the hashes under a subtree; `rootOf` makes its hash of them. */
export function storedRange({ height, index }: Subtree): StoredRange {
  const count = 2 ** (height % storedHeight);
  return { level: Math.floor(height / storedHeight), first: index * count, count };
}

/** The hashes of a proof, given the hash of each subtree of its parts. */
export function assembleProof(parts: readonly ProofPart[], hashOf: (subtree: Subtree) => Buffer): Buffer[] {
  return parts.map((part) => joinSubtrees(part.map(hashOf)));
}

/** True if the proof shows that the leaf with this hash has this index in the tree of this size and root. Never throws. */
export function verifyInclusion(leafHash: Buffer, index: number, size: number, root: Buffer, proof: readonly Buffer[]): boolean {
  if (!isSize(index) || !isSize(size) || index >= size || !areHashes([leafHash, root, ...proof])) {
    return false;
  }
  const path = createPath(index, size - 1);
  let top = leafHash;
  for (const hash of proof) {
    if (path.isAtTop()) {
      return false;
    }
    top = path.goUp() === 'left' ? hashNode(hash, top) : hashNode(top, hash);
  }
  return path.isAtTop() && top.equals(root);
}

/** True if the proof shows that the tree of `second` leaves begins with the tree of `first`, given the roots of both. Never throws. */
export function verifyConsistency(first: number, second: number, firstRoot: Buffer, secondRoot: Buffer, proof: readonly Buffer[]): boolean {
  if (!isSize(first) || !isSize(second) || first > second || !areHashes([firstRoot, secondRoot, ...proof])) {
    return false;
  }
  if (first === second || first === 0) {
    return proof.length === 0 && (first === second ? firstRoot.equals(secondRoot) : firstRoot.equals(emptyRoot));
  }
  const path = createPath(first - 1, second - 1);
  const isWhole = path.skipFullSubtree() === 0;
  const [bottom, ...rest] = isWhole ? [firstRoot, ...proof] : proof;
  if (bottom === undefined) {
    return false;
  }
  let topOfFirst = bottom;
  let topOfSecond = bottom;
  for (const hash of rest) {
    if (path.isAtTop()) {
      return false;
    }
    if (path.goUp() === 'left') {
      topOfFirst = hashNode(hash, topOfFirst);
      topOfSecond = hashNode(hash, topOfSecond);
    } else {
      topOfSecond = hashNode(topOfSecond, hash);
    }
  }
  return path.isAtTop() && topOfFirst.equals(firstRoot) && topOfSecond.equals(secondRoot);
}

/** The way from a node to the root: its index on the present level, and that of the last node of the level. */
function createPath(startIndex: number, startLast: number) {
  let index = startIndex;
  let last = startLast;
  const rise = (): void => {
    index = Math.floor(index / 2);
    last = Math.floor(last / 2);
  };
  return {
    isAtTop: (): boolean => last === 0,
    /** To the first ancestor with a sibling; says on which side the sibling is. */
    goUp(): 'left' | 'right' {
      const isRightmost = index === last;
      if (!isRightmost && index % 2 === 0) {
        rise();
        return 'right';
      }
      // The last node of a level may be without a sibling there: it goes up unchanged until it is the right one of a pair.
      while (index % 2 === 0 && index !== 0) {
        rise();
      }
      rise();
      return 'left';
    },
    /** To the root of the largest full subtree that ends with the node; says which index it has. */
    skipFullSubtree(): number {
      while (index % 2 === 1) {
        rise();
      }
      return index;
    },
  };
}

function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function areHashes(hashes: readonly Buffer[]): boolean {
  return hashes.every((hash) => hash.length === hashLength);
}

function largestPowerBelow(value: number): number {
  let power = 1;
  while (power * 2 < value) {
    power *= 2;
  }
  return power;
}

/** The full subtrees of the leaves from start to before end, largest first; start is a multiple of the largest. */
function subtreesOf(start: number, end: number): Subtree[] {
  const found: Subtree[] = [];
  let at = start;
  for (let height = 52; height >= 0; height--) {
    const count = 2 ** height;
    if (end - at >= count) {
      found.push({ height, index: at / count });
      at += count;
    }
  }
  return found;
}
