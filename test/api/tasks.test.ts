/** The operations on tasks over HTTP: 200, 400, 401, 403, 404 (another tenant's id among them) and 409, paging, expansion and submissions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/api.ts';
import type { ServedTenant, TestPerson, TestServer } from '../support/server.ts';
import { useTestServer } from '../support/server.ts';
import { addAssignment, addTasksOf, addTask, askUsers } from '../support/tasks.ts';

let server: TestServer;
let other: ServedTenant;
let ann: TestPerson;
let ben: TestPerson;
let subject: TestPerson;
let owner: TestPerson;
let auditor: TestPerson;

beforeAll(async () => {
  server = await useTestServer();
  other = await server.makeTenant('other.example');
  ann = await server.makePerson('ann@example.com');
  ben = await server.makePerson('ben@example.com');
  subject = await server.makePerson('subject@example.com');
  owner = await server.makePerson('owner@example.com');
  auditor = await server.makePerson('auditor@example.com', ['READ_ONLY_ADMINISTRATOR']);
});
afterAll(() => server.stop());

const send = (as: TestPerson | undefined, method: string, path: string, body?: object, tenant: ServedTenant = server) =>
  request(tenant, as, method, path, body);

async function makeTasks(count: number, options: { state?: string; rules?: object; assignees?: TestPerson[]; tenant?: ServedTenant } = {}) {
  const { state = 'OPEN', rules = {}, assignees = [ann], tenant = server } = options;
  const { db, tenantId } = tenant.system();
  const reviewId = await addTasksOf(db, tenantId, {
    state,
    managerIds: [owner.id],
    steps: [
      askUsers(
        assignees.map(({ id }) => id),
        rules,
      ),
    ],
    createdById: owner.id,
  });
  const assignmentId = await addAssignment(
    db,
    tenantId,
    reviewId,
    assignees.map(({ id }) => id),
  );
  const taskIds: string[] = [];
  for (let n = 0; n < count; n++) {
    taskIds.push(await addTask(db, tenantId, { reviewId, assignmentId, userId: subject.id }));
  }
  return { reviewId, taskIds, taskId: taskIds[0] ?? '' };
}

describe('a task', () => {
  it('is named by its number in every path, as by its id: with the same rights', async () => {
    const { taskId } = await makeTasks(1);
    const { body } = await send(ann, 'GET', `/api/v1/tasks/${taskId}`);
    const number = body.taskView.task.numericId;
    expect((await send(ann, 'GET', `/api/v1/tasks/${number}`)).body).toEqual(body);
    for (const [action, more] of [
      ['comment', { comment: 'Hm.' }],
      ['reassign', { newStepUserIds: [ben.id] }],
      ['approve', {}],
      ['restart', {}],
      ['deny', { comment: 'No.' }],
    ] as const) {
      const path = `/api/v1/tasks/${number}/action/${action}`;
      const answer = await send(owner, 'POST', path, more);
      expect([action, answer.status, answer.body.taskView?.task.id]).toEqual([action, 200, taskId]);
      expect((await send(ann, 'POST', path.replace(number, '999999999999999'), more)).status).toBe(404);
      expect((await send(other.admin, 'POST', path, more, other)).status).toBe(404);
    }
    const audits = await send(owner, 'POST', '/api/v1/task/audits', { taskId: number, pageSize: 100 });
    expect(audits.body.list.every((audit: { ticketId: string }) => audit.ticketId === taskId)).toBe(true);
    const stranger = await server.makePerson('stranger@example.com');
    expect((await send(stranger, 'GET', `/api/v1/tasks/${number}`)).status).toBe(404);
    expect((await send(ann, 'GET', `/api/v1/tasks/0${number}`)).status).toBe(200);
  });

  it('is read by those it concerns: 200, 401, 404', async () => {
    const { taskId } = await makeTasks(1);
    const { status, body } = await send(ann, 'GET', `/api/v1/tasks/${taskId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      expanded: [],
      taskView: { task: { id: taskId, state: 'TASK_STATE_OPEN', actions: expect.arrayContaining(['TASK_ACTION_TYPE_APPROVE']) } },
    });
    expect((await send(auditor, 'GET', `/api/v1/tasks/${taskId}`)).body.taskView.task.actions).toEqual([]);
    expect((await send(undefined, 'GET', `/api/v1/tasks/${taskId}`)).status).toBe(401);
    expect((await send(ben, 'GET', `/api/v1/tasks/${taskId}`)).status).toBe(404);
    expect((await send(other.admin, 'GET', `/api/v1/tasks/${taskId}`, undefined, other)).status).toBe(404);
    const hidden = await makeTasks(1, { state: 'HIDDEN' });
    expect((await send(server.admin, 'GET', `/api/v1/tasks/${hidden.taskId}`)).status).toBe(404);
  });

  it('is approved and denied with its comment, once', async () => {
    const { taskId } = await makeTasks(1, { rules: { requireDenialReason: true } });
    const path = `/api/v1/tasks/${taskId}/action`;
    const unsaid = await send(ann, 'POST', `${path}/deny`, {});
    expect(unsaid).toMatchObject({
      status: 400,
      body: {
        details: expect.arrayContaining([expect.objectContaining({ fieldViolations: [expect.objectContaining({ field: 'comment' })] })]),
      },
    });
    const denied = await send(ann, 'POST', `${path}/deny`, {
      comment: 'Left the team.',
      policy_step_id: `${taskId}-0`,
      expandMask: { paths: ['identity_user_id'] },
    });
    expect(denied).toMatchObject({
      status: 200,
      body: {
        ticketActionId: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
        expanded: [{ '@type': 'type.googleapis.com/c1.api.user.v1.User', id: subject.id }],
        taskView: {
          identityUserPath: '$.expanded[0]',
          task: { state: 'TASK_STATE_CLOSED', type: { certify: { outcome: 'CERTIFY_OUTCOME_DECERTIFIED' } } },
        },
      },
    });
    const again = await send(ann, 'POST', `${path}/deny`, { comment: 'Left the team.' });
    expect([again.status, again.body.ticketActionId]).toEqual([200, denied.body.ticketActionId]);
    const late = await send(owner, 'POST', `${path}/approve`, {});
    expect(late).toMatchObject({ status: 409, body: { message: 'This task was already denied by ann.' } });
    expect((await send(auditor, 'POST', `${path}/approve`, {})).status).toBe(403);
    expect((await send(ben, 'POST', `${path}/approve`, {})).status).toBe(404);
    expect((await send(other.admin, 'POST', `${path}/approve`, {}, other)).status).toBe(404);
    expect((await send(undefined, 'POST', `${path}/approve`, {})).status).toBe(401);
  });

  it('cannot be decided through a credential that the person reviewed has issued', async () => {
    const { db, tenantId } = server.system();
    const { reviewId } = await makeTasks(0);
    const assignmentId = await addAssignment(db, tenantId, reviewId, [ann.id]);
    const taskId = await addTask(db, tenantId, { reviewId, assignmentId, userId: server.admin.id });
    const issued = await server.issueClient(ann.id);
    const { status, body } = await send(issued, 'POST', `/api/v1/tasks/${taskId}/action/approve`, {});
    expect([status, body.message]).toEqual([403, expect.stringContaining('issued by the person whose access is reviewed')]);
  });

  it('is commented, reassigned and restarted, and its audits say so', async () => {
    const { taskId } = await makeTasks(1);
    const path = `/api/v1/tasks/${taskId}/action`;
    expect((await send(ann, 'POST', `${path}/comment`, { comment: '' })).status).toBe(400);
    expect((await send(ann, 'POST', `${path}/comment`, { comment: 'Who is this?' })).body.taskView.task.commentCount).toBe(1);
    expect((await send(ann, 'POST', `${path}/reassign`, { newStepUserIds: [ben.id] })).status).toBe(403);
    expect((await send(owner, 'POST', `${path}/reassign`, { newStepUserIds: [subject.id] })).status).toBe(400);
    const reassigned = await send(owner, 'POST', `${path}/reassign`, { new_step_user_ids: [ben.id], comment: 'Yours.' });
    expect(reassigned.body.taskView.task).toMatchObject({ stepApproverIds: [ben.id], policy: { current: { id: `${taskId}-1` } } });
    expect((await send(ben, 'POST', `${path}/approve`, { policyStepId: `${taskId}-0` })).status).toBe(409);
    expect((await send(ben, 'POST', `${path}/approve`, {})).status).toBe(200);
    expect((await send(ben, 'POST', `${path}/restart`, {})).status).toBe(403);
    expect((await send(owner, 'POST', `${path}/restart`, {})).body.taskView.task.state).toBe('TASK_STATE_OPEN');
    const kinds: string[] = [];
    let pageToken = '';
    do {
      const { status, body } = await send(owner, 'POST', '/api/v1/task/audits', { taskId, pageSize: 10, pageToken });
      expect(status).toBe(200);
      kinds.push(
        ...body.list.map((audit: object) =>
          Object.keys(audit).find((key) =>
            /^(taskCreated|comment|approvalReassigned|actionSubmitted|certifyOutcome|stateChange|taskRestarted)$/.test(key),
          ),
        ),
      );
      pageToken = body.nextPageToken;
    } while (pageToken !== '');
    expect(kinds).toEqual([
      'taskCreated',
      'comment',
      'approvalReassigned',
      'comment',
      'actionSubmitted',
      'certifyOutcome',
      'stateChange',
      'taskRestarted',
      'stateChange',
    ]);
    expect((await send(owner, 'POST', '/api/v1/task/audits', {})).status).toBe(400);
    expect((await send(subject, 'POST', '/api/v1/task/audits', { taskId })).status).toBe(404);
  });
});

describe('search', () => {
  it('pages through what one may see, in both spellings, and to the end', async () => {
    const { reviewId, taskIds } = await makeTasks(35, { assignees: [ben] });
    const found: string[] = [];
    let token = '';
    let pages = 0;
    do {
      const { status, body } = await send(ben, 'POST', '/api/v1/search/tasks', {
        access_review_ids: [reviewId],
        page_size: 10,
        page_token: token,
      });
      expect(status).toBe(200);
      found.push(...body.list.map((view: { task: { id: string } }) => view.task.id));
      token = body.nextPageToken;
      pages++;
    } while (token !== '');
    expect([found, pages]).toEqual([taskIds, 4]);
    expect((await send(ann, 'POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId] })).body).toEqual({
      list: [],
      expanded: [],
      nextPageToken: '',
    });
    const { body } = await send(ben, 'POST', '/api/v1/search/tasks', { accessReviewIds: [reviewId], pageSize: 10 });
    const misused = await send(ben, 'POST', '/api/v1/search/tasks', {
      taskStates: ['TASK_STATE_OPEN'],
      pageSize: 10,
      pageToken: body.nextPageToken,
    });
    expect(misused.status).toBe(400);
    expect((await send(ben, 'POST', '/api/v1/search/tasks', { taskStates: ['TASK_STATE_AJAR'] })).status).toBe(400);
    expect((await send(undefined, 'POST', '/api/v1/search/tasks', {})).status).toBe(401);
  });

  it('expands each related object once', async () => {
    const { reviewId } = await makeTasks(3);
    const { status, body } = await send(ann, 'POST', '/api/v1/search/tasks', {
      accessReviewIds: [reviewId],
      expandMask: { paths: ['step_approver_ids', 'identityUserId'] },
    });
    expect([status, body.message]).toEqual([200, undefined]);
    expect(body.expanded.map((object: { id: string }) => object.id).toSorted()).toEqual([ann.id, subject.id].toSorted());
    expect(new Set(body.list.map((view: { stepApproversPath: string }) => view.stepApproversPath)).size).toBe(1);
  });
});

describe('submissions', () => {
  it('decide many at once and are listed', async () => {
    const { reviewId, taskIds } = await makeTasks(3, { rules: { requireDenialReason: true } });
    const path = `/api/v1/access_review/${reviewId}/submissions`;
    const [first = '', second = '', third = ''] = taskIds;
    const decisions = [
      { taskId: first, decision: 'REVIEW_DECISION_CERTIFY' },
      { task_id: second, decision: 'REVIEW_DECISION_DENY', comment: 'No.' },
      { taskId: third, decision: 'REVIEW_DECISION_DENY' },
    ];
    const { status, body } = await send(ann, 'POST', path, { decisions });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      submission: { accessReviewId: reviewId, userId: ann.id, submitted: '3', certified: '1', denied: '1', refused: '1' },
      results: [
        { taskId: first, decided: true, code: '' },
        { taskId: second, decided: true },
        { taskId: third, decided: false, code: 'INVALID_ARGUMENT' },
      ],
    });
    expect((await send(ann, 'GET', path)).body.list).toHaveLength(1);
    expect((await send(owner, 'GET', `${path}?page_size=10`)).body).toMatchObject({
      list: [{ submission: { id: body.submission.id } }],
      nextPageToken: '',
    });
    expect((await send(ben, 'GET', path)).status).toBe(404);
    expect((await send(other.admin, 'GET', path, undefined, other)).status).toBe(404);
    const twice = await send(ann, 'POST', path, { decisions: [decisions[2], decisions[2]] });
    expect([twice.status, twice.body.message]).toEqual([
      400,
      expect.stringContaining('decisions[1].taskId names the same task as decisions[0]'),
    ]);
    expect((await send(ann, 'POST', path, { decisions: [{ taskId: first }] })).status).toBe(400);
  });
});
