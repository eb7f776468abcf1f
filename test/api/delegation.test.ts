/** Delegations over HTTP: who may decide in whose place, from when to when, and what they may not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import type { ServedTenant, TestPerson, TestServer } from '../support/server.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world-server.ts';

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

describe('delegations over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let world: World;
  /** Reports to the assignee, and is asked about by some of their tasks. */
  let reviewed: TestPerson;
  const admin = (method: string, to: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, to, body);
  const set = (userId: string, body: object): Promise<Answer> => admin('POST', `/api/v1/users/${userId}/set-delegation-by-admin`, body);
  const viewOf = async (userId: string): Promise<Loose> => (await admin('GET', `/api/v1/users/${userId}`)).body.userView.user;
  const eventsOf = (userId: string): Promise<{ kind: string; data: Loose }[]> =>
    server
      .system()
      .db.rows(`SELECT kind, data FROM events WHERE tenant_id = $1 AND target_id = $2 AND kind LIKE 'user.delegation%' ORDER BY id`, [
        server.id,
        userId,
      ]);
  const work = async (person: TestPerson, body: object): Promise<Loose[]> =>
    (
      await request(server, person, 'POST', '/api/v1/search/tasks', { taskStates: ['TASK_STATE_OPEN'], pageSize: 100, ...body })
    ).body.list.map(({ task }: Loose) => task);
  const person = async (email: string) => (await admin('POST', '/api/v1/search/users', { email })).body.list[0].userId as string;

  beforeAll(async () => {
    const made = await startWorld();
    server = made.server;
    other = await server.makeTenant('other.example');
    world = made.world;
    reviewed = await server.issueClient(await person('p05@world.example'));
  });
  afterAll(() => server.stop());

  it('are set, replaced and ended, each time with one event', async () => {
    const userId = await person('p20@world.example');
    const [first, second] = [await person('p21@world.example'), await person('p22@world.example')];
    const body = { delegatedUserId: first, delegationStartAt: inHours(-1), delegationExpireAt: inHours(1) };
    const made = await set(userId, body);
    expect(made.status).toBe(200);
    expect(made.body.item).toMatchObject({
      userId,
      delegatedUserId: first,
      startAt: body.delegationStartAt,
      expirationAt: body.delegationExpireAt,
      createdAt: expect.any(String),
    });
    expect(made.body.item).not.toHaveProperty('deletedAt');
    expect((await viewOf(userId)).delegatedUserId).toBe(first);
    // Said again: nothing happens.
    expect((await set(userId, body)).body).toEqual(made.body);
    expect((await set(userId, { delegated_user_id: second })).body.item).toMatchObject({ delegatedUserId: second });
    expect((await viewOf(userId)).delegatedUserId).toBe(second);
    const ended = await set(userId, { delegatedUserId: '' });
    expect(ended.body.item).toMatchObject({ userId, delegatedUserId: '', deletedAt: expect.any(String) });
    expect((await viewOf(userId)).delegatedUserId).toBe('');
    expect((await set(userId, {})).status).toBe(200);
    const events = await eventsOf(userId);
    expect(events.map(({ kind }) => kind)).toEqual(['user.delegation_set', 'user.delegation_set', 'user.delegation_ended']);
    expect(events[1]?.data).toMatchObject({ before: { delegatedUserId: first }, after: { delegatedUserId: second, expiresAt: null } });
  });

  it('count only between their start and their end, and are searched so', async () => {
    const [later, over, now, delegate] = await Promise.all(['p23', 'p24', 'p25', 'p26'].map((name) => person(`${name}@world.example`)));
    await set(later ?? '', { delegatedUserId: delegate, delegationStartAt: inHours(1) });
    await set(now ?? '', { delegatedUserId: delegate, delegationExpireAt: inHours(1) });
    await set(over ?? '', { delegatedUserId: delegate });
    await server
      .system()
      .db.run(`UPDATE delegations SET expires_at = $3 WHERE tenant_id = $1 AND user_id = $2`, [server.id, over, new Date(0)]);
    expect([(await viewOf(later ?? '')).delegatedUserId, (await viewOf(over ?? '')).delegatedUserId]).toEqual(['', '']);
    const search = async (body: object) =>
      (await admin('POST', '/api/v1/search/users', { pageSize: 100, ids: [later, over, now, delegate], ...body })).body;
    const idsOf = async (body: object) => (await search(body)).list.map((view: Loose) => view.userId);
    expect(await idsOf({ delegateStatus: 'DELEGATE_STATUS_HAS_DELEGATE' })).toEqual([now]);
    expect(await idsOf({ delegateStatus: 'DELEGATE_STATUS_NO_DELEGATE' })).toEqual([later, over, delegate].sort());
    expect(await idsOf({ delegatedUserIds: [delegate] })).toEqual([now]);
    expect(await idsOf({ isDelegate: true })).toEqual([delegate]);
    const { list, expanded } = await search({ ids: [now], expandMask: { paths: ['delegated_user_id'] } });
    expect(list[0].delegatedUserPath).toBe('$.expanded[0]');
    expect(expanded).toMatchObject([{ '@type': 'type.googleapis.com/c1.api.user.v1.User', id: delegate }]);
  });

  it('are refused where they make no sense', async () => {
    const [userId, delegate, third] = await Promise.all(['p10', 'p11', 'p12'].map((name) => person(`${name}@world.example`)));
    const principal = (await admin('POST', '/api/v1/service_principals', { displayName: 'Program' })).body.servicePrincipal.id;
    const refused: [string, object, string[]][] = [
      [userId ?? '', { delegatedUserId: userId }, ['delegatedUserId']],
      [userId ?? '', { delegatedUserId: 'nobody' }, ['delegatedUserId']],
      [userId ?? '', { delegatedUserId: principal }, ['delegatedUserId']],
      [userId ?? '', { delegatedUserId: other.admin.id }, ['delegatedUserId']],
      [userId ?? '', { delegatedUserId: delegate, delegationExpireAt: inHours(-1) }, ['delegationExpireAt']],
      [userId ?? '', { delegatedUserId: delegate, delegationStartAt: inHours(2), delegationExpireAt: inHours(1) }, ['delegationExpireAt']],
      [principal, { delegatedUserId: delegate }, []],
    ];
    for (const [who, body, fields] of refused) {
      const answer = await set(who, body);
      expect([body, answer.status, violatedFields(answer)]).toEqual([body, 400, fields]);
    }
    await set(delegate ?? '', { delegatedUserId: third });
    await set(third ?? '', { delegatedUserId: userId, delegationStartAt: inHours(5) });
    const circle = await set(userId ?? '', { delegatedUserId: delegate });
    expect([circle.status, circle.body.message]).toEqual([400, expect.stringContaining('circle')]);
    await server.test.admin(`UPDATE users SET status = 'DISABLED' WHERE tenant_id = $1 AND id = $2`, [server.id, third]);
    expect((await set(userId ?? '', { delegatedUserId: third })).body.message).toMatch(/disabled/);
    expect((await set('nobody', { delegatedUserId: delegate })).status).toBe(404);
    const theirs = await request(other, other.admin, 'POST', `/api/v1/users/${userId}/set-delegation-by-admin`, { delegatedUserId: '' });
    expect(theirs.status).toBe(404);
    expect(await eventsOf(userId ?? '')).toEqual([]);
  });

  it('let the delegate see and decide what the person is asked, name who decided, and end in time', async () => {
    const { assignee, basic, openId } = world;
    expect(await work(basic, {})).toEqual([]);
    const theirs = await work(assignee, {});
    expect((await set(assignee.id, { delegatedUserId: basic.id, delegationExpireAt: inHours(1) })).status).toBe(200);
    await expect.poll(async () => (await work(basic, {})).length, { timeout: 60_000, interval: 200 }).toBe(theirs.length);
    expect((await work(basic, { myWorkUserIds: [basic.id] })).map(({ id }) => id)).toEqual(theirs.map(({ id }) => id));
    expect(await work(basic, { assigneesInIds: [basic.id] })).toEqual([]);
    const [one, two, three] = (await work(basic, {})).filter((task) => task.type.certify.identityUserId !== basic.id);
    expect(one.actions).toEqual(expect.arrayContaining(['TASK_ACTION_TYPE_APPROVE', 'TASK_ACTION_TYPE_DENY']));
    expect(one.stepApproverIds).toEqual([assignee.id]);
    expect((await request(server, basic, 'POST', `/api/v1/tasks/${one.id}/action/approve`, {})).status).toBe(200);
    const submitted = await request(server, basic, 'POST', `/api/v1/access_review/${openId}/submissions`, {
      decisions: [{ taskId: two.id, decision: 'REVIEW_DECISION_DENY', comment: 'No longer needed' }],
    });
    expect(submitted.body.results).toMatchObject([{ taskId: two.id, decided: true }]);
    const actions = await server
      .system()
      .db.rows(`SELECT actor_id, data FROM task_actions WHERE tenant_id = $1 AND task_id = ANY ($2) AND kind <> 'COMMENTED' ORDER BY id`, [
        server.id,
        [one.id, two.id],
      ]);
    expect(actions).toMatchObject([
      { actor_id: basic.id, data: { delegatorId: assignee.id } },
      { actor_id: basic.id, data: { delegatorId: assignee.id } },
    ]);
    expect((await admin('GET', `/api/v1/tasks/${one.id}`)).body.taskView.task.data.decidedByUserId).toBe(basic.id);
    // Over: what they decided stays theirs to see, the rest is not.
    await set(assignee.id, { delegatedUserId: '' });
    await expect.poll(async () => (await work(basic, {})).length, { timeout: 60_000, interval: 200 }).toBe(0);
    expect((await request(server, basic, 'POST', `/api/v1/tasks/${three.id}/action/approve`, {})).status).toBe(404);
    expect((await request(server, basic, 'GET', `/api/v1/tasks/${one.id}`)).status).toBe(200);
  });

  it('say under which certification policies nobody stands in, however they are set', async () => {
    const { basic, owner } = world;
    const read = async (): Promise<Loose> => (await request(server, basic, 'GET', '/api/v1/my/delegation')).body.noDelegation;
    const before = await read();
    const make = async (displayName: string, allowDelegation: boolean): Promise<void> => {
      const steps = [{ approval: { manager: {}, allowDelegation } }];
      const body = { displayName, policyType: 'POLICY_TYPE_CERTIFY', policySteps: { certify: { steps } } };
      expect((await admin('POST', '/api/v1/policies', body)).status).toBe(200);
    };
    await make('A: stands in', true);
    expect(await read()).toEqual(before);
    await make('A: {name} stays', false);
    const after = { policyNames: ['A: {name} stays', ...before.policyNames].slice(0, 10), count: before.count + 1 };
    expect(await read()).toEqual(after);
    const own = await request(server, basic, 'PUT', '/api/v1/my/delegation', { delegatedUserId: owner.id });
    expect([own.status, own.body.noDelegation]).toEqual([200, after]);
    const ended = await request(server, basic, 'PUT', '/api/v1/my/delegation', {});
    expect(ended.body.delegate).toBeUndefined();
  });

  it('never let anybody decide their own access in the place of somebody else', async () => {
    const { assignee, openId } = world;
    const about = (await work(assignee, {})).filter((task) => task.type.certify.identityUserId === reviewed.id);
    expect(about.length).toBeGreaterThan(0);
    await set(assignee.id, { delegatedUserId: reviewed.id });
    await expect.poll(async () => (await work(reviewed, {})).length, { timeout: 60_000, interval: 200 }).toBeGreaterThan(0);
    const id = about[0].id;
    expect((await request(server, reviewed, 'GET', `/api/v1/tasks/${id}`)).body.taskView.task.actions).toEqual([
      'TASK_ACTION_TYPE_COMMENT',
    ]);
    expect((await request(server, reviewed, 'POST', `/api/v1/tasks/${id}/action/approve`, {})).status).toBe(403);
    const decisions = [{ taskId: id, decision: 'REVIEW_DECISION_CERTIFY' }];
    const submitted = await request(server, reviewed, 'POST', `/api/v1/access_review/${openId}/submissions`, { decisions });
    expect(submitted.body.results).toMatchObject([{ decided: false, code: 'PERMISSION_DENIED' }]);
  });
});
