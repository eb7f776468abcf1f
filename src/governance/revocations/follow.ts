/**
 * Moves a removal by what people say in its task: that it may begin, that it may not, that it is done, that it failed, that it is tried anew. The
 * module tasks moves the task, the removal is moved here, both in one transaction; the removal is locked first.
 */
import { inTransaction, type Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import type { FollowRemoval, RemovalTurn } from '../tasks/index.ts';
import { type RevocationEvent, type RevocationRow, findNextState, findRevocation, updateState } from './record/index.ts';
import { planSendings } from './sending/index.ts';
import { updateStarted } from './store-request.ts';
import { lockRevocationOfTask, updateRefused } from './store-tasks.ts';

/** The event of a turn, and what it does to the removal. */
const turns = {
  BEGIN: { kind: 'revocation.approved', event: 'PROVISION' },
  REFUSE: { kind: 'revocation.refused', event: 'REFUSE' },
  CLAIM: { kind: 'revocation.claimed', event: 'CLAIM' },
  FAIL: { kind: 'revocation.failed', event: 'FAIL' },
  RETRY: { kind: 'revocation.retried', event: 'RETRY' },
} as const satisfies Record<Exclude<RemovalTurn, 'STEP'>, { kind: string; event: RevocationEvent }>;

/** Moves a locked removal by one turn, and writes its event. */
async function move(
  context: Context,
  row: RevocationRow,
  turn: keyof typeof turns,
  byPolicy: string | undefined,
  note: string,
): Promise<void> {
  const { id, reviewId, appId, entitlementId, accountId, revokeTaskId, state: from } = row;
  const { kind, event } = turns[turn];
  if (event === 'PROVISION' || event === 'RETRY') {
    await updateStarted(context, [id], event, event === 'RETRY' ? note : undefined);
  } else if (byPolicy !== undefined) {
    await updateRefused(context, new Map([[id, byPolicy]]));
  } else {
    await updateState(context, id, from, { state: findNextState(from, event) ?? from, note, isClaim: turn === 'CLAIM' });
  }
  const data = { reviewId, appId, entitlementId, accountId, taskId: revokeTaskId, comment: note, from };
  await recordEvent(context, { kind, targetId: id, data });
}

/** Moves the removal of a task by what is said in the task. */
export const followRemoval: FollowRemoval = (context, { taskId, comment }, say) =>
  inTransaction(context, async (inner) => {
    const id = await lockRevocationOfTask(inner, taskId);
    const row = id === undefined ? undefined : await findRevocation(inner, id);
    const { actionId, turn, byPolicy } = await say(inner);
    if (row !== undefined && turn !== 'STEP') {
      await move(inner, row, turn, byPolicy, comment.trim());
    }
    if (row !== undefined && (turn === 'STEP' || turn === 'BEGIN' || turn === 'RETRY')) {
      await planSendings(inner, [row.id]);
    }
    return actionId;
  });
