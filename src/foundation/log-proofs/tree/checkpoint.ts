/**
 * Checkpoints of a tenant's log: signed statements of its size and root. Before it signs, the log compares itself with the largest checkpoint that
 * it signed; a log that is smaller or another one is behind, and signs nothing until somebody restarts it.
 */
import { AppError, invalidField, isAppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { signCheckpoint } from '../../../lib/log/checkpoint.ts';
import { type EpochRow, findSigners, listEpochs, recordOccurrence, sealLog, updateBehind } from '../../audit/index.ts';
import { findRoot } from './read-tree.ts';
import { type CheckpointRow, findCheckpoint, insertCheckpoint } from './store-checkpoints.ts';

/** A checkpoint, and the tree it is of. */
export interface TreeHead {
  readonly epoch: EpochRow;
  readonly checkpoint: CheckpointRow;
}

/** Time a reader waits for others who seal. */
const longestWaitMs = 2_000;

/** The error of a log that is behind a checkpoint of its own. */
function behindError(epoch: Pick<EpochRow, 'size'>): AppError {
  return new AppError(
    'FAILED_PRECONDITION',
    `The log has ${epoch.size} events and is not what an earlier checkpoint of it says: it was cut or changed, or restored from an old backup. Nothing is recorded in it until \`countersign log restart --reason\`.`,
  );
}

/** Seals what is committed, as far as that is possible now. */
export async function sealFirst(context: Context): Promise<void> {
  await sealLog(context, { forMs: longestWaitMs, waitsForLock: true }).catch((error: unknown) => {
    context.log.warn({ err: error }, 'the log could not be sealed before it was read');
  });
}

/** An epoch by its number; 0 is the open one. INVALID_ARGUMENT for one that is not there. */
export async function findEpoch(context: Context, number: number): Promise<EpochRow> {
  const epochs = await listEpochs(context);
  const found = number === 0 ? epochs.findLast(({ state }) => state === 'OPEN') : epochs.find(({ epoch }) => epoch === number);
  if (found === undefined) {
    throw number === 0
      ? new AppError('FAILED_PRECONDITION', 'The log has not begun yet.')
      : invalidField('epoch', `names none of the ${epochs.length} epochs of the log`);
  }
  return found;
}

/** The name of the tenant's log. One that has not begun begins with it: with a first seal, for which no transaction may be open. */
export async function findOrigin(context: Context): Promise<string> {
  const open = (await listEpochs(context)).findLast(({ state }) => state === 'OPEN');
  if (open !== undefined) {
    return open.origin;
  }
  await sealFirst(context);
  return (await findEpoch(context, 0)).origin;
}

/**
 * The checkpoint of an epoch's tree, 0 being the open one: of its first `size` leaves, or of all. What is committed is sealed first, unless the
 * tree has that size already. INVALID_ARGUMENT for a size beyond the tree.
 */
export async function findHead(context: Context, epochNumber: number, size: number | undefined): Promise<TreeHead> {
  const epoch = (await findSealedTo(context, epochNumber, size)) ?? (await sealAndFind(context, epochNumber));
  if (size !== undefined && size > epoch.size) {
    throw invalidField('size', `is beyond the log, which has ${epoch.size} events`);
  }
  if (epoch.state === 'ENDED') {
    return { epoch, checkpoint: await findOfEnded(context, epoch, size) };
  }
  if (size === undefined || size === epoch.size) {
    return { epoch, checkpoint: await signHead(context, epoch) };
  }
  return { epoch, checkpoint: (await findCheckpoint(context, epoch.epoch, size)) ?? (await sign(context, epoch, size)) };
}

/** The epoch as it is, if it has these leaves without a seal. */
async function findSealedTo(context: Context, number: number, size: number | undefined): Promise<EpochRow | undefined> {
  const epochs = size === undefined ? [] : await listEpochs(context);
  return epochs.find(
    ({ epoch, state, size: has }) => (number === 0 ? state === 'OPEN' : epoch === number) && size !== undefined && size <= has,
  );
}

/** An epoch with all that is committed; a log that has not begun begins. */
export async function sealAndFind(context: Context, number: number): Promise<EpochRow> {
  await sealFirst(context);
  return findEpoch(context, number);
}

/** The newest checkpoint that was signed, of whichever epoch; undefined before the first. Nothing is sealed or signed. */
export async function findNewest(context: Context): Promise<TreeHead | undefined> {
  for (const epoch of (await listEpochs(context)).reverse()) {
    const checkpoint = await findCheckpoint(context, epoch.epoch);
    if (checkpoint !== undefined) {
      return { epoch, checkpoint };
    }
  }
  return undefined;
}

/** Seals what is committed and signs it, as far as that is possible now: a log that is behind signs nothing. Not inside a transaction. */
export async function signNow(context: Context): Promise<void> {
  try {
    await findHead(context, 0, undefined);
  } catch (error) {
    if (!isAppError(error, 'FAILED_PRECONDITION')) {
      throw error;
    }
  }
}

/** Rethrows what `findHead` says of a size under the name that the request has for it. */
export function renameSize(field: string): (error: unknown) => never {
  return (error) => {
    const [violation] = error instanceof AppError ? (error.violations ?? []) : [];
    throw violation?.field === 'size' ? invalidField(field, violation.description) : error;
  };
}

/** An ended tree is signed no more: nobody can say any longer that it was not changed since. */
async function findOfEnded(context: Context, epoch: EpochRow, size: number | undefined): Promise<CheckpointRow> {
  const found = await findCheckpoint(context, epoch.epoch, size);
  if (found === undefined) {
    throw invalidField('size', `is that of no checkpoint of the epoch ${epoch.epoch}, which has ended: list the checkpoints`);
  }
  return found;
}

/** The checkpoint of the whole tree: the one there is, or a new one, which is kept. */
export async function signHead(context: Context, epoch: EpochRow): Promise<CheckpointRow> {
  if (epoch.behindSince !== null) {
    throw behindError(epoch);
  }
  const largest = await findCheckpoint(context, epoch.epoch);
  if (largest !== undefined && !(await contains(context, epoch, largest))) {
    await updateBehind(context);
    const data = {
      size: epoch.size,
      root: epoch.root.toString('base64'),
      checkpointSize: largest.size,
      checkpointRoot: largest.root.toString('base64'),
    };
    await recordOccurrence(context, { kind: 'log.behind', targetId: context.tenantId, data });
    context.log.error(
      { tenant: context.tenantId, ...data },
      'the log is behind a checkpoint of its own; nothing is sealed until it is restarted',
    );
    throw behindError(epoch);
  }
  if (largest?.size === epoch.size) {
    return largest;
  }
  const signed = await sign(context, epoch, epoch.size);
  await insertCheckpoint(context, signed);
  return signed;
}

async function contains(context: Context, epoch: EpochRow, { size, root }: CheckpointRow): Promise<boolean> {
  return size <= epoch.size && (size === epoch.size ? epoch.root : await findRoot(context, epoch, size)).equals(root);
}

async function sign(context: Context, epoch: EpochRow, size: number): Promise<CheckpointRow> {
  const root = size === epoch.size ? epoch.root : await findRoot(context, epoch, size);
  const note = signCheckpoint(await findSigners(context, epoch.origin), { origin: epoch.origin, size, root });
  return { epoch: epoch.epoch, size, root, note, signedAt: context.now };
}
