/**
 * Searching tasks: what the members of TaskSearchRequest mean. Those about things that do not exist here (requests, emergencies) match accordingly: nothing, or everything where they ask for its absence.
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
} from '../../../gen/c1/api/task/v1/task_service_pb.js';
import { CertifyOutcome, RevokeOutcome, TaskState } from '../../../gen/c1/api/task/v1/task_pb.js';
import { invalidField } from '../../../errors.ts';
import { foldCase } from '../../../lib/names/same-name.ts';
import { timeBefore } from '../../../lib/time-before.ts';
import { some } from '../../../lib/where.ts';
import type { Context } from '../../../context.ts';
import { peopleBehind } from '../../../foundation/authority/index.ts';
import type { ApproverKind } from '../../policies/index.ts';
import { seesAllTasks, standsFor, type Task, type TaskKind, type TaskOutcome } from '../task/index.ts';
import { listShownTasks, type ShownTask } from '../views/index.ts';
import { listByQuery } from './search-by-text.ts';
import { listTaskIds } from './store-search.ts';
import type { TaskFilter } from './store-search-filter.ts';
import { type TaskOrder, type TaskPage, taskKeyCount } from './store-search-sources.ts';

/** A page of tasks and the key the next one starts after; undefined at the end. */
export interface FoundTasks {
  readonly tasks: readonly ShownTask[];
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

const approverTypeNames: Record<StepApprovalType, ApproverKind | undefined> = {
  [StepApprovalType.UNSPECIFIED]: undefined,
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

const pendingOf: Partial<Record<PendingActionFilter, boolean>> = {
  [PendingActionFilter.WITH_PENDING]: true,
  [PendingActionFilter.WITHOUT_PENDING]: false,
};

const outcomeNames: Record<CertifyOutcome, TaskOutcome> = {
  [CertifyOutcome.UNSPECIFIED]: '',
  [CertifyOutcome.CERTIFIED]: 'CERTIFIED',
  [CertifyOutcome.DECERTIFIED]: 'DECERTIFIED',
  [CertifyOutcome.ERROR]: 'ERROR',
  [CertifyOutcome.CANCELLED]: 'CANCELLED',
  [CertifyOutcome.WAIT_TIMED_OUT]: 'WAIT_TIMED_OUT',
};

const revokeOutcomeNames: Record<RevokeOutcome, TaskOutcome> = {
  [RevokeOutcome.UNSPECIFIED]: '',
  [RevokeOutcome.REVOKED]: 'REVOKED',
  [RevokeOutcome.DENIED]: 'DENIED',
  [RevokeOutcome.ERROR]: 'ERROR',
  [RevokeOutcome.CANCELLED]: 'CANCELLED',
  [RevokeOutcome.WAIT_TIMED_OUT]: 'WAIT_TIMED_OUT',
};

const stateNames: Record<TaskState, Task['state'] | undefined> = {
  [TaskState.UNSPECIFIED]: undefined,
  [TaskState.OPEN]: 'OPEN',
  [TaskState.CLOSED]: 'CLOSED',
};

function intersect<T extends string>(left: readonly T[] | undefined, right: readonly T[] | undefined): readonly T[] | undefined {
  return left === undefined ? right : right === undefined ? left : left.filter((item) => right.includes(item));
}

type TypeCase = TaskSearchRequest['taskTypes'][number]['taskType']['case'];

const kindsByType: Readonly<Record<NonNullable<TypeCase>, TaskKind | undefined>> = {
  certify: 'CERTIFY',
  revoke: 'REVOKE',
  action: undefined,
  finding: undefined,
  grant: undefined,
  offboarding: undefined,
};

/** The kinds of tasks that are asked for, by their types and by outcomes that only one kind has; undefined for all. */
function kindsOf({ taskTypes, certifyOutcomes, revokeOutcomes, grantOutcomes }: TaskSearchRequest): readonly TaskKind[] | undefined {
  const named = some(taskTypes.flatMap(({ taskType }) => (taskType.case === undefined ? undefined : kindsByType[taskType.case]) ?? []));
  const ofTypes = taskTypes.length > 0 ? (named ?? []) : undefined;
  const ofOutcomes: TaskKind[] = [
    ...(certifyOutcomes.length > 0 ? ['CERTIFY' as const] : []),
    ...(revokeOutcomes.length > 0 ? ['REVOKE' as const] : []),
  ];
  const asksOutcomes = certifyOutcomes.length + revokeOutcomes.length + grantOutcomes.length > 0;
  return intersect(ofTypes, asksOutcomes ? ofOutcomes : undefined);
}

/** True if the request asks for something that no task here is. */
function asksForNothing(request: TaskSearchRequest): boolean {
  return kindsOf(request)?.length === 0 || request.emergencyStatus === EmergencyStatus.EMERGENCY;
}

function outcomesOf({ certifyOutcomes, revokeOutcomes }: TaskSearchRequest): readonly TaskOutcome[] | undefined {
  const ofRemovals = revokeOutcomes.map((outcome) => revokeOutcomeNames[outcome]);
  return some([...new Set([...certifyOutcomes.map((outcome) => outcomeNames[outcome]), ...ofRemovals])]);
}

const provisionOf: Partial<Record<TaskSearchCurrentStep, boolean>> = {
  [TaskSearchCurrentStep.APPROVAL]: false,
  [TaskSearchCurrentStep.PROVISION]: true,
};

function statesOf(request: TaskSearchRequest): readonly Task['state'][] | undefined {
  const named = some(request.taskStates.flatMap((state) => stateNames[state] ?? []));
  // Only an open task has a current step.
  return request.currentStep === TaskSearchCurrentStep.UNSPECIFIED ? named : intersect(named, ['OPEN']);
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
    outcomes: outcomesOf(request),
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
    employmentStatuses: some(request.userEmploymentStatuses.map(foldCase)),
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
    // Only removals have steps of both kinds.
    isProvision: provisionOf[request.currentStep],
    hasPending: pendingOf[request.pendingActionFilter],
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

/** Start of a page; 400 where the token is of a release that sorted by other keys. */
function readPlace(order: TaskOrder, after: readonly string[] | undefined): readonly string[] | undefined {
  if (after !== undefined && after.length !== taskKeyCount[order] + 1) {
    throw invalidField('pageToken', 'is of a release that sorted otherwise; begin again with the first page');
  }
  return after;
}

/** A page of the tasks the actor may see. Never those of hidden reviews, of deleted ones only where asked for. 400 for a list that is too long. */
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
  const seesAll = seesAllTasks(context.actor);
  const viewer = {
    seesAll,
    userId: context.actor.userId,
    standsFor: standsFor(context.actor),
    behind: peopleBehind(context.actor),
    // What is left of a deleted review is for those who read everything.
    includesDeleted: seesAll && request.includeDeleted,
    kinds: kindsOf(request),
  };
  const filter = readFilter(context, request);
  const wanted: TaskPage = { order, descending, after: readPlace(order, page.after), limit: page.size + 1 };
  const list = filter.query === undefined ? listTaskIds : listByQuery;
  const found = await list(context, viewer, filter, wanted);
  const shown = found.slice(0, page.size);
  const last = found.length > page.size ? shown.at(-1) : undefined;
  return {
    tasks: await listShownTasks(
      context,
      shown.map(({ id }) => id),
    ),
    nextKey: last === undefined ? undefined : [...[last.first, last.second].slice(0, taskKeyCount[order]), last.id],
  };
}
