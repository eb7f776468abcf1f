/** Taking what a connector uploads: the file of a sync, which is read once it is whole, or the end of its log. */
import { AppError } from '../../errors.ts';
import { type Context, inTransaction } from '../../context.ts';
import { beginFetchReading } from '../fetches/index.ts';
import type { Spool } from '../syncs/index.ts';
import { leaseOf, requireTask } from './give-tasks.ts';
import type { SpeakingSource } from './greet-host.ts';
import { readingLeaseMs } from './limits.ts';
import { readSyncFile } from './read-sync-file.ts';
import { beginReading, type ConnectorTask, endTask, renewLease, updateLog } from './store-tasks.ts';

/** A file that was received whole. */
export interface ReceivedFile {
  readonly spool: Spool;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Outcome of an upload: the work that goes on behind its answer, if any. */
export interface TakenUpload {
  readonly reading: Promise<void> | undefined;
}

/**
 * Takes the file of a sync and begins to read it. The same file again is answered, not read. NOT_FOUND where the host does not hold the task
 * any more, FAILED_PRECONDITION for another file than the one it sent.
 */
export async function takeFile(
  context: Context,
  source: SpeakingSource,
  hostId: string,
  id: string,
  file: ReceivedFile,
): Promise<TakenUpload> {
  const task = await requireTask(context, source, hostId, id);
  if (task.sha256 === file.sha256 && (task.state === 'READING' || task.state === 'DONE')) {
    return { reading: undefined };
  }
  if (task.sha256 !== '' && task.state !== 'RUNNING') {
    throw new AppError('FAILED_PRECONDITION', 'This task has a file already, and it is another one.');
  }
  const until = new Date(context.now.getTime() + readingLeaseMs);
  const isBegun = await inTransaction(
    context,
    async (inside) =>
      task.kind === 'SYNC' &&
      (await beginReading(inside, id, hostId, file.sha256, until)) &&
      (await beginFetchReading(inside, task.fetchId, leaseOf(task))),
  );
  if (!isBegun) {
    throw new AppError('NOT_FOUND', 'This host has no such task any more.');
  }
  return { reading: readHeld(context, task, file) };
}

/** Reads the file while the lease is renewed, and ends the task. */
async function readHeld(context: Context, task: ConnectorTask, file: ReceivedFile): Promise<void> {
  const began = performance.now();
  const clock = (): Date => new Date(context.now.getTime() + performance.now() - began);
  const later = (): Context => ({ ...context, now: clock() });
  const timer = setInterval(() => {
    const now = later();
    renewLease(now, task.id, task.hostId, new Date(now.now.getTime() + readingLeaseMs)).catch((error: unknown) =>
      context.log.warn({ err: error, taskId: task.id }, 'the lease of a task could not be renewed'),
    );
  }, readingLeaseMs / 3);
  try {
    const why = await readSyncFile(context, task, file.spool, clock);
    await endTask(later(), task.id, why === '' ? 'DONE' : 'FAILED', why);
  } catch (error) {
    // The lease lapses, and the connector is asked again.
    context.log.error({ err: error, taskId: task.id, sourceId: task.sourceId }, 'the file of a connector could not be read');
  } finally {
    clearInterval(timer);
  }
}

/** Keeps the end of a connector's log. */
export async function takeLog(context: Context, source: SpeakingSource, hostId: string, id: string, log: Buffer): Promise<void> {
  await requireTask(context, source, hostId, id);
  await updateLog(context, id, log.toString('utf8').replaceAll('\0', ''));
}
