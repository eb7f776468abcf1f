/** Calling for the job that does what happens to tasks by itself. What that is, is timers.ts. */
import { callLater } from '../../../jobs/index.ts';
import type { Context } from '../../../context.ts';

/** The kind of the job that finds the tasks whose moment has come; its subject is the tenant. */
export const taskTimersKind = 'task.timers';

/** Calls for the job at a moment. */
export function callTimers({ db, tenantId, now }: Context, runAt: Date): Promise<void> {
  return callLater(db, { tenantId, kind: taskTimersKind, subjectId: tenantId, runAt }, now);
}
