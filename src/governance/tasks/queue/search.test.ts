/** Search against plain TypeScript over the same tasks: who sees what, every filter, every order, page by page. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { durationFromMs, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { sampled } from '../../../../test/support/runs.ts';
import { addAssignment, addTasksOf, addPerson, addTask, askUsers, scopeOf, setTaskKeys, testNow } from '../../../../test/support/tasks.ts';
import { CertifyOutcome, GrantOutcome, RevokeOutcome, TaskState } from '../../../gen/c1/api/task/v1/task_pb.js';
import {
  AppUserType,
  PendingActionFilter,
  Status,
  StepApprovalType,
  TaskSearchCurrentStep,
  TaskSearchRequest_EmergencyStatus as EmergencyStatus,
  TaskSearchRequestSchema,
  TaskSearchSortBy,
} from '../../../gen/c1/api/task/v1/task_service_pb.js';
import type { Context } from '../../../context.ts';
import { decideTask } from '../decisions/decide.ts';
import { isListedFor } from '../task/permit.ts';
import { searchTasks } from './search.ts';
import type { ShownTask } from '../views/shown-task.ts';
import { listShownTasks } from '../views/store.ts';

const tenant = 'TenantA';
const other = 'TenantB';
const day = 86_400_000;
let test: TestDatabase;
const people: Record<string, string> = {};
const batches: Record<string, string> = {};
let everything: ShownTask[] = [];
const id = (name: string) => people[name] ?? '';
const batch = (name: string) => batches[name] ?? '';

/** The same scene in two tenants, so that anything that leaks shows. */
async function makeScene(tenantId: string): Promise<string[]> {
  const db = test.database.tenant(tenantId);
  for (const name of ['super', 'owner', 'ann', 'ben', 'eve', 'stranger']) {
    people[name] = await addPerson(db, tenantId, name);
  }
  const rules = { requireApprovalReason: true };
  batches.first = await addTasksOf(db, tenantId, {
    managerIds: [id('owner')],
    steps: [askUsers([id('ann')], rules)],
    createdById: id('owner'),
  });
  batches.second = await addTasksOf(db, tenantId, {
    steps: [{ approval: { manager: {}, requireDenialReason: true } }],
    createdById: id('super'),
  });
  batches.hidden = await addTasksOf(db, tenantId, { state: 'HIDDEN', managerIds: [id('owner')] });
  const ids: string[] = [];
  for (const [name, reviewId] of Object.entries(batches)) {
    const groups = [['ann'], ['ann', 'ben'], ['eve']];
    const assignments = await Promise.all(groups.map((names) => addAssignment(db, tenantId, reviewId, names.map(id))));
    for (let n = 0; n < 24; n++) {
      ids.push(
        await addTask(db, tenantId, {
          reviewId,
          assignmentId: n % 6 === 5 ? null : (assignments[n % 3] ?? null),
          userId: n % 4 === 0 ? null : id(['eve', 'ben', 'stranger'][n % 3] ?? ''),
          appId: `app${n % 2}`,
          entitlementId: `entitlement-${name}-${n % 5}-app${n % 2}`,
          accountId: `account-${name}-${n}`,
          accountName: `Acc${(n * 7) % 24}`,
          accountType: n % 3 === 0 ? 'SERVICE_ACCOUNT' : 'USER',
          accountStatus: n % 5 === 0 ? 'DISABLED' : 'ENABLED',
          employmentStatus: n % 2 === 0 ? 'Active' : 'On leave',
          resourceId: `resource${n % 5}`,
          resourceTypeId: `type${n % 5 < 2 ? 0 : 1}`,
          createdAt: new Date(testNow.getTime() - n * day),
          ...(n % 7 === 0
            ? { state: 'CLOSED', outcome: 'CANCELLED', endReason: 'GRANT_GONE', endedAt: new Date(testNow.getTime() - n * 3_600_000) }
            : {}),
        }),
      );
    }
  }
  await setTaskKeys(db, tenantId);
  // Half of every set stands in the indexes of orders, as if it had many tasks.
  await db.run('UPDATE tasks SET in_order = numeric_id % 2 = 0 WHERE tenant_id = $1', [tenantId]);
  return ids;
}

beforeAll(async () => {
  test = await openTestDatabase();
  await makeScene(other);
  const ids = await makeScene(tenant);
  // ben decides some of ann's and then has a hand in them; the owner decides one of eve's.
  const db = test.database.tenant(tenant);
  const open = (await listShownTasks(scopeOf(db, tenant, ''), ids)).filter((task) => task.state === 'OPEN' && task.tasksState === 'OPEN');
  const mine = open.filter((task) => task.assigneeIds.includes(id('ben')) && task.userId !== id('ben')).slice(0, 3);
  for (const task of mine) {
    await decideTask(scopeOf(db, tenant, id('ben')), { taskId: task.id, decision: 'APPROVE', comment: 'ok', policyStepId: '' });
  }
  await db.run('UPDATE tasks SET assignment_id = NULL WHERE tenant_id = $1 AND id = $2', [tenant, mine[0]?.id]);
  const one = open.find((task) => task.assigneeIds.includes(id('eve')) && task.reviewId === batch('first') && task.userId !== id('owner'));
  await decideTask(scopeOf(db, tenant, id('owner')), { taskId: one?.id ?? '', decision: 'DENY', comment: '', policyStepId: '' });
  everything = await listShownTasks(scopeOf(db, tenant, ''), ids);
});
afterAll(() => test.close());

function as(name: string): Context {
  const roles = name === 'super' ? (['SUPER_ADMINISTRATOR'] as const) : name === 'auditor' ? (['READ_ONLY_ADMINISTRATOR'] as const) : [];
  return scopeOf(test.database.tenant(tenant), tenant, name === 'auditor' ? 'nobody' : id(name), { roles: [...roles] });
}

type Request = MessageInitShape<typeof TaskSearchRequestSchema>;

async function findAll(context: Context, request: Request, size = 7): Promise<ShownTask[]> {
  const found: ShownTask[] = [];
  let after: readonly string[] | undefined;
  do {
    const page = await searchTasks(context, create(TaskSearchRequestSchema, request), { size, after });
    expect(page.tasks.length).toBeLessThanOrEqual(size);
    found.push(...page.tasks);
    after = page.nextKey;
  } while (after !== undefined);
  return found;
}

const sorted = (rows: readonly ShownTask[]) => rows.map((row) => row.id).toSorted();
const viewers = ['super', 'auditor', 'owner', 'ann', 'ben', 'eve', 'stranger'];

it.each(viewers)('%s sees exactly the tasks that the rules let them see, in order and once', async (name) => {
  const context = as(name);
  const expected = sorted(everything.filter((task) => isListedFor(context.actor, task)));
  expect((await findAll(context, {})).map((row) => row.id)).toEqual(expected);
  expect((await findAll(context, { sortBy: TaskSearchSortBy.REVERSE_TICKET_ID })).map((row) => row.id)).toEqual(expected.toReversed());
  if (name === 'stranger') {
    expect(expected).toEqual([]);
  } else {
    expect(expected.length).toBeGreaterThan(0);
  }
});

const has = (list: readonly string[], value: string | null) => value !== null && list.includes(value);
const acted = (task: ShownTask, name: string) => task.history.some((action) => action.actorId === id(name));

// Each filter with the plain sentence it stands for.
const filters: readonly [string, () => Request, (task: ShownTask) => boolean][] = [
  ['accessReviewIds', () => ({ accessReviewIds: [batch('second'), batch('hidden')] }), (t) => t.reviewId === batch('second')],
  ['accountOwnerIds', () => ({ accountOwnerIds: [id('eve')] }), (t) => t.userId === id('eve')],
  ['subjectIds', () => ({ subjectIds: [id('eve'), id('ben')] }), (t) => has([id('eve'), id('ben')], t.userId)],
  ['subjectIds and accountOwnerIds', () => ({ subjectIds: [id('eve')], accountOwnerIds: [id('ben')] }), () => false],
  ['accountStatuses', () => ({ accountStatuses: [Status.DISABLED] }), (t) => t.account?.accountStatus === 'DISABLED'],
  ['accountTypes', () => ({ accountTypes: [AppUserType.SERVICE_ACCOUNT] }), (t) => t.account?.accountType === 'SERVICE_ACCOUNT'],
  ['actorId', () => ({ actorId: id('ben') }), (t) => acted(t, 'ben')],
  ['previouslyActedOnIds', () => ({ previouslyActedOnIds: [id('ben'), id('owner')] }), (t) => acted(t, 'ben') || acted(t, 'owner')],
  ['appEntitlementIds', () => ({ appEntitlementIds: ['entitlement-first-1-app1'] }), (t) => t.entitlementId === 'entitlement-first-1-app1'],
  [
    'excludeAppEntitlementIds',
    () => ({ excludeAppEntitlementIds: ['entitlement-first-1-app1'] }),
    (t) => t.entitlementId !== 'entitlement-first-1-app1',
  ],
  ['appResourceIds', () => ({ appResourceIds: ['resource3'] }), (t) => t.entitlement?.resourceId === 'resource3'],
  ['appResourceTypeIds', () => ({ appResourceTypeIds: ['type0'] }), (t) => t.entitlement?.resourceTypeId === 'type0'],
  ['excludeAppResourceTypeIds', () => ({ excludeAppResourceTypeIds: ['type0'] }), (t) => t.entitlement?.resourceTypeId !== 'type0'],
  ['appUserSubjectIds', () => ({ appUserSubjectIds: ['account-first-3', 'account-hidden-3'] }), (t) => t.accountId === 'account-first-3'],
  ['applicationIds', () => ({ applicationIds: ['app1'] }), (t) => t.appId === 'app1'],
  ['excludeApplicationIds', () => ({ excludeApplicationIds: ['app1'] }), (t) => t.appId !== 'app1'],
  [
    'assigneesInIds',
    () => ({ assigneesInIds: [id('ben'), id('eve')] }),
    (t) => t.assigneeIds.includes(id('ben')) || t.assigneeIds.includes(id('eve')),
  ],
  ['assignedOrStepApproverUserId', () => ({ assignedOrStepApproverUserId: id('ann') }), (t) => t.assigneeIds.includes(id('ann'))],
  ['myWorkUserIds', () => ({ myWorkUserIds: [id('ann')] }), (t) => t.state === 'OPEN' && t.assigneeIds.includes(id('ann'))],
  [
    'certifyOutcomes',
    () => ({ certifyOutcomes: [CertifyOutcome.CERTIFIED, CertifyOutcome.DECERTIFIED] }),
    (t) => has(['CERTIFIED', 'DECERTIFIED'], t.outcome),
  ],
  ['certifyOutcomes undecided', () => ({ certifyOutcomes: [CertifyOutcome.UNSPECIFIED] }), (t) => t.outcome === ''],
  ['certifyOutcomes that never are', () => ({ certifyOutcomes: [CertifyOutcome.WAIT_TIMED_OUT] }), () => false],
  [
    'createdAfter',
    () => ({ createdAfter: timestampFromDate(new Date(testNow.getTime() - 5 * day)) }),
    (t) => t.createdAt.getTime() >= testNow.getTime() - 5 * day,
  ],
  [
    'createdBefore',
    () => ({ createdBefore: timestampFromDate(new Date(testNow.getTime() - 5 * day)) }),
    (t) => t.createdAt.getTime() < testNow.getTime() - 5 * day,
  ],
  ['olderThanDuration', () => ({ olderThanDuration: durationFromMs(9 * day) }), (t) => t.createdAt.getTime() < testNow.getTime() - 9 * day],
  [
    'outcomeAfter',
    () => ({ outcomeAfter: timestampFromDate(new Date(testNow.getTime() - 8 * 3_600_000)) }),
    (t) => t.endedAt !== null && t.endedAt.getTime() >= testNow.getTime() - 8 * 3_600_000,
  ],
  [
    'outcomeBefore',
    () => ({ outcomeBefore: timestampFromDate(new Date(testNow.getTime() - 8 * 3_600_000)) }),
    (t) => t.endedAt !== null && t.endedAt.getTime() < testNow.getTime() - 8 * 3_600_000,
  ],
  ['currentStep approval', () => ({ currentStep: TaskSearchCurrentStep.APPROVAL }), (t) => t.state === 'OPEN'],
  ['currentStep provision', () => ({ currentStep: TaskSearchCurrentStep.PROVISION }), () => false],
  ['emergencyStatus', () => ({ emergencyStatus: EmergencyStatus.EMERGENCY }), () => false],
  ['emergencyStatus none', () => ({ emergencyStatus: EmergencyStatus.NON_EMERGENCY }), () => true],
  ['pendingActionFilter', () => ({ pendingActionFilter: PendingActionFilter.WITH_PENDING }), () => false],
  ['pendingActionFilter without', () => ({ pendingActionFilter: PendingActionFilter.WITHOUT_PENDING }), () => true],
  ['grantOutcomes', () => ({ grantOutcomes: [GrantOutcome.GRANTED] }), () => false],
  [
    'revokeOutcomes beside certifyOutcomes',
    () => ({ revokeOutcomes: [RevokeOutcome.REVOKED], certifyOutcomes: [CertifyOutcome.CERTIFIED] }),
    (t) => t.outcome === 'CERTIFIED',
  ],
  ['includeDeleted', () => ({ includeDeleted: true }), () => true],
  [
    'includeActedAfter',
    () => ({ taskStates: [TaskState.OPEN], includeActedAfter: timestampFromDate(testNow) }),
    (t) => t.state === 'OPEN' || t.history.length > 0,
  ],
  ['openerIds', () => ({ openerIds: [id('super')] }), (t) => t.createdById === id('super')],
  ['openerOrSubjectUserId', () => ({ openerOrSubjectUserId: id('eve') }), (t) => t.userId === id('eve')],
  ['excludeIds', () => ({ excludeIds: everything.slice(0, 10).map((task) => task.id) }), (t) => !everything.slice(0, 10).includes(t)],
  ['refs', () => ({ refs: everything.slice(0, 60).map(({ id: taskId }) => ({ id: taskId })) }), (t) => everything.slice(0, 60).includes(t)],
  ['query by name', () => ({ query: 'ACC1' }), (t) => t.account?.externalId.startsWith('Acc1') === true],
  ['query by number', () => ({ query: `#${everything[1]?.numericId}` }), (t) => t.numericId === everything[1]?.numericId],
  ['query by words of several names', () => ({ query: 'PAYROLL  acc1' }), (t) => t.account?.externalId.startsWith('Acc1') === true],
  ['query with signs of LIKE', () => ({ query: 'A%c_' }), () => false],
  ['requireApprovalReason', () => ({ requireApprovalReason: true }), (t) => t.reviewId === batch('first')],
  ['requireDenialReason', () => ({ requireDenialReason: true }), (t) => t.reviewId === batch('second')],
  [
    'stepApprovalTypes',
    () => ({ stepApprovalTypes: [StepApprovalType.MANAGER] }),
    (t) => t.reviewId === batch('second') && t.state === 'OPEN',
  ],
  ['taskStates', () => ({ taskStates: [TaskState.CLOSED] }), (t) => t.state === 'CLOSED'],
  ['taskTypes certify', () => ({ taskTypes: [{ taskType: { case: 'certify', value: {} } }] }), () => true],
  ['taskTypes grant', () => ({ taskTypes: [{ taskType: { case: 'grant', value: {} } }] }), () => false],
  ['userEmploymentStatuses', () => ({ userEmploymentStatuses: ['on LEAVE'] }), (t) => t.account?.employmentStatus === 'On leave'],
];

describe.each(sampled(filters, 3))('the filter %s', (_name, request, keeps) => {
  it.each(['super', 'owner', 'ann', 'ben'])('as %s', async (name) => {
    const context = as(name);
    const expected = sorted(everything.filter((task) => isListedFor(context.actor, task) && keeps(task)));
    expect((await findAll(context, request())).map((row) => row.id)).toEqual(expected);
  });
});

it('every member of the request is tried above', () => {
  const tried = new Set(filters.flatMap(([, request]) => Object.keys(request())));
  const others = ['expandMask', 'pageSize', 'pageToken', 'sortBy', 'query', 'refs', 'taskStates'];
  const missing = TaskSearchRequestSchema.fields
    .map((field) => field.localName)
    .filter((name) => !tried.has(name) && !others.includes(name));
  expect(missing).toEqual([]);
});

const lower = (...parts: (string | undefined)[]) => parts.map((part) => part?.toLowerCase() ?? '').join(' ');
const keys: readonly [TaskSearchSortBy, (task: ShownTask) => string[]][] = [
  [TaskSearchSortBy.ACCOUNT, (t) => [lower(t.account?.externalId), t.accountId]],
  [TaskSearchSortBy.ACCOUNT_OWNER, (t) => [lower(t.account?.userDisplayName, t.account?.userEmail), t.accountId]],
  [
    TaskSearchSortBy.RESOURCE,
    (t) => [lower(t.entitlement?.appDisplayName, t.entitlement?.resourceDisplayName, t.entitlement?.displayName)],
  ],
  [TaskSearchSortBy.APP_RESOURCE_ID_AND_APP_ENTITLEMENT, (t) => [t.entitlement?.resourceId ?? '', t.entitlementId]],
];

describe.each(sampled(keys, 3, ([sortBy]) => String(sortBy)))('sorted by %s', (sortBy, key) => {
  const text = (task: ShownTask) => [...key(task), task.id].join('\0');
  const byKey = (a: ShownTask, b: ShownTask) => (text(a) < text(b) ? -1 : 1);
  const cases: readonly [Request, (task: ShownTask) => boolean][] = [
    [{}, () => true],
    [{ query: 'acc1 clerk' }, (t) => t.account?.externalId.startsWith('Acc1') === true],
    [{ taskStates: [TaskState.OPEN], accessReviewIds: [] }, (t) => t.state === 'OPEN'],
    [{ query: 'no-such' }, () => false],
  ];
  it.each(['super', 'owner', 'ann', 'ben', 'stranger'])('as %s', async (name) => {
    const context = as(name);
    for (const [request, keeps] of cases) {
      const expected = everything.filter((task) => isListedFor(context.actor, task) && keeps(task)).toSorted(byKey);
      expect((await findAll(context, { ...request, sortBy })).map((row) => row.id)).toEqual(expected.map((row) => row.id));
    }
  });

  it('refuses the place of another release', async () => {
    const request = create(TaskSearchRequestSchema, { sortBy });
    await expect(searchTasks(as('super'), request, { size: 10, after: ['a'] })).rejects.toMatchObject({ status: 400 });
  });
});

// What others are asked, by people who see a part of it: narrowed before anything is read, and still complete.
it.each(['owner', 'ann', 'ben', 'eve', 'stranger'])('%s sees of the work of others what concerns them', async (name) => {
  const context = as(name);
  for (const other of ['ann', 'ben', 'eve']) {
    const expected = sorted(everything.filter((task) => isListedFor(context.actor, task) && task.assigneeIds.includes(id(other))));
    expect((await findAll(context, { assigneesInIds: [id(other)] })).map((row) => row.id)).toEqual(expected);
  }
});

it('takes at most 1000 values in a list and a query of 1000 characters', async () => {
  const excludeIds = Array.from({ length: 1001 }, (_, n) => `t${n}`);
  await expect(findAll(as('ann'), { excludeIds })).rejects.toMatchObject({ status: 400, violations: [{ field: 'excludeIds' }] });
  await expect(findAll(as('ann'), { query: 'x'.repeat(1001) })).rejects.toMatchObject({ status: 400 });
});

it('finds nothing of another tenant, even by id', async () => {
  const rows = await test.database.tenant(other).rows<{ id: string }>('SELECT id FROM tasks WHERE tenant_id = $1 LIMIT 20', [other]);
  expect(await findAll(as('super'), { refs: rows.map(({ id: taskId }) => ({ id: taskId })) })).toEqual([]);
});
