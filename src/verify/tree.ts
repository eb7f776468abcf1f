/** The tree of the log in a bundle: subtrees without their leaves, and the leaves where the events of the bundle are. */
import { hashLength, hashNode, joinSubtrees } from '../lib/log/merkle.ts';
import { readBase64 } from '../lib/log/signed-note.ts';
import { readFields } from './fields.ts';
import type { Bundle } from './members.ts';
import type { OpenedCheckpoint } from '../lib/log/checkpoint.ts';

const file = 'log/tree.jsonl';

/** Subtrees of falling size from the left, as a tree grows by whole subtrees. */
interface Grown {
  readonly sizes: number[];
  readonly hashes: Buffer[];
}

/** The leaves of a tree that a bundle has. */
export interface KnownTree {
  /** The hash of the leaf with this index; undefined where the bundle does not have it. */
  readonly leaf: (index: number) => Buffer | undefined;
  /** The root of the tree of the first so many leaves; undefined where the bundle cannot say. */
  readonly rootAt: (size: number) => Buffer | undefined;
}

/** Checks that the tree leads to the checkpoint, and returns its leaves. */
export function readTree(bundle: Bundle, checkpoint: OpenedCheckpoint | undefined, wanted: ReadonlySet<number>): KnownTree {
  const { findings } = bundle;
  const runs: { readonly start: number; readonly leaves: Buffer }[] = [];
  const grown: Grown = { sizes: [], hashes: [] };
  let size = 0;
  let number = 0;
  const roots = new Map<number, Buffer>();
  for (const lines of bundle.lines(file)) {
    for (const line of lines) {
      number += 1;
      const fields = readFields(line.toString());
      const leaves = fields?.has('leaves') === true ? readBase64(fields.text('leaves')) : undefined;
      const hash = fields?.has('hash') === true ? readBase64(fields.text('hash')) : undefined;
      const count = leaves === undefined ? (fields?.whole('size') ?? 0) : leaves.length / hashLength;
      const isSound =
        fields?.whole('start') === size &&
        Number.isInteger(count) &&
        count > 0 &&
        (leaves !== undefined || (hash?.length === hashLength && isPower(count) && size % count === 0));
      if (!isSound) {
        findings.add(file, 'It is no part of a tree, or not the next one.', { line: number });
        return { leaf: () => undefined, rootAt: () => undefined };
      }
      if (leaves === undefined) {
        grow(grown, count, hash!);
      } else {
        runs.push({ start: size, leaves });
        for (let at = 0; at < leaves.length; at += hashLength) {
          const before = size + at / hashLength;
          if (wanted.has(before)) {
            roots.set(before, joinSubtrees(grown.hashes));
          }
          grow(grown, 1, leaves.subarray(at, at + hashLength));
        }
      }
      size += count;
      if (wanted.has(size)) {
        roots.set(size, joinSubtrees(grown.hashes));
      }
    }
  }
  const root = joinSubtrees(grown.hashes);
  if (checkpoint !== undefined && (size !== checkpoint.size || !root.equals(checkpoint.root))) {
    findings.add(file, `The tree of ${size} leaves does not lead to the checkpoint of ${checkpoint.size}.`, { from: ['log/checkpoint'] });
  }
  return {
    leaf: (index) => {
      const run = runs[findRun(runs, index)];
      const at = run === undefined ? -1 : (index - run.start) * hashLength;
      return run !== undefined && at >= 0 && at < run.leaves.length ? run.leaves.subarray(at, at + hashLength) : undefined;
    },
    rootAt: (wantedSize) => roots.get(wantedSize),
  };
}

function isPower(count: number): boolean {
  return Number.isInteger(Math.log2(count));
}

/** Appends a full subtree; two of one size become one of twice the size. */
function grow({ sizes, hashes }: Grown, count: number, hash: Buffer): void {
  let top = hash;
  let size = count;
  while (sizes.at(-1) === size) {
    sizes.pop();
    top = hashNode(hashes.pop()!, top);
    size *= 2;
  }
  sizes.push(size);
  hashes.push(top);
}

/** Index of the last run that begins at or before a leaf. */
function findRun(runs: readonly { readonly start: number }[], index: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle]!.start <= index) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}
