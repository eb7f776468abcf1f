/**
 * The tasks of a review that begins: those whose first step decides by itself are ended, piece by piece, and those that something happens to at a
 * date get that date. The batch is hidden until then.
 */
import type { Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { callTimers } from './call-timers.ts';
import { readStepAt, type Step } from './policy-steps.ts';
import { endByFirstStep, type PieceResult, setFirstMoments } from './store-timers.ts';
import { listRoutes } from './store-routes.ts';

/** Tasks of one piece. */
const perPiece = 10_000;

/** Where beginning stands: within a route, behind a task. */
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
    const result = await endByFirstStep(context, reviewId, [routeNo], { outcome, message: step.message }, piece);
    if (result.count > 0) {
      const { count, digest } = result;
      const data = { count, digest, outcome, reason: 'POLICY', routeNo };
      await recordEvent(context, { kind: 'review.tasks_ended', targetType: 'access_review', targetId: reviewId, data });
    }
    return result;
  }
  // What a wait is for is looked at as soon as the review is open.
  const seconds = step?.kind === 'wait' ? 0 : step?.kind === 'approval' ? step.escalation?.afterSeconds : undefined;
  if (seconds === undefined) {
    return { count: 0, digest: '', last: null };
  }
  const result = await setFirstMoments(context, reviewId, [routeNo], seconds, piece);
  if (result.count > 0) {
    await callTimers(context, new Date(context.now.getTime() + seconds * 1000));
  }
  return result;
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
