/**
 * Looking now at what a task waits for, instead of when its job next does: whether a wait is over, an escalation is due, and its access is still there.
 */
import { inTransaction, type Context } from '../../../context.ts';
import { runDue } from '../policy-engine/index.ts';
import { endGoneTask } from '../batches/index.ts';
import { lockTaskFor } from '../task/index.ts';

/** Does what is due on a task, which may be nothing. 403 for all but owners of the review and Super Administrators, 400 while it is not open. */
export function processTask(context: Context, taskId: string): Promise<void> {
  return inTransaction(context, async (inner) => {
    await lockTaskFor(inner, taskId, 'PROCESS_NOW');
    await runDue(inner, [taskId], true);
    await endGoneTask(inner, taskId);
  });
}
