/**
 * What people say in the task of a removal: that it may begin, that it may not, that it is done, or that it failed. The task is moved by the module
 * tasks, the removal here, both in one transaction; the removal is locked first.
 */
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import {
  type Decision,
  decideRemovalStep,
  decideUnlessRemoval,
  refuseUnserved,
  requireRemovalRetry,
  restartRemovalTask,
} from '../tasks/index.ts';
import { findNextState, type RevocationEvent } from './store-states.ts';
import { findRevocation, type RevocationRow, updateState } from './store.ts';
import { updateStarted } from './store-request.ts';
import { lockRevocationOfTask, updateRefused } from './store-tasks.ts';

/** The event of a turn, and what it does to the removal. */
const turns = {
  BEGIN: { kind: 'revocation.approved', event: 'PROVISION' },
  REFUSE: { kind: 'revocation.refused', event: 'REFUSE' },
  CLAIM: { kind: 'revocation.claimed', event: 'CLAIM' },
  FAIL: { kind: 'revocation.failed', event: 'FAIL' },
} as const satisfies Record<string, { kind: string; event: RevocationEvent }>;

/** What the event of one removal says of it. */
export function factsOf(row: RevocationRow, comment: string): object {
  const { reviewId, appId, entitlementId, accountId, revokeTaskId } = row;
  return { reviewId, appId, entitlementId, accountId, taskId: revokeTaskId, comment, from: row.state };
}

async function decideRemoval(context: Context, decision: Decision): Promise<string> {
  const id = (await lockRevocationOfTask(context, decision.taskId)) ?? '';
  const row = await findRevocation(context, id);
  const { actionId, turn, byPolicy } = await decideRemovalStep(context, decision);
  if (row === undefined || turn === 'STEP') {
    return actionId;
  }
  const comment = decision.comment.trim();
  const { kind, event } = turns[turn];
  if (turn === 'BEGIN') {
    await updateStarted(context, [id], 'PROVISION');
  } else if (byPolicy !== undefined) {
    await updateRefused(context, new Map([[id, byPolicy]]));
  } else {
    await updateState(context, id, row.state, {
      state: findNextState(row.state, event) ?? row.state,
      note: comment,
      isClaim: turn === 'CLAIM',
    });
  }
  await recordEvent(context, { kind, targetType: 'revocation', targetId: id, data: factsOf(row, comment) });
  return actionId;
}

/** Approves or denies one task, whatever it asks; returns the id of the action. See `decideTask` and `decideRemovalStep`. */
export async function decideAnyTask(context: Context, decision: Decision): Promise<string> {
  const decided = await decideUnlessRemoval(context, decision);
  return decided?.actionId ?? inTransaction(context, (inner) => decideRemoval(inner, decision));
}

/** Tries a removal anew that failed or whose access reappeared, by its task; 400 for tasks of reviews, which have nothing to try. */
export async function retryTask(context: Context, asked: { taskId: string; comment: string; policyStepId: string }): Promise<string> {
  const done = await inTransaction(context, async (inner) => {
    const id = await lockRevocationOfTask(inner, asked.taskId);
    if (id === undefined) {
      return undefined;
    }
    await requireRemovalRetry(inner, asked.taskId, asked.policyStepId);
    const row = await findRevocation(inner, id);
    const actionId = await restartRemovalTask(inner, asked.taskId, asked.comment);
    await updateStarted(inner, [id], 'RETRY', asked.comment.trim());
    if (row !== undefined) {
      await recordEvent(inner, {
        kind: 'revocation.retried',
        targetType: 'revocation',
        targetId: id,
        data: factsOf(row, asked.comment.trim()),
      });
    }
    return actionId;
  });
  return done ?? refuseUnserved(context, 'RETRY_PROVISIONING', asked.taskId);
}
