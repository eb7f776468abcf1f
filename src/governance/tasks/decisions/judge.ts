/**
 * Many decisions of one reviewer at once: the verdict on each of them, and what becomes of their tasks. Submitting them, and preparing and giving a
 * signature of them, are in the files beside this one.
 */
import type { Context } from '../../../context.ts';
import type { ErrorCode } from '../../../errors.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { enterSteps, nextEntry } from '../policy-engine/index.ts';
import { listRows, lockTasks, readTasks, remediatesAtOnce, type Task, taskSlot } from '../task/index.ts';
import { classifyDecision } from './classify.ts';
import type { Decision, Verdict } from './decision.ts';
import { type PlannedDecision, planDecision } from './plan.ts';
import { findStandings, type Standing } from './relations.ts';
import type { TaskDecision } from './store-submit.ts';

/** The answer to one decision: whether the task holds it now, and if not, why. */
export interface SubmissionResult {
  readonly taskId: string;
  readonly decided: boolean;
  /** Empty where it is decided. */
  readonly code: ErrorCode | '';
  readonly message: string;
}

/** A decision with its task and the verdict on it. */
export interface Judged {
  readonly decision: Decision;
  readonly task: Task | undefined;
  readonly verdict: Verdict;
  readonly standing: Standing;
}

/**
 * Finds the verdict on each decision, in their order. The tasks are locked to the end of the transaction where they are to be decided in it; where that
 * comes later, it is found out anew then.
 */
export async function judgeAll(
  context: Context,
  reviewId: string,
  decisions: readonly Decision[],
  { decidesNow }: { readonly decidesNow: boolean },
): Promise<Judged[]> {
  const taskIds = decisions.map(({ taskId }) => taskId);
  const rows = await (decidesNow ? lockTasks : listRows)(context, reviewId, taskIds);
  const amendedIds = decidesNow ? decisions.filter(({ amend }) => amend === true).map(({ taskId }) => taskId) : [];
  if (amendedIds.length > 0) {
    await taskSlot.get().lockRemovals(context, amendedIds);
  }
  const tasks = new Map((await readTasks(context, reviewId, rows)).map((task) => [task.id, task]));
  const classified = decisions.map((decision) => {
    const task = tasks.get(decision.taskId);
    return { decision, task, verdict: classifyDecision(context, task, decision) };
  });
  const decidable = classified.filter(({ verdict }) => verdict === 'proceed').map(({ decision }) => decision.taskId);
  const standingOf = await findStandings(context, reviewId, decidable);
  return classified.map(({ decision, task, verdict }) => {
    const standing = standingOf(decision.taskId);
    return { decision, task, standing, verdict: standing.refusal === undefined ? verdict : { refusal: standing.refusal } };
  });
}

/** Answers each decision that was judged, in the order of the request. */
export function answerAll(judged: readonly Judged[]): SubmissionResult[] {
  return judged.map(({ decision: { taskId }, verdict }) =>
    verdict !== 'proceed' && 'refusal' in verdict
      ? { taskId, decided: false, code: verdict.refusal.code, message: verdict.refusal.message }
      : { taskId, decided: true, code: '', message: '' },
  );
}

/** Plans what is to be written for decisions that were judged; steps behind approvals are entered, and amendments have their events. */
export async function decideAll(context: Context, judged: readonly Judged[]) {
  const approved = judged.flatMap(({ decision, task, verdict }) =>
    verdict === 'proceed' && task !== undefined && decision.decision !== 'DENY' ? [nextEntry(context, task)] : [],
  );
  const entered = await enterSteps(context, approved);
  const enteredBy = new Map(approved.map(({ task }, at) => [task.id, entered[at]]));
  const writes: TaskDecision[] = [];
  const decided: Decision[] = [];
  const counts = { APPROVE: 0, DENY: 0 };
  let remediates = false;
  for (const { decision, task, verdict, standing } of judged) {
    if (verdict !== 'proceed' && 'refusal' in verdict) {
      continue;
    }
    if (verdict === 'proceed' && task !== undefined) {
      const planned = planDecision(context, task, decision, enteredBy.get(task.id), standing.relations);
      writes.push({ taskId: task.id, ...planned });
      decided.push(decision);
      remediates ||= decision.decision === 'DENY' && remediatesAtOnce(task.policyDocument);
      if (decision.amend === true) {
        await recordAmendment(context, task, decision, planned);
      }
    }
    counts[decision.decision]++;
  }
  return { writes, decided, counts, remediates };
}

/** The event of an amendment: whoever vouched for the decisions as they were has to know. */
async function recordAmendment(context: Context, task: Task, decision: Decision, { change, actions }: PlannedDecision): Promise<void> {
  await recordEvent(context, {
    kind: 'task.amended',
    targetId: task.id,
    reviewId: task.reviewId,
    data: {
      reviewId: task.reviewId,
      actionId: actions[0].id,
      decision: decision.decision,
      previousOutcome: task.outcome,
      outcome: change.outcome,
      personReviewedId: task.userId ?? '',
    },
  });
}
