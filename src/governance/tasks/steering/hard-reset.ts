/**
 * Resetting a task: it starts over by the policy and the conditions of today, which are frozen as a further version of the policies of its review.
 * All other tasks keep what prepare froze.
 */
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { flattenPolicies, listPlanProblems, listReachedDocuments } from '../../policies/index.ts';
import {
  chooseOfVersion,
  findOrInsertVersion,
  findItemPolicyId,
  lockPolicyVersions,
  listRoutes,
  type RouteRow,
} from '../policy-engine/index.ts';
import { startOver } from './restart.ts';
import type { Task } from '../task/index.ts';

/** The number of the version of a review that holds a policy as it is now, kept where it is new; FAILED_PRECONDITION where it cannot be carried out. */
async function keepVersion(context: Context, reviewId: string, rootId: string): Promise<number> {
  await lockPolicyVersions(context, reviewId);
  const documents = Object.fromEntries(
    [...(await listReachedDocuments(context, rootId))].map(([id, document]) => [id, { ...document, id }]),
  );
  const plans = flattenPolicies(new Map(Object.entries(documents)), [rootId]);
  const problems = listPlanProblems(plans);
  if (problems.length > 0) {
    throw new AppError('FAILED_PRECONDITION', `The task cannot be reset, because of its policy as it is now: ${problems.join('; ')}.`);
  }
  return findOrInsertVersion(context, reviewId, { rootId, documents }, plans);
}

/** The route that a task has by its policy as it is now. */
async function chooseTodays(context: Context, task: Task): Promise<{ route: RouteRow; policyId: string }> {
  const policyId = (await findItemPolicyId(context, task)) ?? task.policyId;
  const version = await keepVersion(context, task.reviewId, policyId);
  const routes = await listRoutes(context, task.reviewId);
  const route = (await chooseOfVersion(context, task.reviewId, { version, policyId, routes }, [task])).get(task.id);
  if (route === undefined) {
    throw new AppError('FAILED_PRECONDITION', `The policy ${policyId} leads nowhere for this task.`);
  }
  return { route, policyId: route.policyId };
}

/**
 * Opens a task again at the first step of the policy that applies to it today. Returns the id of the action. 400 while its review is not open, where
 * the access is gone or the policy cannot be carried out, 403 for anybody but owners and Super Administrators, and for their own access.
 */
export function resetTask(context: Context, asked: { readonly taskId: string; readonly comment: string }): Promise<string> {
  return startOver(
    context,
    { ...asked, policyStepId: '' },
    { action: 'HARD_RESET', kind: 'HARD_RESET', event: 'task.hard_reset', chooseRoute: chooseTodays },
  );
}
