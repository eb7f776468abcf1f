/** Tasks and audits as clients see them: complete by the contract, true to what happened, the same for a page as for one. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { addAssignment, addTasksOf, addPerson, addTask, askUsers, scopeOf, testNow } from '../../../../test/support/tasks.ts';
import { TaskViewSchema } from '../../../gen/c1/api/task/v1/task_pb.js';
import { TaskAuditListResponseSchema } from '../../../gen/c1/api/task/v1/task_service_pb.js';
import { checkReply } from '../../../wire/check-reply.ts';
import { expand, type Loaders, loads } from '../../../wire/expand.ts';
import { UserSchema } from '../../../gen/c1/api/user/v1/user_pb.js';
import { shape } from '../../../wire/reply.ts';
import { userLoader } from '../../../foundation/directory/index.ts';
import { listAudits } from '../queue/audits.ts';
import { commentOnTask } from '../decisions/comment.ts';
import { decideTask } from '../decisions/decide.ts';
import { reassignTask } from '../steering/reassign.ts';
import { restartTask } from '../steering/restart.ts';
import { listShownTasks } from './store.ts';
import { viewTasks } from './view.ts';

const tenant = 'TenantA';
let test: TestDatabase;
const people: Record<string, string> = {};
const id = (name: string) => people[name] ?? '';
const as = (name: string) =>
  scopeOf(test.database.tenant(tenant), tenant, id(name), name === 'super' ? { roles: ['SUPER_ADMINISTRATOR'] } : {});

beforeAll(async () => {
  test = await openTestDatabase();
  for (const name of ['super', 'owner', 'ann', 'ben', 'subject']) {
    people[name] = await addPerson(test.database.tenant(tenant), tenant, name);
  }
});
afterAll(() => test.close());

async function makeTask(steps: object[], task: object = {}) {
  const db = test.database.tenant(tenant);
  const reviewId = await addTasksOf(db, tenant, { managerIds: [id('owner')], steps, createdById: id('owner') });
  const assignmentId = await addAssignment(db, tenant, reviewId, [id('ann'), id('ben')], 'MANAGER');
  return { reviewId, taskId: await addTask(db, tenant, { reviewId, assignmentId, userId: id('subject'), ...task }) };
}

async function view(name: string, taskIds: string[], paths?: string[]) {
  const context = as(name);
  const loaders: Loaders = new Map([loads(UserSchema, userLoader)]);
  const call = {
    expand: (wanted: never, requested: readonly string[] | undefined) => expand(context, loaders, wanted, requested),
  } as never;
  const found = await viewTasks(context, call, await listShownTasks(context, taskIds), paths);
  const views = found.views.map((row) => shape(TaskViewSchema, row));
  for (const one of views) {
    checkReply(TaskViewSchema, one);
  }
  return { ...found, views };
}

it('says everything about an open task', async () => {
  const { reviewId, taskId } = await makeTask(
    [{ approval: { manager: { fallback: true }, requireDenialReason: true } }, askUsers([id('ben')])],
    {
      appId: 'app1',
      entitlementId: 'ent1',
      accountId: 'acc1',
      accountName: 'jdoe',
    },
  );
  const { views } = await view('ann', [taskId]);
  expect(views[0]?.task).toMatchObject({
    id: taskId,
    state: 'TASK_STATE_OPEN',
    processing: 'TASK_PROCESSING_TYPE_WAITING',
    origin: 'TASK_ORIGIN_ACCESS_REVIEW',
    userId: id('subject'),
    createdByUserId: id('owner'),
    stepApproverIds: [id('ann'), id('ben')],
    commentCount: 0,
    createdAt: testNow.toISOString().replace('.000', ''),
    actions: ['TASK_ACTION_TYPE_APPROVE', 'TASK_ACTION_TYPE_DENY', 'TASK_ACTION_TYPE_COMMENT'],
    type: {
      certify: {
        accessReviewId: reviewId,
        accessReviewSelection: taskId,
        appId: 'app1',
        appEntitlementId: 'ent1',
        appUserId: 'acc1',
        identityUserId: id('subject'),
        outcome: 'CERTIFY_OUTCOME_UNSPECIFIED',
      },
    },
    policy: {
      current: {
        id: `${taskId}-0`,
        state: 'POLICY_STEP_STATE_ACTIVE',
        approval: {
          state: 'APPROVAL_INSTANCE_STATE_WAITING',
          approval: { assigned: true, requireDenialReason: true, manager: { fallback: true, assignedUserIds: [id('ann'), id('ben')] } },
        },
      },
      history: [],
      next: [{ approval: { users: { userIds: [id('ben')] } } }],
      policy: { id: 'policy', displayName: 'Policy' },
    },
  });
  expect(views[0]?.task?.displayName).toMatch(/^Certify jdoe Clerk member-\d+ in Payroll$/);
  expect(views[0]?.task?.description).toMatch(/Its last use is unknown/);
  expect(views[0]?.task?.numericId).toMatch(/^\d+$/);
  expect(views[0]?.task?.type?.certify).not.toHaveProperty('outcomeTime');
  expect(views[0]?.objectPermissions).toEqual({
    read: true,
    edit: true,
    delete: false,
    extra: { decide: true, reassign: false, restart: false },
  });
});

it('tells the history of a task that was reassigned, denied and restarted', async () => {
  const { taskId } = await makeTask([askUsers([id('ann')], { allowReassignment: true })]);
  await reassignTask(as('ann'), { taskId, newUserIds: [id('ben')], comment: '', policyStepId: '' });
  await decideTask(as('ben'), { taskId, decision: 'DENY', comment: 'No.', policyStepId: '' });
  const denied = (await view('ben', [taskId])).views[0]?.task;
  expect(denied).toMatchObject({
    state: 'TASK_STATE_CLOSED',
    processing: 'TASK_PROCESSING_TYPE_DONE',
    commentCount: 1,
    stepApproverIds: [],
    type: { certify: { outcome: 'CERTIFY_OUTCOME_DECERTIFIED', outcomeTime: '2026-11-02T10:00:00Z' } },
    policy: {
      next: [],
      history: [
        {
          id: `${taskId}-0`,
          state: 'POLICY_STEP_STATE_DONE',
          approval: { reassigned: { userId: id('ann'), newPolicyStepId: `${taskId}-1` } },
        },
        {
          id: `${taskId}-1`,
          approval: { state: 'APPROVAL_INSTANCE_STATE_DONE', denied: { userId: id('ben'), deniedAt: '2026-11-02T10:00:00Z' } },
        },
      ],
    },
  });
  expect(denied?.policy).not.toHaveProperty('current');
  await restartTask(as('owner'), { taskId, comment: '', policyStepId: '' });
  const restarted = (await view('owner', [taskId])).views[0]?.task;
  expect(restarted?.policy?.history?.at(-1)).toMatchObject({
    approval: { restarted: { userId: id('owner'), oldPolicyStepId: `${taskId}-1` } },
  });
  expect(restarted?.policy?.current?.id).toBe(`${taskId}-2`);
});

it('expands what is asked for, once, and points at it', async () => {
  const first = await makeTask([askUsers([id('ann')])]);
  const second = await makeTask([askUsers([id('ann')])], { userId: null });
  const { views, expanded } = await view('super', [first.taskId, second.taskId], ['identity_user_id', 'step_approver_ids', 'app_id']);
  const at = (name: string) => expanded.findIndex(({ row }) => 'id' in row && row.id === id(name));
  expect(expanded).toHaveLength(3);
  expect(expanded[0]?.desc).toBe(UserSchema);
  expect(views[0]?.identityUserPath).toBe(`$.expanded[${at('subject')}]`);
  expect(views[0]?.stepApproversPath).toBe(`$.expanded[${at('ann')},${at('ben')}]`);
  expect([views[0]?.userPath, views[0]?.appPath, views[1]?.identityUserPath]).toEqual(['', '', '']);
  expect((await view('super', [first.taskId])).expanded).toEqual([]);
});

it('audits keep the contract', async () => {
  const { taskId } = await makeTask([askUsers([id('ann')], { allowReassignment: true }), { accept: { acceptMessage: 'Fine.' } }]);
  await commentOnTask(as('ann'), taskId, 'Hm.');
  await reassignTask(as('ann'), { taskId, newUserIds: [id('ben')], comment: 'Yours.', policyStepId: '' });
  await decideTask(as('ben'), { taskId, decision: 'APPROVE', comment: '', policyStepId: '' });
  await restartTask(as('owner'), { taskId, comment: 'Again.', policyStepId: '' });
  const { audits } = await listAudits(
    as('ann'),
    { taskId, refs: [], newestFirst: false, commentsOnly: false },
    { size: 100, after: undefined },
  );
  checkReply(TaskAuditListResponseSchema, shape(TaskAuditListResponseSchema, { list: audits, nextPageToken: '' }));
  expect(audits.map((audit) => audit.userId)).toContain(id('ben'));
  expect(audits.find((audit) => audit.approvalReassigned)?.approvalReassigned).toMatchObject({
    newUsers: [id('ben')],
    oldPolicyStepId: `${taskId}-0`,
    newPolicyStepId: `${taskId}-1`,
    users: [{ id: id('ben'), displayName: 'ben' }],
  });
  expect(audits.some((audit) => audit.approvalAutoAcceptedByPolicy !== undefined)).toBe(true);
});
