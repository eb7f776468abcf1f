/** Hashes of a tree from what is stored of it: a few ranges of leaves and nodes, however large it is. */
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { emptyRoot, computeRoot } from '../../../lib/log/merkle.ts';
import {
  assembleProof,
  consistencyParts,
  inclusionParts,
  type ProofPart,
  rootPart,
  storedRange,
  type Subtree,
} from '../../../lib/log/merkle-proof.ts';
import { type EpochRow, listTreeHashes } from '../../audit/index.ts';

type Tree = Pick<EpochRow, 'epoch' | 'base'>;

/** The root of the tree of the first `size` leaves. */
export async function findRoot(context: Context, tree: Tree, size: number): Promise<Buffer> {
  const [root = emptyRoot] = size === 0 ? [] : await proveParts(context, tree, [rootPart(size)]);
  return root;
}

/** The roots of the full subtrees that the tree of the first `size` leaves consists of, the largest first. */
export function findFrontier(context: Context, tree: Tree, size: number): Promise<Buffer[]> {
  return proveParts(
    context,
    tree,
    rootPart(size).map((subtree) => [subtree]),
  );
}

/** The proof that each of these leaves is in the tree of the first `size`, the sibling of the leaf first. */
export async function proveInclusion(context: Context, tree: Tree, indexes: readonly number[], size: number): Promise<Buffer[][]> {
  const parts = indexes.map((index) => inclusionParts(index, size));
  const hashes = await proveParts(context, tree, parts.flat());
  let end = 0;
  return parts.map(({ length }) => {
    end += length;
    return hashes.slice(end - length, end);
  });
}

/** The proof that the tree of `second` leaves begins with that of `first`. */
export function proveConsistency(context: Context, tree: Tree, first: number, second: number): Promise<Buffer[]> {
  return proveParts(context, tree, consistencyParts(first, second));
}

/** The hash of a full subtree. */
export async function findSubtree(context: Context, tree: Tree, subtree: Subtree): Promise<Buffer> {
  const [hash = emptyRoot] = await proveParts(context, tree, [[subtree]]);
  return hash;
}

/** The refusal of whatever needs a hash that is gone. */
export function damagedLog(): AppError {
  return new AppError(
    'FAILED_PRECONDITION',
    'The log is damaged, so nothing can be proved by it. Run `countersign log check`: it says where.',
  );
}

/** FAILED_PRECONDITION where a hash is gone: a check says which. */
async function proveParts(context: Context, tree: Tree, parts: readonly ProofPart[]): Promise<Buffer[]> {
  const stored = await listTreeHashes(context, tree, parts.flat().map(storedRange));
  const hashes = new Map(stored.map(({ level, index, hash }) => [`${level}:${index}`, hash]));
  return assembleProof(parts, (subtree) => {
    const { level, first, count } = storedRange(subtree);
    return computeRoot(
      Array.from({ length: count }, (_, at) => {
        const hash = hashes.get(`${level}:${first + at}`);
        if (hash === undefined) {
          throw damagedLog();
        }
        return hash;
      }),
    );
  });
}
