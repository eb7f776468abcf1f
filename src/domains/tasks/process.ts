/**
 * Looking now at what a task waits for, instead of when its job next does: whether a wait is over, an escalation is due, and its access is still there.
 */
import { inTransaction, type Context } from '../../context.ts';
import { runDue } from './timers.ts';
import { endGoneTask } from './end-gone.ts';
import { getTask } from './get-task.ts';
import { lockTaskFor } from './locked-task.ts';
import { refusalError } from './permit.ts';
import { type ActionName, refuseAction } from './permit-actions.ts';

/** Does what is due on a task, which may be nothing. 403 for all but owners of the review and Super Administrators, 400 while it is not open. */
export function processTask(context: Context, taskId: string): Promise<void> {
  return inTransaction(context, async (inner) => {
    await lockTaskFor(inner, taskId, 'PROCESS_NOW');
    await runDue(inner, [taskId], true);
    await endGoneTask(inner, taskId);
  });
}

/** Refuses an action that no certify task has: 404 and 403 as for any other, then why there is none. */
export async function refuseUnserved(context: Context, action: ActionName, taskId: string): Promise<never> {
  const task = await getTask(context, taskId);
  const refusal = refuseAction(action, context.actor, task, context.now);
  throw refusalError(refusal ?? { code: 'FAILED_PRECONDITION', message: 'This task does not take this action.' });
}
