/** Giving tasks to connectors, and hearing of them again: leases, heartbeats, ends. */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { failFetch, findFetchUnderWay, handOutFetch, isHandedOut } from '../fetches/index.ts';
import { newId } from '../../wire/ids.ts';
import { noteHost, requireHostId, type SpeakingSource } from './greet-host.ts';
import { heartbeatSeconds, leaseMs, longestMs, nextPollSeconds } from './limits.ts';
import { endRemoval, endSilentTasks, sendRemoval } from './removals.ts';
import type { TaskEnd } from './slots.ts';
import {
  type ConnectorTask,
  endTask,
  findOpenSync,
  findTask,
  hasLeasable,
  insertTask,
  leaseTasks,
  lockTask,
  renewLease,
} from './store-tasks.ts';

/** Answer to a connector that asks for work. */
export interface GivenTasks {
  readonly tasks: readonly ConnectorTask[];
  readonly nextPollSeconds: number;
  readonly heartbeatSeconds: number;
}

const inMs = (context: Context, milliseconds: number): Date => new Date(context.now.getTime() + milliseconds);

/** Lease of a fetch by the task that carries it out: another handing out is another lease. */
export const leaseOf = ({ id, attempts }: ConnectorTask): string => `${id}.${attempts}`;

/** Leases at most so many tasks of a source to a host; none while it is paused. */
export async function giveTasks(context: Context, source: SpeakingSource, hostId: string, most: number): Promise<GivenTasks> {
  await noteHost(context, source.id, hostId);
  if (source.pausedAt !== null) {
    return { tasks: [], nextPollSeconds: nextPollSeconds.paused, heartbeatSeconds };
  }
  const usual = { nextPollSeconds: nextPollSeconds.usual, heartbeatSeconds };
  const fetch = await findFetchUnderWay(context, source.id);
  const waits = fetch?.state === 'WAITING' && fetch.runAt <= context.now;
  if (!waits && !(await hasLeasable(context, source.id, hostId))) {
    return { tasks: [], ...usual };
  }
  const tasks = await inTransaction(context, async (inside) => {
    if (waits) {
      await beginSync(inside, source.id, fetch.id);
    }
    await endSilent(inside, source.id);
    const until = { SYNC: inMs(inside, leaseMs.SYNC), REVOKE: inMs(inside, leaseMs.REVOKE), DELETE: inMs(inside, leaseMs.DELETE) };
    return keepHandedOut(inside, await leaseTasks(inside, source.id, hostId, until, most));
  });
  return { tasks, ...usual };
}

/** Makes the task of a fetch that waits, unless it has one. */
async function beginSync(context: Context, sourceId: string, fetchId: string): Promise<void> {
  const open = await findOpenSync(context, sourceId);
  if (open?.fetchId === fetchId) {
    return;
  }
  if (open !== undefined) {
    await endTask(context, open.id, 'CANCELLED', 'Its fetch ended.');
  }
  await insertTask(context, { id: newId(context.now), sourceId, kind: 'SYNC', fetchId });
}

/** Ends tasks whose holders fell silent too often, and their fetches. */
async function endSilent(context: Context, sourceId: string): Promise<void> {
  const { syncs, why } = await endSilentTasks(context, sourceId);
  for (const task of syncs) {
    await failFetch(context, task.fetchId, leaseOf(task), why);
  }
}

/** Returns the tasks that are still wanted; the fetches of their syncs are handed out with them. */
async function keepHandedOut(context: Context, leased: readonly ConnectorTask[]): Promise<ConnectorTask[]> {
  const kept: ConnectorTask[] = [];
  for (const task of leased) {
    if (task.kind !== 'SYNC') {
      if (await sendRemoval(context, task)) {
        kept.push(task);
      }
    } else if (await handOutFetch(context, task.fetchId, leaseOf(task))) {
      kept.push(task);
    } else {
      await endTask(context, task.id, 'CANCELLED', 'Its fetch ended.');
    }
  }
  return kept;
}

/** Returns a task that this host holds or held; NOT_FOUND for another's, which looks like none. */
export async function requireTask(context: Context, source: SpeakingSource, hostId: string, id: string): Promise<ConnectorTask> {
  requireHostId(hostId);
  const task = await findTask(context, source.id, id);
  if (task === undefined || task.hostId !== hostId) {
    throw new AppError('NOT_FOUND', 'This host has no such task.');
  }
  return task;
}

/** Renews the lease of a task; true if the connector is to give it up. NOT_FOUND where the host does not have it. */
export async function renewTask(context: Context, source: SpeakingSource, hostId: string, id: string): Promise<boolean> {
  const task = await requireTask(context, source, hostId, id);
  if (task.state === 'DONE' || task.state === 'READING') {
    return false;
  }
  if (task.endedAt !== null) {
    return true;
  }
  if (source.pausedAt !== null || (task.kind === 'SYNC' && !(await isHandedOut(context, task.fetchId, leaseOf(task))))) {
    await endTask(context, id, 'CANCELLED', source.pausedAt === null ? 'Its fetch ended.' : 'The source was paused.');
    return true;
  }
  if (task.startedAt !== null && context.now.getTime() - task.startedAt.getTime() > longestMs) {
    await inTransaction(context, (inside) => failTask(inside, task, 'The connector took longer than 6 hours.'));
    return true;
  }
  return !(await renewLease(context, id, hostId, inMs(context, leaseMs[task.kind])));
}

const maxErrorLength = 1000;

/** Ends a task as its connector says; a task that has ended, or whose file is being read, stays as it is. */
export function finishTask(
  context: Context,
  source: SpeakingSource,
  hostId: string,
  id: string,
  end: Exclude<TaskEnd, { kind: 'SILENT' }>,
): Promise<void> {
  return inTransaction(context, async (inside) => {
    await requireTask(inside, source, hostId, id);
    const task = await lockTask(inside, source.id, id);
    if (task === undefined || task.state !== 'RUNNING' || task.hostId !== hostId) {
      return;
    }
    const said = end.kind === 'ERROR' ? end.message.replaceAll('\0', '').trim().slice(0, maxErrorLength) : '';
    const words = end.kind === 'ERROR' ? said || `The connector failed with code ${end.code}.` : '';
    if (task.kind !== 'SYNC') {
      await endRemoval(inside, task, end.kind === 'ERROR' ? { ...end, message: words } : end, words);
    } else {
      await failTask(inside, task, words || 'The connector ended its sync without sending a file.');
    }
  });
}

/** Ends a task that its connector could not carry out, and its fetch. */
async function failTask(context: Context, task: ConnectorTask, why: string): Promise<void> {
  if (task.kind !== 'SYNC') {
    await endRemoval(context, task, { kind: 'ERROR', code: 0, message: why, annotations: [] }, why);
    return;
  }
  await endTask(context, task.id, 'FAILED', why);
  await failFetch(context, task.fetchId, leaseOf(task), why);
}
