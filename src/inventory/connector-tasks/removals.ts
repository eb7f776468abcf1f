/** Removals as tasks of a connector: made and given up by the module that wants them, handed out beside syncs. */
import type { Context } from '../../context.ts';
import { maxAttempts } from './limits.ts';
import { connectorTaskSlot, type TaskEnd } from './slots.ts';
import { findHost } from './store-hosts.ts';
import {
  type ConnectorTask,
  endTask,
  failSilentTasks,
  forgetMessages,
  insertAgain,
  insertRemoval,
  type NewRemoval,
  updateReleased,
} from './store-tasks.ts';

const silence = `The connector fell silent ${maxAttempts} times.`;

/** Adds a removal for the connector of a source. */
export function addRemoval(context: Context, task: NewRemoval): Promise<void> {
  return insertRemoval(context, task);
}

/** Adds a removal that was tried before as a new task, not to be sent before a moment. */
export function repeatRemoval(context: Context, formerId: string, id: string, notBefore: Date): Promise<void> {
  return insertAgain(context, formerId, id, notBefore);
}

/** Lets removals go that were kept back. */
export function releaseTasks(context: Context, ids: readonly string[]): Promise<void> {
  return updateReleased(context, ids);
}

/** Gives a removal up that has not ended: its connector hears so at its next heartbeat. */
export async function giveUpRemoval(context: Context, id: string, why: string): Promise<void> {
  await endTask(context, id, 'CANCELLED', why);
  await forgetMessages(context, [id]);
}

/** Notes that a removal is handed out; false, and it is ended, where nobody wants it any more. */
export async function sendRemoval(context: Context, task: ConnectorTask): Promise<boolean> {
  const host = await findHost(context, task.sourceId, task.hostId);
  if (host !== undefined && (await connectorTaskSlot.get().sendRemoval(context, task, host))) {
    return true;
  }
  await giveUpRemoval(context, task.id, 'The removal is not wanted any more.');
  return false;
}

/** Ends a removal as its connector says. */
export async function endRemoval(context: Context, task: ConnectorTask, end: TaskEnd, why: string): Promise<void> {
  if (await endTask(context, task.id, end.kind === 'SUCCESS' ? 'DONE' : 'FAILED', why)) {
    await connectorTaskSlot.get().endRemoval(context, task, end);
    await forgetMessages(context, [task.id]);
  }
}

/** Ends the tasks of a source whose holders fell silent too often; returns those that were syncs, which have a fetch to end. */
export async function endSilentTasks(context: Context, sourceId: string): Promise<{ syncs: readonly ConnectorTask[]; why: string }> {
  const ended = await failSilentTasks(context, sourceId, maxAttempts, silence);
  for (const task of ended) {
    if (task.kind !== 'SYNC') {
      await connectorTaskSlot.get().endRemoval(context, task, { kind: 'SILENT' });
    }
  }
  await forgetMessages(
    context,
    ended.map(({ id }) => id),
  );
  return { syncs: ended.filter(({ kind }) => kind === 'SYNC'), why: silence };
}
