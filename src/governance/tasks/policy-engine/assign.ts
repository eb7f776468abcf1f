/** People asked: for all subjects of a review when it is made, and for one task when it enters another step or is handed on. */
import type { PolicyJson } from '../../../gen/c1/api/policy/v1/policy_pb.js';
import type { Context } from '../../../context.ts';
import type { Sql } from '../../../lib/sql.ts';
import type { NewEvent } from '../../../events/index.ts';
import { recordEvent, recordEvents } from '../../../foundation/audit/index.ts';
import { ROLES } from '../../../foundation/directory/index.ts';
import { fallsBackToAppOwners, type Plans, type Reads, type RouteStep, stepReads } from '../../policies/index.ts';
import { rawSteps, readApprovalAt, readStepAt, currentDecisions, type Task } from '../task/index.ts';
import { findByExpressions } from './approver-expressions.ts';
import { isOwnRule, listReviewerRules, type ReviewerRule } from './resolve-reviewers.ts';
import {
  type FindByExpressions,
  insertSubjectAssignments,
  insertTaskAssignments,
  type ResolvedRule,
  type TaskSubject,
} from './store-assign.ts';
import { getPlaceKey, listEntitlementFields } from './store-facts.ts';
import { type CommonReviewers, findCommonReviewers, listEligibleUsers, listGroupMembers, listMergedInto } from './store-eligible.ts';
import { itemSeparator } from './store-routes.ts';

/** The most people a group may have to be asked. */
const maxGroup = 128;

async function peopleNamed(context: Context, rule: ReviewerRule, common: CommonReviewers): Promise<readonly string[]> {
  switch (rule.reason) {
    case 'REVIEW_OWNERS':
      return common.reviewOwners;
    case 'ADMINISTRATORS':
      return common.administrators;
    case 'GROUP':
    case 'FALLBACK_GROUPS': {
      const members: string[] = [];
      for (const group of rule.groups ?? []) {
        members.push(...(await listGroupMembers(context, group, maxGroup)));
      }
      return listEligibleUsers(context, members);
    }
    default:
      return listEligibleUsers(context, rule.userIds);
  }
}

/** The levels of a step with the people they name; only those behind the step's own rule where its people can no longer be asked. */
export async function resolveRules(
  context: Context,
  reviewId: string,
  document: PolicyJson,
  step: number,
  from: 'step' | 'fallbacks' = 'step',
): Promise<ResolvedRule[]> {
  const common = await findCommonReviewers(context, reviewId, ROLES.SUPER_ADMINISTRATOR.id);
  const resolved: ResolvedRule[] = [];
  for (const rule of listReviewerRules(document, step, fallsBackToAppOwners(document))) {
    if (from === 'step' || !isOwnRule(rule)) {
      resolved.push({ ...rule, isOwn: isOwnRule(rule), enabledIds: await peopleNamed(context, rule, common) });
    }
  }
  return resolved;
}

/** The expressions of the step's own rule, if it asks by expression. */
const expressionsOf = (rules: readonly ResolvedRule[]): readonly string[] => rules.flatMap(({ expressions = [] }) => expressions);

/** Finder of those a first step's expressions ask for subjects of a snapshot; undefined where it asks otherwise. */
function findForSubjects(
  context: Context,
  { id: reviewId, createdById }: { readonly id: string; readonly createdById: string },
  reads: Reads,
  rules: readonly ResolvedRule[],
): FindByExpressions | undefined {
  if (!rules.some(({ reason }) => reason === 'EXPRESSION')) {
    return undefined;
  }
  return (subjects) => {
    const items = subjects.map(({ appId, objectId, userId }) => {
      const [accountId = '', entitlementId = ''] = reads === 'ITEM' ? objectId.split(itemSeparator) : [];
      return {
        id: objectId === '' ? userId : objectId,
        reviewId,
        appId,
        entitlementId: reads === 'ENTITLEMENT' ? objectId : entitlementId,
        accountId: reads === 'ACCOUNT' ? objectId : accountId,
        userId: userId === '' ? null : userId,
        createdById,
        createdAt: context.now,
      };
    });
    return findByExpressions(context, items, expressionsOf(rules));
  };
}

/** Result of finding the first reviewers. */
export interface AssignedCounts {
  readonly subjects: number;
  readonly fallbacks: number;
  readonly unassigned: number;
}

/** The snapshot of a review made by `createdById`; `accounts` selects its accounts, in brackets, with the columns of `snapshot_accounts`. */
export interface SnapshotToAssign {
  readonly id: string;
  readonly createdById: string;
  readonly accounts: Sql;
}

/**
 * Finds the first reviewers of everything in the snapshot of a review, route by route. One event for each route says how many subjects each level
 * found somebody for, how many of these were fallbacks, and how many have nobody.
 */
export async function assignTasks(
  context: Context,
  { id: reviewId, createdById, accounts }: SnapshotToAssign,
  plans: Plans,
): Promise<AssignedCounts> {
  const totals = { subjects: 0, fallbacks: 0, unassigned: 0 };
  const reached = new Set(plans.rootIds.flatMap((id) => (plans.turns.get(id) ?? []).map(({ route }) => route)));
  for (const [routeNo, { policyId, stepKey, document, reads }] of plans.routes.entries()) {
    if (!reached.has(routeNo) || readStepAt(document, 0)?.kind !== 'approval') {
      continue;
    }
    const rules = await resolveRules(context, reviewId, document, 0);
    const find = findForSubjects(context, { id: reviewId, createdById }, reads, rules);
    const counts = await insertSubjectAssignments(context, reviewId, { routeNo, plans, reads, accounts }, rules, find);
    await recordEvent(context, {
      kind: 'review.reviewers_assigned',
      targetId: reviewId,
      data: { policyId, stepKey, routeNo, ...counts },
    });
    totals.subjects += counts.subjects;
    totals.fallbacks += counts.fallbacks;
    totals.unassigned += counts.unassigned;
  }
  return totals;
}

/** The object about which a step asks of each task, in their order: tasks about the same one are asked about together. */
async function listObjects(context: Context, tasks: readonly Task[], rawStep: RouteStep | undefined): Promise<string[]> {
  switch (stepReads(rawStep)) {
    case 'ENTITLEMENT':
      return tasks.map(({ entitlementId }) => entitlementId);
    case 'RESOURCE': {
      const found = await listEntitlementFields(context, tasks);
      return tasks.map((task) => found.get(getPlaceKey(task.reviewId, task.appId, task.entitlementId))?.appResourceId ?? '');
    }
    case 'ACCOUNT':
      return tasks.map(({ accountId }) => accountId);
    default:
      return tasks.map(() => '');
  }
}

/** Those who approved since the last restart, where the step wants different people. */
function listFormerApprovers(task: Task, step: number): string[] {
  const wantsOthers = readApprovalAt(task.policyDocument, step).requireDistinctApprovers;
  return wantsOthers ? currentDecisions(task).flatMap(({ kind, actorId }) => (kind === 'APPROVED' ? [actorId] : [])) : [];
}

/** Those who must not be asked about a task, as who they are by now: who approved before, and whose own access it would be. */
interface Barred {
  readonly former: readonly string[];
  readonly ownIds: readonly string[];
  /** Returns who somebody named by the policy is by now. */
  readonly byNow: (id: string) => string;
}

/** Those who must not be asked by steps of tasks, in their order. `besides` are others of whom it has to be known who they are by now. */
export async function listBarred(context: Context, asking: readonly TaskAtStep[], besides: readonly string[] = []): Promise<Barred[]> {
  const former = asking.map(({ task, step }) => listFormerApprovers(task, step));
  const merged = await listMergedInto(context, [
    ...new Set([...former.flat(), ...asking.flatMap(({ task }) => task.userId ?? []), ...besides]),
  ]);
  const byNow = (id: string): string => merged.get(id) ?? id;
  return asking.map(({ task, step }, at) => {
    const { allowSelf } = readApprovalAt(task.policyDocument, step);
    return {
      former: (former[at] ?? []).map(byNow),
      // Whoever the person reviewed was merged into never decides it.
      ownIds: [task.userId ?? '', byNow(task.userId ?? '')].filter((id) => id !== '' && !(allowSelf && id === task.userId)),
      byNow,
    };
  });
}

/** People who might be asked by the current step of a task. */
export interface Proposed {
  readonly task: Task;
  readonly userIds: readonly string[];
}

/** Those of these people who can be asked by the current steps of tasks, as who they are by now, in their order. */
export async function findEligible(context: Context, proposed: readonly Proposed[]): Promise<string[][]> {
  const named = [...new Set(proposed.flatMap(({ userIds }) => userIds))];
  const eligible = new Set(await listEligibleUsers(context, named));
  const barred = await listBarred(
    context,
    proposed.map(({ task }) => ({ task, step: task.step })),
    named,
  );
  return proposed.map(({ userIds }, at) => {
    const { former = [], ownIds = [], byNow = (id: string) => id } = barred[at] ?? {};
    return [...new Set(userIds.map(byNow))].sort().filter((id) => eligible.has(id) && !former.includes(id) && !ownIds.includes(id));
  });
}

/** A task and the step of its policy whose people are looked for. */
export interface TaskAtStep {
  readonly task: Task;
  readonly step: number;
}

/**
 * The sets of people that steps ask about tasks, in their order; null where nobody is to be had. Tasks that stand at the same step of the same
 * route are looked at together, and those that ask the same question once. Each level that is passed is an event of its task.
 */
export async function assignTasksToSteps(
  context: Context,
  asking: readonly TaskAtStep[],
  from: 'step' | 'fallbacks' = 'step',
): Promise<(string | null)[]> {
  const assignmentIds: (string | null)[] = asking.map(() => null);
  const groups = Map.groupBy(asking.entries(), ([, { task, step }]) => `${task.reviewId}/${task.routeNo}/${step}`);
  for (const group of groups.values()) {
    const first = group[0]?.[1];
    if (first === undefined) {
      continue;
    }
    const { task, step } = first;
    const rules = await resolveRules(context, task.reviewId, task.policyDocument ?? {}, step, from);
    const questions = new Map<string, TaskSubject>();
    const tasks = group.map(([, one]) => one.task);
    const objects = await listObjects(context, tasks, rawSteps(task.policyDocument)[step]);
    const found = await findByExpressions(context, tasks, expressionsOf(rules));
    const former = group.map(([, one]) => listFormerApprovers(one.task, step));
    const merged = await listMergedInto(context, former.flat());
    const keys = group.map(([, one], at) => {
      const subject = {
        appId: one.task.appId,
        objectId: objects[at] ?? '',
        userId: one.task.userId ?? '',
        besides: (former[at] ?? []).map((id) => merged.get(id) ?? id),
        found: found[at] ?? [],
      };
      const key = JSON.stringify(subject);
      questions.set(key, subject);
      return key;
    });
    const sets = await insertTaskAssignments(context, task.reviewId, [...questions.values()], rules);
    const answers = new Map([...questions.keys()].map((key, at) => [key, sets[at]]));
    const passed: NewEvent<'task.reviewer_fallback'>[] = [];
    for (const [at, [place, one]] of group.entries()) {
      const answer = answers.get(keys[at] ?? '');
      assignmentIds[place] = answer?.assignmentId ?? null;
      for (const { reason } of rules.slice(0, answer?.level)) {
        passed.push({
          kind: 'task.reviewer_fallback',
          targetId: one.task.id,
          reviewId: one.task.reviewId,
          data: { step, passed: reason, reason: answer?.reason ?? 'NOBODY' },
        });
      }
    }
    await recordEvents(context, passed);
  }
  return assignmentIds;
}
