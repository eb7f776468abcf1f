/**
 * Searching tasks: what the members of TaskSearchRequest mean. Those about things that do not exist here (requests, revocations,
 * emergencies, staged decisions) match accordingly: nothing, or everything where they ask for its absence.
 */
import { durationMs, timestampDate } from '@bufbuild/protobuf/wkt';
import {
  type TaskSearchRequest,
  TaskSearchCurrentStep,
  TaskSearchSortBy,
  TaskSearchRequest_EmergencyStatus as EmergencyStatus,
  PendingActionFilter,
  Status,
  AppUserType,
  StepApprovalType,
} from '../../gen/c1/api/task/v1/task_service_pb.js';
import { CertifyOutcome, TaskState } from '../../gen/c1/api/task/v1/task_pb.js';
import { invalidField } from '../../errors.ts';
import { timeBefore } from '../../lib/time-before.ts';
import { some } from '../../lib/where.ts';
import type { Context } from '../../context.ts';
import { seesAllTasks, standsFor } from './permit.ts';
import { listTasksByIds } from './store.ts';
import { listTaskIds, type TaskFilter, type TaskOrder } from './store-search.ts';
import type { TaskRow } from './task.ts';

/** A page of tasks and the key the next one starts after; undefined at the end. */
export interface FoundTasks {
  readonly tasks: readonly TaskRow[];
  readonly nextKey: readonly string[] | undefined;
}

const orders: Partial<Record<TaskSearchSortBy, { order: TaskOrder; descending?: boolean }>> = {
  [TaskSearchSortBy.ACCOUNT]: { order: 'account' },
  [TaskSearchSortBy.RESOURCE]: { order: 'resource' },
  [TaskSearchSortBy.ACCOUNT_OWNER]: { order: 'accountOwner' },
  [TaskSearchSortBy.APP_RESOURCE_ID_AND_APP_ENTITLEMENT]: { order: 'resourceIdAndEntitlement' },
  // Ids and numbers are given out together as tasks are made, so by number and by creation is by id.
  [TaskSearchSortBy.REVERSE_TICKET_ID]: { order: 'id', descending: true },
  [TaskSearchSortBy.REVERSE_CREATED_AT]: { order: 'id', descending: true },
};

const approverTypeNames: Partial<Record<StepApprovalType, string>> = {
  [StepApprovalType.USERS]: 'users',
  [StepApprovalType.MANAGER]: 'manager',
  [StepApprovalType.APP_OWNERS]: 'appOwners',
  [StepApprovalType.GROUP]: 'group',
  [StepApprovalType.SELF]: 'self',
  [StepApprovalType.ENTITLEMENT_OWNERS]: 'entitlementOwners',
  [StepApprovalType.EXPRESSION]: 'expression',
  [StepApprovalType.WEBHOOK]: 'webhook',
  [StepApprovalType.RESOURCE_OWNERS]: 'resourceOwners',
  [StepApprovalType.AGENT]: 'agent',
};

const outcomeNames: Record<CertifyOutcome, string> = {
  [CertifyOutcome.UNSPECIFIED]: '',
  [CertifyOutcome.CERTIFIED]: 'CERTIFIED',
  [CertifyOutcome.DECERTIFIED]: 'DECERTIFIED',
  [CertifyOutcome.ERROR]: 'ERROR',
  [CertifyOutcome.CANCELLED]: 'CANCELLED',
  [CertifyOutcome.WAIT_TIMED_OUT]: 'WAIT_TIMED_OUT',
};

function intersect(left: readonly string[] | undefined, right: readonly string[] | undefined): readonly string[] | undefined {
  return left === undefined ? right : right === undefined ? left : left.filter((item) => right.includes(item));
}

/** Whether the request asks for something that no task here is. */
function asksForNothing(request: TaskSearchRequest): boolean {
  const otherOutcomes = request.grantOutcomes.length + request.revokeOutcomes.length;
  return (
    (request.taskTypes.length > 0 && !request.taskTypes.some((type) => type.taskType.case === 'certify')) ||
    (otherOutcomes > 0 && request.certifyOutcomes.length === 0) ||
    request.currentStep === TaskSearchCurrentStep.PROVISION ||
    request.emergencyStatus === EmergencyStatus.EMERGENCY ||
    request.pendingActionFilter === PendingActionFilter.WITH_PENDING
  );
}

function statesOf(request: TaskSearchRequest): readonly string[] | undefined {
  const named = some(request.taskStates.filter((state) => state !== TaskState.UNSPECIFIED).map((state) => TaskState[state] ?? ''));
  // Only an open task has a current step.
  return request.currentStep === TaskSearchCurrentStep.APPROVAL ? intersect(named, ['OPEN']) : named;
}

/** One's own work is also what one decides in somebody's place. */
function workersOf({ actor }: Context, ids: readonly string[]): readonly string[] {
  return ids.includes(actor.userId) ? [...new Set([...ids, ...standsFor(actor)])] : ids;
}

function earlier(left: Date | undefined, right: Date | undefined): Date | undefined {
  return left === undefined || (right !== undefined && right < left) ? right : left;
}

/** The request as a filter of the store. */
export function readFilter(context: Context, request: TaskSearchRequest): TaskFilter {
  const date = (value: Parameters<typeof timestampDate>[0] | undefined) => (value === undefined ? undefined : timestampDate(value));
  const text = (value: string) => (value === '' ? undefined : value);
  const one = (value: string) => (value === '' ? undefined : [value]);
  const olderThan = request.olderThanDuration === undefined ? undefined : timeBefore(context.now, durationMs(request.olderThanDuration));
  return {
    ids: some(request.refs.map((ref) => ref.id)),
    reviewIds: some(request.accessReviewIds),
    states: statesOf(request),
    outcomes: some(request.certifyOutcomes.map((outcome) => outcomeNames[outcome])),
    appIds: some(request.applicationIds),
    excludedAppIds: some(request.excludeApplicationIds),
    entitlementIds: some(request.appEntitlementIds),
    excludedEntitlementIds: some(request.excludeAppEntitlementIds),
    resourceIds: some(request.appResourceIds),
    resourceTypeIds: some(request.appResourceTypeIds),
    excludedResourceTypeIds: some(request.excludeAppResourceTypeIds),
    accountIds: some(request.appUserSubjectIds),
    accountTypes: some(request.accountTypes.filter((type) => type !== AppUserType.UNSPECIFIED).map((type) => AppUserType[type] ?? '')),
    accountStatuses: some(request.accountStatuses.filter((status) => status !== Status.UNSPECIFIED).map((status) => Status[status] ?? '')),
    employmentStatuses: some(request.userEmploymentStatuses.map((status) => status.toLowerCase())),
    userIds: intersect(some(request.subjectIds), some(request.accountOwnerIds)),
    excludedIds: some(request.excludeIds),
    openerIds: some(request.openerIds),
    openerOrSubjectId: text(request.openerOrSubjectUserId),
    assigneeIds: intersect(some(request.assigneesInIds), one(request.assignedOrStepApproverUserId)),
    workerIds: some(workersOf(context, request.myWorkUserIds)),
    actedByIds: intersect(some(request.previouslyActedOnIds), one(request.actorId)),
    orActedAfter: date(request.includeActedAfter),
    createdAfter: date(request.createdAfter),
    createdBefore: earlier(date(request.createdBefore), olderThan),
    endedAfter: date(request.outcomeAfter),
    endedBefore: date(request.outcomeBefore),
    approverTypes: some(request.stepApprovalTypes.flatMap((type) => approverTypeNames[type] ?? [])),
    requiresApprovalReason: request.requireApprovalReason || undefined,
    requiresDenialReason: request.requireDenialReason || undefined,
    query: text(request.query.trim()),
  };
}

/** The most ids a filter takes in one list. */
const maxIdsInFilter = 1000;

function checkLengths(request: TaskSearchRequest): void {
  for (const [field, value] of Object.entries(request)) {
    if (Array.isArray(value) && value.length > maxIdsInFilter) {
      throw invalidField(field, `takes at most ${maxIdsInFilter} values, has ${value.length}`);
    }
  }
  if (request.query.length > 1000) {
    throw invalidField('query', 'must have at most 1000 characters');
  }
}

/** A page of the tasks the actor may see. Never those of hidden reviews. 400 for a list that is too long. */
export async function searchTasks(
  context: Context,
  request: TaskSearchRequest,
  page: { readonly size: number; readonly after: readonly string[] | undefined },
): Promise<FoundTasks> {
  checkLengths(request);
  if (asksForNothing(request)) {
    return { tasks: [], nextKey: undefined };
  }
  const { order, descending = false } = orders[request.sortBy] ?? { order: 'id' };
  const viewer = { seesAll: seesAllTasks(context.actor), userId: context.actor.userId, standsFor: standsFor(context.actor) };
  const found = await listTaskIds(context, viewer, readFilter(context, request), {
    order,
    descending,
    after: page.after,
    limit: page.size + 1,
  });
  const shown = found.slice(0, page.size);
  const last = found.length > page.size ? shown.at(-1) : undefined;
  return {
    tasks: await listTasksByIds(
      context,
      shown.map(({ id }) => id),
    ),
    nextKey: last === undefined ? undefined : order === 'id' ? [last.id] : [last.key, last.id],
  };
}
