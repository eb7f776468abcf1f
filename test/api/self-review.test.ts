/**
 * Nobody decides on their own access, by no way round: through the policy, as owner, as Super Administrator, by reassignment, through a
 * credential somebody else was given by them; and a reviewer rule that finds nobody is never silent. Over HTTP; the rules are in tasks.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import type { ServedTenant, TestPerson, TestServer } from '../support/server.ts';
import { sendFile, type World, worldGrants } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

const header = worldGrants.split('\n')[0] ?? '';

describe('one’s own access', () => {
  let server: TestServer;
  let world: World;

  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const makePolicy = async (approval: object, rules: object = {}): Promise<string> => {
    const policySteps = { certify: { steps: [{ approval: { ...rules, ...approval } }] } };
    const answer = await admin('POST', '/api/v1/policies', { displayName: 'Test', policyType: 'POLICY_TYPE_CERTIFY', policySteps });
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    return answer.body.policy.id;
  };
  /** Runs a review up to OPEN and returns its id. */
  const open = async (appId: string, more: { policyId?: string; ownerIds?: string[] } = {}): Promise<string> => {
    const { policyId = '', ownerIds = [world.owner.id] } = more;
    const made = await admin('POST', '/api/v1/access_review', { displayName: 'x', ownerIds });
    const { id } = made.body.accessReview.accessReview;
    expect((await admin('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId }, policyId } })).status).toBe(200);
    await admin('POST', `/api/v1/access_review/${id}/action/prepare`, {});
    await world.until(id, 'REVIEW');
    expect((await admin('POST', `/api/v1/access_review/${id}/action/start`, {})).status).toBe(200);
    await world.until(id, 'OPEN');
    return id;
  };
  const tasksOf = async (id: string): Promise<Loose[]> =>
    (await admin('POST', '/api/v1/search/tasks', { accessReviewIds: [id], pageSize: 100 })).body.list.map(({ task }: Loose) => task);
  const approve = (person: TestPerson, taskId: string): Promise<Answer> =>
    request(server, person, 'POST', `/api/v1/tasks/${taskId}/action/approve`, {});
  const importGrants = async (tenant: ServedTenant, app: string, emails: readonly string[]): Promise<string> => {
    const rows = emails.map((email, n) => `s${n},${email},USER,ENABLED,role,Thing,member,,`);
    const answer = await sendFile(tenant, tenant.admin, `/api/v1/imports/grants?app=${app}`, [header, ...rows].join('\n'));
    expect(answer.status).toBe(200);
    return answer.body.import.appId;
  };

  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    world = made.world;
  });
  afterAll(() => server.stop());

  it('goes to the owners of the review where the policy names the person alone, counted in preview and told as an event', async () => {
    const policyId = await makePolicy({ users: { userIds: [world.userId] } });
    const draft = await world.makeDraft();
    await admin('POST', `/api/v1/access_review/${draft}`, { accessReview: { policyId } });
    const { body: preview } = await admin('POST', `/api/v1/access_review/${draft}/preview`, {});
    const own = preview.fallbackItems;
    // 35 of account a00, twelve of x00 to x11.
    expect([preview.items, own, preview.unassignedItems]).toEqual(['76', '47', '0']);
    const id = await open(world.appId, { policyId });
    for (const task of await tasksOf(id)) {
      expect(task.stepApproverIds).toEqual(task.type.certify.identityUserId === world.userId ? [world.owner.id] : [world.userId]);
    }
    const { body } = await admin('POST', '/api/v1/systemlog/events', { pageSize: 100, sortDirection: 'SORT_DIRECTION_DESC' });
    expect(
      body.list.map((event: unknown) => JSON.stringify(event)).filter((text: string) => text.includes(id) && /fallback/i.test(text)).length,
    ).toBeGreaterThan(0);
  });

  it('is not decided by the person, whatever else they are; not even a Super Administrator, nor through a submission', async () => {
    const appId = await importGrants(server, 'Own', [server.admin.email, 'owner@world.example']);
    const id = await open(appId);
    const tasks = await tasksOf(id);
    expect(tasks).toHaveLength(2);
    for (const [person, userId] of [
      [server.admin, server.admin.id],
      [world.owner, world.owner.id],
    ] as const) {
      const task = tasks.find((one) => one.type.certify.identityUserId === userId);
      expect(task.stepApproverIds).not.toContain(userId);
      expect(task.stepApproverIds.length).toBeGreaterThan(0);
      for (const action of ['approve', 'deny', 'reassign', 'restart']) {
        const body = { comment: 'x', newStepUserIds: [world.assignee.id] };
        expect([action, (await request(server, person, 'POST', `/api/v1/tasks/${task.id}/action/${action}`, body)).status]).toEqual([
          action,
          403,
        ]);
      }
      const decisions = [{ taskId: task.id, decision: 'REVIEW_DECISION_CERTIFY' }];
      const { body } = await request(server, person, 'POST', `/api/v1/access_review/${id}/submissions`, { decisions });
      expect(body.results).toMatchObject([{ decided: false, code: 'PERMISSION_DENIED' }]);
      const seen = await request(server, person, 'GET', `/api/v1/tasks/${task.id}`);
      expect(seen.body.taskView.task.actions).not.toContain('TASK_ACTION_TYPE_APPROVE');
    }
  });

  it('is not decided through a credential that the person has issued, and the decision of others names the issuer', async () => {
    const appId = await importGrants(server, 'Issued', [server.admin.email, 'p05@world.example']);
    const policyId = await makePolicy({ users: { userIds: [world.basic.id] } });
    const id = await open(appId, { policyId });
    const tasks = await tasksOf(id);
    const issued = await server.issueClient(world.basic.id);
    const own = tasks.find((one) => one.type.certify.identityUserId === server.admin.id);
    const others = tasks.find((one) => one.type.certify.identityUserId !== server.admin.id);
    const refused = await approve(issued, own.id);
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('issued')]);
    expect((await approve(issued, others.id)).status).toBe(200);
    const introspected = await request(server, issued, 'GET', '/api/v1/auth/introspect');
    expect(introspected.body.roleIds).toEqual(['000000000000000000BasicUser']);
    const events = await admin('POST', '/api/v1/systemlog/events', { pageSize: 100, sortDirection: 'SORT_DIRECTION_DESC' });
    const decided = events.body.list.map((event: unknown) => JSON.stringify(event)).find((text: string) => text.includes(others.id));
    expect(decided).toContain(server.admin.id);
  });

  it('is never handed to the person, to somebody disabled, to nobody or out of the tenant', async () => {
    const [task] = (await tasksOf(world.openId)).filter(
      (one) => one.state === 'TASK_STATE_OPEN' && one.type.certify.identityUserId === world.userId,
    );
    const reassign = (ids: string[]): Promise<Answer> =>
      request(server, world.owner, 'POST', `/api/v1/tasks/${task.id}/action/reassign`, { newStepUserIds: ids, comment: 'x' });
    const other = await server.makeTenant('elsewhere.example');
    for (const ids of [[world.userId], [world.assignee.id, world.userId], ['0'.repeat(27)], [other.admin.id], [], ['']]) {
      expect([ids, (await reassign(ids)).status]).toEqual([ids, 400]);
    }
    await server.test.admin(`UPDATE users SET status = 'DISABLED' WHERE tenant_id = $1 AND id = $2`, [server.id, world.basic.id]);
    expect((await reassign([world.basic.id])).status).toBe(400);
    await server.test.admin(`UPDATE users SET status = 'ENABLED' WHERE tenant_id = $1 AND id = $2`, [server.id, world.basic.id]);
    await server.test.admin('DELETE FROM suspensions WHERE tenant_id = $1 AND user_id = $2', [server.id, world.basic.id]);
    expect((await reassign([world.owner.id])).status).toBe(200);
  });

  it('may be decided where the policy says so', async () => {
    const policyId = await makePolicy({ users: { userIds: [world.basic.id], allowSelfApproval: true } });
    const appId = await importGrants(server, 'Self', ['basic@world.example']);
    const id = await open(appId, { policyId });
    const [task] = await tasksOf(id);
    expect(task.stepApproverIds).toEqual([world.basic.id]);
    expect((await approve(world.basic, task.id)).status).toBe(200);
  });

  it('has nobody to decide it where the person is all there is: counted in preview, refused at start, until there is another', async () => {
    const alone = await server.makeTenant('alone.example');
    const call = (method: string, path: string, body?: unknown): Promise<Answer> => request(alone, alone.admin, method, path, body);
    const appId = await importGrants(alone, 'Only', [alone.admin.email]);
    const made = await call('POST', '/api/v1/access_review', { displayName: 'x' });
    const { id } = made.body.accessReview.accessReview;
    await call('POST', `/api/v1/access_review/${id}`, { accessReview: { singleApp: { appId } } });
    const preview = (await call('POST', `/api/v1/access_review/${id}/preview`, {})).body;
    expect(preview).toMatchObject({ items: '1', unassignedItems: '1', unassigned: [{ userId: alone.admin.id }] });
    const waitFor = async (state: string): Promise<void> => {
      const read = async (): Promise<string> => (await call('GET', `/api/v1/access_review/${id}`)).body.accessReview.accessReview.state;
      await expect.poll(read, { timeout: 60_000 }).toBe(`ACCESS_REVIEW_STATE_${state}`);
    };
    await call('POST', `/api/v1/access_review/${id}/action/prepare`, {});
    await waitFor('REVIEW');
    const refused = await call('POST', `/api/v1/access_review/${id}/action/start`, {});
    expect([refused.status, refused.body.code]).toEqual([400, 9]);
    const second = await alone.makePerson('second@alone.example', ['SUPER_ADMINISTRATOR']);
    await call('POST', `/api/v1/access_review/${id}/action/reset`, {});
    await call('POST', `/api/v1/access_review/${id}/action/prepare`, {});
    await waitFor('REVIEW');
    expect((await call('POST', `/api/v1/access_review/${id}/action/start`, {})).status).toBe(200);
    await waitFor('OPEN');
    const { list } = (await call('POST', '/api/v1/search/tasks', { accessReviewIds: [id] })).body;
    expect(list[0].task.stepApproverIds).toEqual([second.id]);
  });
});
