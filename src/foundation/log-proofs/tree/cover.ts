/**
 * A tree in parts from left to right, so that leaves in it can be held against its root by somebody who has no proof for each of them: runs of 256
 * leaves where they are wanted, and the hashes of full subtrees elsewhere.
 */
import type { Context } from '../../../context.ts';
import { type EpochRow, listTreeHashes } from '../../audit/index.ts';
import { damagedLog, findSubtree } from './read-tree.ts';

/** A part: the leaves of a run, or the hash of a full subtree of `size` leaves. `start` counts leaves. */
type CoverPart =
  | { readonly start: number; readonly leaves: readonly Buffer[] }
  | { readonly start: number; readonly size: number; readonly hash: Buffer };

const run = 256;

/**
 * The parts of the tree of the first `size` leaves from `start` on, at most `limit`. `findNext` returns the first wanted leaf from an index on;
 * undefined for none.
 */
export async function coverTree(
  context: Context,
  tree: Pick<EpochRow, 'epoch' | 'base'>,
  { size, start, limit }: { readonly size: number; readonly start: number; readonly limit: number },
  findNext: (from: number) => Promise<number | undefined>,
): Promise<CoverPart[]> {
  const parts: CoverPart[] = [];
  let at = start;
  while (at < size && parts.length < limit) {
    const wanted = await findNext(at);
    const next = wanted === undefined || wanted >= size ? size : wanted - (wanted % run);
    while (at < next && next - at >= run && parts.length < limit) {
      const count = largestSubtree(at, next);
      const hash = await findSubtree(context, tree, { height: Math.log2(count), index: at / count });
      parts.push({ start: at, size: count, hash });
      at += count;
    }
    // A run that is wanted, or the last one, which is not full.
    if (at < size && parts.length < limit && (at === next || size - at < run)) {
      const end = Math.min(at + run, size);
      parts.push({ start: at, leaves: await listLeaves(context, tree, at, end) });
      at = end;
    }
  }
  return parts;
}

/** Leaves of the largest full subtree that begins at a run and ends by `end`. */
function largestSubtree(start: number, end: number): number {
  let count = run;
  while (start % (count * 2) === 0 && start + count * 2 <= end) {
    count *= 2;
  }
  return count;
}

async function listLeaves(context: Context, tree: Pick<EpochRow, 'epoch' | 'base'>, start: number, end: number): Promise<Buffer[]> {
  const rows = await listTreeHashes(context, tree, [{ level: 0, first: start, count: end - start }]);
  if (rows.length !== end - start) {
    throw damagedLog();
  }
  return rows.toSorted((one, other) => one.index - other.index).map(({ hash }) => hash);
}
