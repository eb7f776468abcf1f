/**
 * Who is asked: for all subjects of a review when it is made, and for one task when it enters another step or is handed on.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import { recordEvent } from '../audit/index.ts';
import { ROLES } from '../directory/index.ts';
import { fallsBackToAppOwners } from '../policies/index.ts';
import { listReviewerRules } from './resolve-reviewers.ts';
import {
  findCommonReviewers,
  insertAssignment,
  insertSubjectAssignment,
  insertSubjectAssignments,
  listEnabledUsers,
  type ResolvedRule,
} from './store-assign.ts';
import type { TaskRow } from './task.ts';

async function resolveRules(context: Context, reviewId: string, document: JsonObject, step: number): Promise<ResolvedRule[]> {
  const common = await findCommonReviewers(context, reviewId, ROLES.SUPER_ADMINISTRATOR.id);
  const resolved: ResolvedRule[] = [];
  for (const rule of listReviewerRules(document, step, fallsBackToAppOwners(document))) {
    const enabledIds =
      rule.reason === 'REVIEW_OWNERS'
        ? common.reviewOwners
        : rule.reason === 'ADMINISTRATORS'
          ? common.administrators
          : await listEnabledUsers(context, rule.userIds);
    resolved.push({ ...rule, enabledIds });
  }
  return resolved;
}

/**
 * Finds the first reviewers of everything in the snapshot of a review that this policy applies to. One event says how many subjects
 * went to a fallback and how many have nobody.
 */
export async function assignTasks(
  context: Context,
  reviewId: string,
  policy: { id: string; document: JsonObject },
): Promise<{ subjects: number; fallbacks: number; unassigned: number }> {
  const rules = await resolveRules(context, reviewId, policy.document, 0);
  const counts = await insertSubjectAssignments(context, reviewId, policy.id, rules);
  await recordEvent(context, {
    kind: 'review.reviewers_assigned',
    targetType: 'access_review',
    targetId: reviewId,
    data: { policyId: policy.id, ...counts },
  });
  return counts;
}

/** The set of people asked by this step about this task, or null where nobody is to be had. A fallback is an event. */
export async function assignTaskToStep(context: Context, task: TaskRow, step: number): Promise<string | null> {
  const rules = await resolveRules(context, task.reviewId, (task.policyDocument ?? {}) as JsonObject, step);
  const found = await insertSubjectAssignment(context, task.reviewId, { appId: task.appId, userId: task.userId ?? '' }, rules);
  if (found.isFallback || found.assignmentId === null) {
    await recordEvent(context, {
      kind: 'task.reviewer_fallback',
      targetType: 'task',
      targetId: task.id,
      reviewId: task.reviewId,
      data: { step, reason: found.reason ?? 'NOBODY' },
    });
  }
  return found.assignmentId;
}

/** The id of the set of exactly these people in a review, made where it is missing. */
export function findOrInsertAssignment(context: Context, reviewId: string, userIds: readonly string[], reason: string): Promise<string> {
  return insertAssignment(context, reviewId, userIds, reason, false);
}
