/**
 * The tasks of a review that begins: those whose first step decides by itself are ended, piece by piece, and those that something happens to at a
 * date get that date. The batch is hidden until then.
 *
 * Timers are called for as the batch is opened and not with the pieces: their job may run between two of them, finds nothing in a batch that is hidden,
 * and would never be called again.
 */
import type { Context } from '../../../context.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { newId } from '../../../wire/ids.ts';
import { callTimers, digestActions, readStepAt, type Step } from '../task/index.ts';
import { endByFirstStep, type PieceResult, setFirstMoments } from './store-begin.ts';
import { updateTasksState } from './store-bulk.ts';
import { findNextTaskMoment, listRoutes } from '../policy-engine/index.ts';

/** Tasks of one piece. */
const perPiece = 10_000;

/** Place beginning is at: within a route, behind a task. */
export interface BeginPlace {
  readonly routeNo: number;
  readonly taskId: string;
}

/** Before the first. */
export const beginStart: BeginPlace = { routeNo: 0, taskId: '' };

async function beginPiece(
  context: Context,
  reviewId: string,
  routeNo: number,
  step: Step | undefined,
  after: string,
): Promise<PieceResult> {
  const piece = { after, limit: perPiece };
  if (step?.kind === 'accept' || step?.kind === 'reject') {
    const outcome = step.kind === 'accept' ? 'CERTIFIED' : 'DECERTIFIED';
    const id = newId(context.now);
    const { actions, ...result } = await endByFirstStep(context, reviewId, id, [routeNo], { outcome, message: step.message }, piece);
    if (result.count > 0) {
      const { count, digest } = result;
      const data = { count, digest, outcome, reason: 'POLICY', routeNo };
      const evidence = { task_actions: digestActions(id, actions) };
      await recordEvent(context, { id, kind: 'review.tasks_ended', targetId: reviewId, data, evidence });
    }
    return result;
  }
  // What a wait is for is looked at as soon as the review is open.
  const seconds = step?.kind === 'wait' ? 0 : step?.kind === 'approval' ? step.escalation?.afterSeconds : undefined;
  if (seconds === undefined) {
    return { count: 0, digest: '', last: null };
  }
  return await setFirstMoments(context, reviewId, [routeNo], seconds, piece);
}

/** Does the next piece; `place` is undefined when nothing is left. The review is locked and its batch hidden. */
export async function beginTasks(
  context: Context,
  reviewId: string,
  from: BeginPlace,
): Promise<{ place: BeginPlace | undefined; done: number }> {
  const routes = (await listRoutes(context, reviewId)).filter(({ routeNo }) => routeNo >= from.routeNo);
  for (const { routeNo, document } of routes) {
    const after = routeNo === from.routeNo ? from.taskId : '';
    const { count, last } = await beginPiece(context, reviewId, routeNo, readStepAt(document, 0), after);
    if (last !== null) {
      return { place: { routeNo, taskId: last }, done: count };
    }
  }
  return { place: undefined, done: 0 };
}

/** Opens the batch, whose tasks have all begun: they are shown and decided from now on, and what happens to them by itself is called for. */
export async function openTasks(context: Context, reviewId: string): Promise<void> {
  await updateTasksState(context, reviewId, 'OPEN');
  const next = await findNextTaskMoment(context);
  if (next !== undefined) {
    await callTimers(context, next);
  }
}
