/**
 * Merkle trees as RFC 6962 and RFC 9162 define them: hashes, and the frontier by which a tree grows without its older leaves at hand.
 * Proofs are made and checked in merkle-proof.ts. Sizes reach 2^53 - 1, so no 32-bit operator touches them.
 */
import { hash } from 'node:crypto';

/** Bytes of a hash. */
export const hashLength = 32;

/** Binary levels between two stored levels: a stored node is the root of 256 nodes of the stored level below. */
export const storedHeight = 8;

/** The root of a tree without leaves. */
export const emptyRoot: Buffer = hash('sha256', '', 'buffer');

/** Part of a tree kept so that it can grow: the roots of the full subtrees it consists of, from the largest on the left. */
export interface Frontier {
  readonly size: number;
  /** One for each binary digit 1 of the size. */
  readonly hashes: readonly Buffer[];
}

/** A full subtree of 256^level leaves, the one with this index counted from the left. */
export interface StoredNode {
  /** 1 and above; level 0 are the leaf hashes themselves. */
  readonly level: number;
  readonly index: number;
  readonly hash: Buffer;
}

/** Tree after adding leaves. */
export interface Growth {
  readonly frontier: Frontier;
  readonly root: Buffer;
  /** The stored nodes that became full, in the order in which they did. */
  readonly completed: readonly StoredNode[];
}

/** The frontier of a tree without leaves. */
export const emptyFrontier: Frontier = { size: 0, hashes: [] };

// Hashing is synchronous, so one buffer serves every node.
const pair = Buffer.alloc(1 + 2 * hashLength, 1);

/** The hash of a leaf. */
export function hashLeaf(leaf: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(1 + leaf.length);
  bytes[0] = 0;
  leaf.copy(bytes, 1);
  return hash('sha256', bytes, 'buffer');
}

/** The hash of the node above two hashes of 32 bytes. */
export function hashNode(left: Buffer, right: Buffer): Buffer {
  if (left.length !== hashLength || right.length !== hashLength) {
    throw new RangeError(`a hash has ${hashLength} bytes`);
  }
  left.copy(pair, 1);
  right.copy(pair, 1 + hashLength);
  return hash('sha256', pair, 'buffer');
}

/** The root above adjacent full subtrees of falling size, from left to right. */
export function joinSubtrees(hashes: readonly Buffer[]): Buffer {
  return (
    hashes.reduceRight<Buffer | undefined>((right, left) => (right === undefined ? left : hashNode(left, right)), undefined) ?? emptyRoot
  );
}

/** The root of the tree over these leaf hashes. Of 2^n hashes of one level of a tree, it is the root of the subtree above them. */
export function computeRoot(leafHashes: readonly Buffer[]): Buffer {
  return appendLeaves(emptyFrontier, leafHashes).root;
}

/** The tree after these leaf hashes were appended in their order. Throws a RangeError beyond 2^53 - 1 leaves. */
export function appendLeaves(frontier: Frontier, leafHashes: readonly Buffer[]): Growth {
  if (!Number.isSafeInteger(frontier.size + leafHashes.length)) {
    throw new RangeError('a tree has at most 2^53 - 1 leaves');
  }
  const hashes = [...frontier.hashes];
  const completed: StoredNode[] = [];
  let { size } = frontier;
  for (const leafHash of leafHashes) {
    let top = leafHash;
    let height = 0;
    // Each trailing digit 1 of the size is a full subtree as large as the one that ends here: like the carry of an addition.
    let index = size;
    for (; index % 2 === 1; index = (index - 1) / 2) {
      top = hashNode(hashes.pop()!, top);
      height += 1;
      if (height % storedHeight === 0) {
        completed.push({ level: height / storedHeight, index: (index - 1) / 2, hash: top });
      }
    }
    hashes.push(top);
    size += 1;
  }
  return { frontier: { size, hashes }, root: joinSubtrees(hashes), completed };
}

/** A frontier from its hashes one after the other, as they are stored. Throws a RangeError unless they are as many as the size wants. */
export function readFrontier(size: number, bytes: Buffer): Frontier {
  let wanted = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) {
    wanted += rest % 2;
  }
  if (!Number.isSafeInteger(size) || size < 0 || bytes.length !== wanted * hashLength) {
    throw new RangeError(`${bytes.length} bytes are not the frontier of a tree of ${size} leaves`);
  }
  const hashes = Array.from({ length: wanted }, (_, place) => bytes.subarray(place * hashLength, (place + 1) * hashLength));
  return { size, hashes };
}
