/** Holds the stored tree against its leaves, and checkpoints against the tree that grows of them. */
import type { Context } from '../../../context.ts';
import { openCheckpoint } from '../../../lib/log/checkpoint.ts';
import { trustLogs } from '../../../lib/log/log-policy.ts';
import { appendLeaves, joinSubtrees, type StoredNode } from '../../../lib/log/merkle.ts';
import { type EntryRow, type EpochRow, listTreeHashes, type LogKey, noteKeyOf } from '../../audit/index.ts';
import { listAnchorsOf } from '../anchors/index.ts';
import { type CheckpointRow, listCheckpoints } from '../tree/index.ts';
import { type CheckState, frontierOf, type OutsideCheckpoint } from './state.ts';

/** A size at which the root is known from somewhere. */
interface Mark {
  readonly size: number;
  /** In base64. */
  readonly root: string;
  /** Its name in the sentence. */
  readonly name: string;
}

const maxCheckpoints = 5_000;

/** Checkpoints of an epoch with more than `after` leaves and at most `size`, with what is wrong with their notes. */
async function readMarks(
  context: Context,
  { epoch, origin }: EpochRow,
  keys: readonly LogKey[],
  bounds: { readonly after: number; readonly size: number },
): Promise<{ marks: Mark[]; sentences: string[] }> {
  const rows = (await listCheckpoints(context, { epoch, size: bounds.after }, maxCheckpoints)).filter(
    (row) => row.epoch === epoch && row.size <= bounds.size,
  );
  const policy = trustLogs(keys.map((key) => noteKeyOf(key, origin)));
  const sentences = rows.filter((row) => !isSigned(policy, row, origin)).map(({ size }) => `Checkpoint ${size}: signature.`);
  const held = await listAnchorsOf(context, epoch, { ...bounds, limit: maxCheckpoints });
  const marks = [
    ...rows.map(({ size, root }) => ({ size, root: root.toString('base64'), name: `checkpoint ${size}` })),
    ...held.map(({ place, size, root, anchoredAt }) => ({
      size,
      root: root.toString('base64'),
      name: `the checkpoint of ${size} that ${place === '' ? 'a file' : place} holds since ${anchoredAt.toISOString()}`,
    })),
  ];
  return { marks, sentences };
}

function isSigned(policy: ReturnType<typeof trustLogs>, { note, size, root }: CheckpointRow, origin: string): boolean {
  try {
    const opened = openCheckpoint(policy, Buffer.from(note));
    return opened.origin === origin && opened.size === size && opened.root.equals(root);
  } catch {
    return false;
  }
}

/** Grows the tree by these entries, which follow each other, and says where it leads elsewhere than it should. */
export async function checkTree(
  context: Context,
  epoch: EpochRow,
  keys: readonly LogKey[],
  rows: readonly EntryRow[],
  outside: readonly OutsideCheckpoint[],
  state: CheckState,
): Promise<{ state: CheckState; sentences: string[] }> {
  const end = state.size + rows.length;
  const { marks: own, sentences } = await readMarks(context, epoch, keys, { after: state.size, size: end });
  const marks = [...own, ...marksOf(outside, epoch.epoch, state.size, end)].toSorted((one, other) => one.size - other.size);
  let frontier = frontierOf(state);
  let { goodSize, isTreeBroken } = state;
  const completed: StoredNode[] = [];
  const grow = (size: number): void => {
    const growth = appendLeaves(
      frontier,
      rows.slice(frontier.size - state.size, size - state.size).map(({ leafHash }) => leafHash),
    );
    completed.push(...growth.completed);
    frontier = growth.frontier;
  };
  for (const { size, root, name } of marks) {
    grow(size);
    if (joinSubtrees(frontier.hashes).toString('base64') === root) {
      goodSize = isTreeBroken ? goodSize : size;
    } else if (!isTreeBroken) {
      isTreeBroken = true;
      sentences.push(`The tree at ${epoch.base + goodSize}..${epoch.base + size - 1} does not lead to ${name}.`);
    }
  }
  grow(end);
  const next = marks.find(({ size }) => size >= end)?.size ?? end;
  sentences.push(...(await checkNodes(context, epoch, completed, next)));
  const hashes = Buffer.concat(frontier.hashes).toString('base64');
  return {
    state: { ...state, size: end, frontier: hashes, goodSize, isTreeBroken, checkpoints: state.checkpoints + own.length },
    sentences,
  };
}

function marksOf(outside: readonly OutsideCheckpoint[], epoch: number, after: number, end: number): Mark[] {
  return outside
    .filter((one) => one.epoch === epoch && one.size > after && one.size <= end)
    .map(({ size, root, file }) => ({ size, root, name: `the checkpoint of ${size} in ${file}` }));
}

/** Stored nodes that are not the root of what is below them. */
async function checkNodes(context: Context, epoch: EpochRow, completed: readonly StoredNode[], next: number): Promise<string[]> {
  const stored = await listTreeHashes(
    context,
    epoch,
    completed.map(({ level, index }) => ({ level, first: index, count: 1 })),
  );
  const hashes = new Map(stored.map(({ level, index, hash }) => [`${level}:${index}`, hash]));
  return completed
    .filter(({ level, index, hash }) => hashes.get(`${level}:${index}`)?.equals(hash) !== true)
    .map(({ level, index }) => {
      const width = 256 ** level;
      return `The tree at ${epoch.base + index * width}..${epoch.base + (index + 1) * width - 1} does not lead to checkpoint ${next}.`;
    });
}

/** The end of an epoch: its tree is as large as it says, has the root it says, and is no smaller than any checkpoint of it. */
export async function checkHead(
  context: Context,
  epoch: EpochRow,
  outside: readonly OutsideCheckpoint[],
  state: CheckState,
): Promise<string[]> {
  const sentences: string[] = [];
  const root = joinSubtrees(frontierOf(state).hashes);
  if (state.size !== epoch.size) {
    sentences.push(`The log has ${state.size} events; its head says ${epoch.size}.`);
  } else if (!root.equals(epoch.root)) {
    sentences.push(
      `The tree at ${epoch.base + state.goodSize}..${epoch.base + Math.max(0, state.size - 1)} does not lead to the head of the log.`,
    );
  }
  const larger = (await listCheckpoints(context, { epoch: epoch.epoch, size: state.size }, maxCheckpoints)).filter(
    (row) => row.epoch === epoch.epoch,
  );
  const largest = larger.at(-1);
  if (largest !== undefined) {
    sentences.push(`The log has ${state.size} events; it signed a checkpoint of ${largest.size}.`);
  }
  for (const { file, size } of outside.filter((one) => one.epoch === epoch.epoch && one.size > state.size)) {
    sentences.push(`The log has ${state.size} events; ${file} holds a checkpoint of ${size}.`);
  }
  return sentences;
}
